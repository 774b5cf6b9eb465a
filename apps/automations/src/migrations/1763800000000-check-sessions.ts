import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results of the visits that check new sessions. */
export class CheckSessions1763800000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`alter table instagram_sessions
      add column check_state text not null default 'unchecked',
      add column check_reason text,
      add column checked_at timestamptz,
      add column check_run_id uuid,
      add column check_ends_at timestamptz,
      add constraint instagram_sessions_check_state check (check_state in ('unchecked', 'checking', 'good', 'refused')),
      add constraint instagram_sessions_check_ends check ((check_state = 'checking') = (check_ends_at is not null))`);
    await query.query(
      `create unique index instagram_sessions_by_check on instagram_sessions (check_run_id) where check_run_id is not null`,
    );
    await query.query(`create index instagram_sessions_in_check on instagram_sessions (check_ends_at) where check_state = 'checking'`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`alter table instagram_sessions drop column check_state, drop column check_reason, drop column checked_at,
      drop column check_run_id, drop column check_ends_at`);
  }
}
