import type { AuthenticatedCaller, Caller } from '@decola/service-kit';
import { defineTable, raw, RestError, type Row, sql, type TableDefinition, type TableRules } from '@decola/table-api';
import { requireNotErased } from '../entitlements/erasure.js';
import type { AutomationRow, AutomationRules } from './automation-rules.js';

const session = `from instagram_sessions s where s.user_id = t.user_id and s.account_key = t.account_key and s.is_active`;

/** What the dashboard says of an automation, in one word. */
const status = `case
  when t.is_draft then 'draft'
  when not t.is_active and t.pause_cause is not null and t.pause_cause <> 'plan' then 'blocked'
  when not t.is_active then 'paused'
  when exists (select 1 from runs r where r.automation_id = t.id and r.state in ('queued', 'running')) then 'running'
  when t.completed_at is not null then 'done'
  when t.hold_code in ('account_paused', 'action_paused') then 'blocked'
  else 'waiting' end`;

const statusReason = `case
  when t.is_draft then null
  when not t.is_active then t.pause_reason
  when t.completed_at is not null then t.completed_reason
  when t.run_kind is null and t.type <> 'prize-extractor' then 'Esta ferramenta ainda não está em operação. A automação está salva e começa sozinha quando a ferramenta entrar no ar.'
  else t.hold_reason end`;

const progress = `(select jsonb_build_object('collected', p.collected, 'profile_total', p.profile_total, 'pass', p.pass, 'pages', p.next_page)
  from extraction_progress p where p.automation_id = t.id)`;

/** What clients may send; everything else is the server's. */
const writable = ['user_id', 'name', 'type', 'configuration', 'is_draft', 'is_active'];

/** Own rows, and nobody else's. @param writable columns that clients may send */
export function ownRows(caller: Caller, writable: string[]): TableRules {
  if (caller.role !== 'authenticated') return {};
  const own = sql`t.user_id = ${caller.userId}`;
  return {
    select: { where: own },
    insert: { check: own, columns: writable },
    update: { where: own, check: own, columns: writable },
    delete: { where: own },
  };
}

/** Refuses a row for somebody else before anything is looked up for them. */
export function requireOwn(caller: Caller, row: Row, table: string): asserts caller is AuthenticatedCaller {
  if (caller.role === 'authenticated' && row['user_id'] === caller.userId) return;
  throw new RestError(caller.role === 'anon' ? 401 : 403, '42501', `new row violates row-level security policy for table "${table}"`);
}

export function automationsTable(service: AutomationRules): TableDefinition {
  const typed = (row: Row) => row as unknown as AutomationRow;
  return defineTable({
    name: 'automations',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      name: { type: 'text' },
      type: { type: 'text' },
      configuration: { type: 'jsonb' },
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
    },
    // Whoever opens a public wheel asks prize-wheel, which compares the token itself.
    rules: (caller) => ownRows(caller, writable),
    hooks: {
      beforeInsert: async ({ manager, caller }, row) => {
        requireOwn(caller, row, 'automations');
        await requireNotErased(manager, caller.userId);
        return { ...(await service.beforeInsert(manager, typed(row))) };
      },
      afterInsert: ({ manager }, row) => service.afterInsert(manager, typed(row)),
      beforeUpdate: async ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'automations');
        return { ...(await service.beforeUpdate(manager, typed(before), typed(patch))) };
      },
      afterUpdate: ({ manager }, before, after) => service.afterUpdate(manager, typed(before), typed(after)),
      afterDelete: ({ manager }, row) => service.afterDelete(manager, typed(row)),
    },
  });
}
