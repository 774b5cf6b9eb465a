import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where an automation's next run continues in the extracted list that it takes people from. */
export class KeepPlacesInSlots1764000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('alter table automations add column source_offset integer not null default 0 check (source_offset >= 0)');
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table automations drop column source_offset');
  }
}
