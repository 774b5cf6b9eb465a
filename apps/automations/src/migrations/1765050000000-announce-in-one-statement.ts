import { customerChanged } from '@decola/contracts';
import { replaceAnnouncements } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { announcedTables } from './1764810000000-announce-changes.js';

/** Announces the customers of a statement by one insert, where a function was called for each of them. What is announced is the same. */
export class AnnounceInOneStatement1765050000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // What is announced of blog automations has been defined anew since (`1764910000000-tell-blog-of-automations.ts`).
    const tables = announcedTables.filter(({ table }) => table !== 'blog_automations');
    for (const statement of replaceAnnouncements(customerChanged, tables)) await query.query(statement);
  }

  /** The version before works with these functions. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
