import { customerChanged } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const previews: AnnouncedTable = {
  table: 'previews',
  shows: ['previews'],
  automation: 'c.automation_id',
  columns: { key: ['id'], seen: ['state', 'reason', 'items', 'finished_at'] },
};

/** Announces previews as they are read. */
export class AnnouncePreviews1764845000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of announceChanges(customerChanged, [previews])) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges([previews.table])) await query.query(statement);
  }
}
