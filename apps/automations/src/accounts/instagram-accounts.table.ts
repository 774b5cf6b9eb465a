import { type Caller, Clock } from '@decola/service-kit';
import { defineTable, raw, sql, type TableDefinition } from '@decola/table-api';
import { perform } from '../automation-state/perform.js';
import type { HoldCode } from '../automation-state/state.js';
import { timeZoneOfRow } from '../customers/customer-settings.js';
import type { CeilingTable } from '../safety/ceilings.js';
import { recordCustomersPause } from './account-pause-history.js';
import {
  accountName,
  checkState,
  nextCheckAt,
  pauseColumns,
  revivedAutomations,
  sessionCheckedAt,
  warmUpColumns,
} from './account-state.js';
import { settingsToStore } from './instagram-accounts.hooks.js';
import { storeKeepList } from '../keep-list/keep-list.js';

/** What customers may write; the service writes the rest. */
const writable = ['paused_until', 'keep_list', 'quiet_from', 'quiet_to', 'resolved_at'];

/** Bytes; room for `mostKept` names. */
const longestKeepList = 512 * 1024;

/**
 * A customer's accounts of the network: what keeps each from running, and its settings. A row is inserted with the first session of the
 * account. Another customer of the same account has a row of their own.
 */
export function instagramAccountsTable(ceilings: CeilingTable, clock: Clock): TableDefinition {
  const rules = (caller: Caller) => {
    if (caller.role !== 'authenticated') return {};
    const own = sql`t.user_id = ${caller.userId}`;
    return {
      select: { where: own, overrides: { ...pauseColumns(clock.now()), ...warmUpColumns(ceilings, clock.now()) } },
      update: { where: own, check: own, columns: writable },
    };
  };
  return defineTable({
    name: 'instagram_accounts',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      network_user_id: { type: 'text' },
      username: { type: 'text', expression: raw(accountName) },
      state: { type: 'text', expression: raw('null::text') },
      check_state: { type: 'text', expression: raw(checkState) },
      next_check_at: { type: 'timestamptz', expression: raw(nextCheckAt) },
      paused_until: { type: 'timestamptz' },
      pause_cause: { type: 'text', expression: raw('null::text') },
      pause_reason: { type: 'text', expression: raw('null::text') },
      resolved_at: { type: 'timestamptz' },
      quiet_from: { type: 'text' },
      quiet_to: { type: 'text' },
      time_zone: { type: 'text', expression: raw(timeZoneOfRow) },
      keep_list: { type: 'text[]', maxLength: longestKeepList },
      revives: { type: 'jsonb', expression: raw(revivedAutomations) },
      warmup_day: { type: 'integer', expression: raw('null::integer') },
      warmup_days: { type: 'integer', expression: raw('null::integer') },
      session_checked_at: { type: 'timestamptz', expression: raw(sessionCheckedAt) },
      halved_until: { type: 'timestamptz', expression: raw('null::timestamptz') },
      created_at: { type: 'timestamptz' },
    },
    rules,
    hooks: {
      beforeUpdate: ({ manager }, before, patch) => settingsToStore(manager, before, patch, clock.now()),
      afterUpdate: async ({ manager }, before, after) => {
        const of = { userId: after['user_id'] as string, accountKey: after['account_key'] as string };
        const isChanged = (column: string) => String(before[column]) !== String(after[column]);
        if (isChanged('keep_list')) await storeKeepList(manager, of, after['keep_list'] as string[]);
        if (isChanged('paused_until')) await recordCustomersPause(manager, of, after['paused_until'] as Date | null, clock.now());
        const outdated: HoldCode[] = [];
        if (isChanged('quiet_from') || isChanged('quiet_to')) outdated.push('quiet_hours');
        if (isChanged('paused_until')) outdated.push('customer_pause');
        await perform(manager, 'due', { ...of, holdCodes: outdated }, { now: clock.now() });
      },
    },
  });
}
