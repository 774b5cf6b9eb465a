import { customerChanged } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const lists: AnnouncedTable = {
  table: 'extracted_data',
  shows: ['extracted_data', 'get_extracted_slots', 'get_latest_extraction'],
  automation: 'c.automation_id',
  columns: { key: ['id'], seen: ['file_name', 'total_records', 'profile_total', 'state', 'state_reason'] },
};

/** Lets the database announce to customers' open pages how their lists grow. */
export class AnnounceChanges1764810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of announceChanges(customerChanged, [lists])) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges([lists.table])) await query.query(statement);
  }
}
