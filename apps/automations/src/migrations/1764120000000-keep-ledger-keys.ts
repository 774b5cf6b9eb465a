import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // is_key: the customer was erased. target_id is then a keyed HMAC, and no other column identifies anybody.
  `alter table account_actions drop constraint account_actions_state,
    add column is_key boolean not null default false,
    add constraint account_actions_state check (state in ('reserved', 'confirmed', 'requested', 'not_confirmed', 'refused', 'skipped', 'kept')),
    add constraint account_actions_key_names_nobody check (not is_key or (state in ('kept', 'skipped') and target_username = ''
      and skip_reason is null and proof is null and user_id is null and automation_id is null and settled_at is null))`,
  `create index account_actions_keys on account_actions (reserved_at) where is_key`,

  // left_at: when the last customer of the account was erased. What protects the account is kept for a while after that.
  `alter table network_accounts add column left_at timestamptz`,
  `create index network_accounts_left on network_accounts (left_at) where left_at is not null`,
];

/** Adds columns for what is kept after a customer was erased: data that protect the account of the network without identifying anybody. */
export class KeepLedgerKeys1764120000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`delete from account_actions where is_key or state = 'kept'`);
    await query.query(`alter table network_accounts drop column left_at`);
    await query.query(`alter table account_actions drop column is_key, drop constraint account_actions_state,
      add constraint account_actions_state check (state in ('reserved', 'confirmed', 'requested', 'not_confirmed', 'refused', 'skipped'))`);
  }
}
