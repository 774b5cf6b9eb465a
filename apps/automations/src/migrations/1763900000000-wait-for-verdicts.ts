import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an extraction waits for the verdict on its pass, so that the wait for a lost one ends. */
export class WaitForVerdicts1763900000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table extraction_progress add column awaits_since timestamptz');
    await query.query('update extraction_progress set awaits_since = now() where awaits_verdict');
    await query.query('create index extraction_progress_awaiting on extraction_progress (awaits_since) where awaits_verdict');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table extraction_progress drop column awaits_since');
  }
}
