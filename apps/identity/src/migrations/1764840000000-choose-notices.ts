import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which mails a person gets when something needs them. Rows that a replica of the version before inserts get all of them. */
export class ChooseNotices1764840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `alter table profiles add column notices jsonb not null default '{"session_ended": true, "blocked": true, "plan_shrank": true}'`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('alter table profiles drop column notices');
  }
}
