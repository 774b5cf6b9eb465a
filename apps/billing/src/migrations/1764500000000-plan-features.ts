import type { MigrationInterface, QueryRunner } from 'typeorm';
import { plans } from '../catalogue/plans.js';

/** Describes each plan in the words of the landing page; the catalogue described the support differently. */
export class PlanFeatures1764500000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const { key, features } of plans) await query.query('update subscription_plans set features = $2 where key = $1', [key, features]);
  }

  async down(): Promise<void> {
    // Not reverted: the earlier words promised something else and must not be shown again.
  }
}
