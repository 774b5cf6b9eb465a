import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Time zone and language of a customer, copied from user.updated.
  `create table customers (
    user_id uuid primary key,
    time_zone text,
    locale text,
    updated_at timestamptz not null)`,

  // An account of the network as one customer uses it, with their settings.
  `create table instagram_accounts (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    account_key text not null references network_accounts (account_key),
    network_user_id text not null,
    created_at timestamptz not null default clock_timestamp(),
    paused_until timestamptz,
    quiet_from text,
    quiet_to text,
    keep_list text[] not null default '{}',
    constraint instagram_accounts_once unique (user_id, account_key),
    constraint instagram_accounts_quiet_hours check ((quiet_from is null) = (quiet_to is null)),
    constraint instagram_accounts_wall_times check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'))`,
  `create index instagram_accounts_by_account on instagram_accounts (account_key)`,
  `insert into instagram_accounts (user_id, account_key, network_user_id, created_at)
    select user_id, account_key, min(network_user_id), min(created_at) from instagram_sessions
    where account_key is not null and network_user_id is not null group by user_id, account_key`,

  // user_id: who listed the person; null when the service did. username: as listed, also after the id is known.
  `alter table keep_list drop constraint keep_list_pkey,
    alter column target_id drop not null,
    add column id bigint generated always as identity primary key,
    add column user_id uuid,
    add column username text,
    add constraint keep_list_names_somebody check (target_id is not null or username is not null)`,
  `create unique index keep_list_once on keep_list (account_key, user_id, username) nulls not distinct where username is not null`,
  `create index keep_list_by_target on keep_list (account_key, target_id)`,
  `create index keep_list_by_name on keep_list (account_key, username)`,
];

/** Settings of customers for their accounts: quiet hours, a pause of their own, and people who are never unfollowed. */
export class ConnectAccounts1764100000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('delete from keep_list where target_id is null');
    await query.query(
      `delete from keep_list k using keep_list o where o.account_key = k.account_key and o.target_id = k.target_id and o.id < k.id`,
    );
    await query.query(`drop index keep_list_by_name, keep_list_by_target, keep_list_once`);
    await query.query(`alter table keep_list drop column id, drop column user_id, drop column username, alter column target_id set not null,
      add primary key (account_key, target_id)`);
    await query.query('drop table instagram_accounts');
    await query.query('drop table customers');
  }
}
