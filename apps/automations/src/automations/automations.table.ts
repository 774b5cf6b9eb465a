import { maxLengths, quotas, quotaTexts } from '@decola/contracts';
import { defineTable, ownRows, raw, requireOwn, type Row, sql, type TableDefinition } from '@decola/table-api';
import { sessionProgress } from '../accounts/account-state.js';
import { isIn } from '../automation-state/state.js';
import { requireNotErased } from '../customers/erased-customers.js';
import { sessionCauses } from '../safety/stops.js';
import { literal } from '../texts/sentence-sql.js';
import { statusTexts } from '../texts/texts.js';
import { needsNoRuns } from '../tools/registry.js';
import type { AutomationRow, AutomationHooks } from './automations.hooks.js';

const session = `from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and s.is_active`;

const account = `(select c.id from instagram_accounts c where c.user_id = t.user_id and c.account_key = t.account_key)`;

/** A finished extraction has nothing left to do, on or off; but what the plan switched off has to say so. */
const isFinished = isIn('completed', 'completed_off', 'completed_paused');
const isOff = isIn('off', 'over_plan', 'completed_over_plan');

/** State of an automation, in one word. */
const status = `case
  when ${isIn('draft')} then 'draft'
  when ${isFinished} then 'done'
  when ${isIn('paused')} then 'blocked'
  when ${isOff} then 'paused'
  when exists (select 1 from runs r where r.automation_id = t.id and r.state in ('queued', 'running')) then 'running'
  when t.hold_code in ('account_paused', 'action_paused') then 'blocked'
  when t.hold_code = 'customer_pause' then 'paused'
  else 'waiting' end`;

const statusReason = `case
  when ${isIn('draft')} then null
  when ${isFinished} then t.completed_reason
  when ${isIn('paused')} and t.pause_cause in (${sessionCauses.map(literal).join(', ')}) then coalesce(${sessionProgress}, t.pause_reason)
  when ${isIn('paused')} or ${isOff} then t.pause_reason
  when t.run_kind is null and not ${needsNoRuns} then ${literal(statusTexts.notInOperation)}
  else t.hold_reason end`;

const progress = `(select jsonb_build_object('collected', p.collected, 'profile_total', p.profile_total)
  from extraction_progress p where p.automation_id = t.id)`;

/** What clients may write; the service writes the rest. */
const writable = ['user_id', 'name', 'type', 'configuration', 'is_draft', 'is_active'];

export function automationsTable(automations: AutomationHooks): TableDefinition {
  const typed = (row: Row) => row as unknown as AutomationRow;
  return defineTable({
    name: 'automations',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      name: { type: 'text', maxLength: maxLengths.name, tooLongMessage: quotaTexts.name },
      type: { type: 'text' },
      configuration: { type: 'jsonb', maxLength: maxLengths.configurationBytes, tooLongMessage: quotaTexts.configuration },
      is_draft: { type: 'boolean' },
      is_active: { type: 'boolean' },
      last_run_at: { type: 'timestamptz' },
      next_run_at: { type: 'timestamptz' },
      created_at: { type: 'timestamptz' },
      updated_at: { type: 'timestamptz' },
      status: { type: 'text', expression: raw(status) },
      status_reason: { type: 'text', expression: raw(statusReason) },
      last_run: { type: 'jsonb' },
      progress: { type: 'jsonb', expression: raw(progress) },
      session_stored: { type: 'boolean', expression: raw(`exists (select 1 ${session})`) },
      session_account: { type: 'text', expression: raw(`(select s.username ${session})`) },
      instagram_account_id: { type: 'uuid', expression: raw(account) },
      pause_cause: { type: 'text', expression: raw('case when not t.is_active then t.pause_cause end') },
    },
    // Visitors of a public wheel read nothing here: prize-wheel has a copy and compares the token itself.
    rules: (caller) => ownRows(caller, writable),
    // Published automations are limited by slots.
    quota: (caller) =>
      caller.role === 'authenticated'
        ? { rows: sql`t.user_id = ${caller.userId} and t.is_draft`, maxRows: quotas.drafts, refusal: quotaTexts.drafts }
        : undefined,
    hooks: {
      beforeInsert: async ({ manager, caller }, row) => {
        requireOwn(caller, row, 'automations');
        await requireNotErased(manager, caller.userId);
        return { ...(await automations.beforeInsert(manager, typed(row))) };
      },
      afterInsert: ({ manager }, row) => automations.afterInsert(manager, typed(row)),
      beforeUpdate: async ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'automations');
        return { ...(await automations.beforeUpdate(manager, typed(before), typed(patch))) };
      },
      afterUpdate: ({ manager }, before, after) => automations.afterUpdate(manager, typed(before), typed(after)),
      afterDelete: ({ manager }, row) => automations.afterDelete(manager, typed(row)),
    },
  });
}
