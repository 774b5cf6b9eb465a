import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // When the person was last seen in the account's own "following" list.
  `alter table account_actions add column seen_following_at timestamptz`,

  // Extractions of an account's own "following" list. completed_at: when extraction found the list complete.
  `create table own_list_readings (
    extracted_data_id uuid primary key,
    user_id uuid not null,
    account_key text not null,
    started_at timestamptz not null,
    completed_at timestamptz)`,
  `create index own_list_readings_by_user on own_list_readings (user_id)`,
];

/** Readings of accounts' own "following" lists, which show whom their customers unfollowed by hand. */
export class ReadOwnFollowingLists1764400000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table own_list_readings');
    await query.query('alter table account_actions drop column seen_following_at');
  }
}
