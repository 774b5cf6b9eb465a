import { customerChanged } from '@decola/contracts';
import { type AnnouncedTable, announceChanges, silenceChanges } from '@decola/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The customer's own account that a row with `user_id` and `account_key` is about. */
const ownAccount = {
  join: 'left join instagram_accounts a on a.user_id = c.user_id and a.account_key = c.account_key',
  account: 'a.id',
};

/** All customers of the account of the network that a row is about. */
const everyCustomer = { join: 'join instagram_accounts a on a.account_key = c.account_key', user: 'a.user_id', account: 'a.id' };

/** What customers see of each table. Columns that only the service reads, such as fencing tokens and signs of life, announce nothing. */
export const announcedTables: readonly AnnouncedTable[] = [
  {
    table: 'automations',
    shows: ['automations'],
    automation: 'c.id',
    ...ownAccount,
    columns: {
      key: ['id'],
      // `revision` stands for name, type and configuration.
      seen: [
        ...[
          'revision',
          'is_draft',
          'is_active',
          'last_run_at',
          'next_run_at',
          'last_run',
          'run_kind',
          'account_key',
          'hold_code',
          'hold_reason',
        ],
        ...['pause_cause', 'pause_reason', 'pause_until', 'completed_at', 'completed_reason'],
      ],
    },
  },
  {
    table: 'runs',
    shows: ['automation_runs', 'automations'],
    automation: 'c.automation_id',
    ...ownAccount,
    columns: {
      key: ['id'],
      seen: ['state', 'outcome', 'reason', 'started_at', 'finished_at', 'tried', 'confirmed', 'skipped', 'pages'],
    },
  },
  { table: 'run_diary', shows: ['run_diary'], automation: 'c.automation_id' },
  {
    table: 'extraction_progress',
    shows: ['automations'],
    automation: 'c.automation_id',
    join: 'join automations t on t.id = c.automation_id',
    user: 't.user_id',
    columns: { key: ['automation_id'], seen: ['collected', 'profile_total'] },
  },
  // The ledger counts for every customer of the account; the automation is the one customer's who acted.
  {
    table: 'account_actions',
    shows: ['account_usage', 'follow_backs'],
    ...everyCustomer,
    automation: 'case when c.user_id = a.user_id then c.automation_id end',
    columns: { key: ['id'], seen: ['state', 'reserved_at', 'settled_at', 'seen_again_at', 'follows_back'] },
  },
  { table: 'account_pages', shows: ['account_usage'], ...everyCustomer },
  {
    table: 'network_accounts',
    shows: ['instagram_accounts', 'account_usage'],
    ...everyCustomer,
    columns: { key: ['account_key'], seen: ['username', 'first_seen_at', 'last_block_at', 'paused_cause', 'paused_since', 'paused_until'] },
  },
  {
    table: 'instagram_accounts',
    shows: ['instagram_accounts', 'account_usage', 'automations'],
    account: 'c.id',
    columns: {
      key: ['id'],
      seen: ['paused_until', 'quiet_from', 'quiet_to', 'keep_list', 'stop_cause', 'stopped_at', 'resolved_at', 'proven_at'],
    },
  },
  {
    table: 'instagram_sessions',
    shows: ['instagram_sessions', 'instagram_accounts', 'automations'],
    ...ownAccount,
    columns: {
      key: ['id'],
      seen: [
        ...['session_id', 'username', 'is_active', 'account_key', 'network_user_id', 'ended_at', 'ended_cause', 'held_cause'],
        ...['check_state', 'check_reason', 'checked_at', 'check_again_at', 'seen_good_at'],
      ],
    },
  },
  { table: 'account_growth', shows: ['account_growth'], account: 'c.instagram_account_id' },
  { table: 'blog_automations', shows: ['blog_automations'] },
  {
    table: 'entitlements',
    shows: ['get_available_slots'],
    columns: { key: ['user_id'], seen: ['max_slots', 'slots_sequence'] },
  },
  // Reasons and days are shown in the customer's time zone.
  {
    table: 'customers',
    shows: ['instagram_accounts', 'automations'],
    columns: { key: ['user_id'], seen: ['time_zone'] },
  },
];

/** Lets the database announce to customers' open pages what they see change. */
export class AnnounceChanges1764810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of announceChanges(customerChanged, announcedTables)) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(announcedTables.map(({ table }) => table))) await query.query(statement);
  }
}
