import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // fingerprint: keyed HMAC of the cookie sessionid; recognises a session that is pasted again.
  // held_cause: the stop after which the session was given; it is not used until a visit found it good.
  // envelope_until: an ended session is kept sealed until then, so that the customer need not paste it again.
  `alter table instagram_sessions
    add column fingerprint text,
    add column held_cause text,
    add column envelope_until timestamptz,
    add column check_again_at timestamptz,
    add column check_attempts integer not null default 0`,
  `create index instagram_sessions_by_fingerprint on instagram_sessions (account_key, fingerprint)`,
  `create index instagram_sessions_to_check_again on instagram_sessions (check_again_at) where check_again_at is not null`,
  `create index instagram_sessions_kept on instagram_sessions (envelope_until) where envelope_until is not null`,

  // Each customer's own stop: it ends with a good session of theirs.
  // resolved_at: when they pressed 'Já resolvi no Instagram'.
  `alter table instagram_accounts
    add column stop_cause text,
    add column stopped_at timestamptz,
    add column resolved_at timestamptz,
    add constraint instagram_accounts_stop_has_time check ((stop_cause is null) = (stopped_at is null)),
    add constraint instagram_accounts_resolved_a_stop check (resolved_at is null or stop_cause is not null)`,
  `create index instagram_accounts_resolved on instagram_accounts (resolved_at) where resolved_at is not null`,

  // Until now a newer session ended a stop without clearing it.
  `update network_accounts a set session_needed_cause = null, session_needed_since = null
    where exists (select 1 from instagram_sessions s where s.account_key = a.account_key and s.is_active and s.created_at > a.session_needed_since)`,
  `update instagram_accounts c set stop_cause = a.session_needed_cause, stopped_at = a.session_needed_since
    from network_accounts a where a.account_key = c.account_key and a.session_needed_cause is not null`,
];

/** After a challenge or a suspension a session is held until a visit found it good, and the same session is recognised. */
export class HoldSessionsAfterStops1764110000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    // Without these columns a held session would be used unchecked, and a kept envelope would never be erased.
    await query.query(`update instagram_sessions set is_active = false, envelope = null, ended_at = coalesce(ended_at, now()),
      ended_cause = coalesce(ended_cause, held_cause) where held_cause is not null or envelope_until is not null`);
    await query.query(`alter table instagram_accounts drop column stop_cause, drop column stopped_at, drop column resolved_at`);
    await query.query(`alter table instagram_sessions drop column fingerprint, drop column held_cause, drop column envelope_until,
      drop column check_again_at, drop column check_attempts`);
  }
}
