import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // proven_at: since when the network is known to accept a session of this customer. Before that they may have pasted a stranger's number.
  `alter table instagram_accounts add column proven_at timestamptz`,
  `update instagram_accounts c set proven_at = p.at from (
     select user_id, account_key, min(at) as at from (
       select user_id, account_key, coalesce(checked_at, created_at) as at from instagram_sessions where check_state = 'good'
       union all
       select user_id, account_key, coalesce(started_at, queued_at) from runs where outcome = 'done' or confirmed > 0 or pages > 0) seen
     where account_key is not null group by user_id, account_key) p
   where p.user_id = c.user_id and p.account_key = c.account_key`,
  // Visits of pasted sessions that were not found good.
  `create table session_check_tries (
     run_id uuid primary key,
     user_id uuid not null,
     at timestamptz not null)`,
  `create index session_check_tries_by_user on session_check_tries (user_id, at)`,
];

/** Distinguishes customers who have proven an account from those who pasted its number. */
export class ProveAccounts1764320000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table session_check_tries');
    await query.query('alter table instagram_accounts drop column proven_at');
  }
}
