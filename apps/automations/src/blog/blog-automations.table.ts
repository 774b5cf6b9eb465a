import { isAdminMaster } from '@decola/service-kit';
import { defineTable, type Row, type TableDefinition } from '@decola/table-api';
import { ownRows, requireOwn } from '../automations/automations.table.js';
import { requireNotErased } from '../entitlements/erasure.js';
import type { BlogAutomationRow, BlogRules } from './blog-rules.js';

const writable = [
  'user_id',
  'theme',
  'keyword',
  'webhook_url',
  'schedule_type',
  'schedule_time',
  'schedule_day',
  'schedule_days',
  'categories',
  'next_generation_at',
  'is_active',
  'last_generated_at',
  'updated_at',
];

export function blogAutomationsTable(service: BlogRules): TableDefinition {
  const typed = (row: Row) => row as unknown as BlogAutomationRow;
  return defineTable({
    name: 'blog_automations',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      theme: { type: 'text' },
      keyword: { type: 'text' },
      webhook_url: { type: 'text' },
      schedule_type: { type: 'text' },
      schedule_time: { type: 'text' },
      schedule_day: { type: 'integer' },
      schedule_days: { type: 'int[]' },
      categories: { type: 'text' },
      next_generation_at: { type: 'timestamptz' },
      is_active: { type: 'boolean' },
      last_generated_at: { type: 'timestamptz' },
      created_at: { type: 'timestamptz' },
      updated_at: { type: 'timestamptz' },
      origin: { type: 'text' },
      pause_reason: { type: 'text' },
    },
    rules: (caller) => ownRows(caller, writable),
    hooks: {
      beforeInsert: async ({ manager, caller }, row) => {
        requireOwn(caller, row, 'blog_automations');
        await requireNotErased(manager, caller.userId);
        return { ...(await service.beforeInsert(manager, given(row), isAdminMaster(caller))) };
      },
      afterInsert: ({ manager, caller }, row) => service.afterInsert(manager, typed(row), isAdminMaster(caller)),
      beforeUpdate: async ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'blog_automations');
        return { ...(await service.beforeUpdate(manager, typed(before), given(patch))) };
      },
      afterUpdate: ({ manager }, before, after) => service.afterUpdate(manager, typed(before), typed(after)),
      afterDelete: ({ manager }, row) => service.afterDelete(manager, typed(row)),
    },
  });
}

/** Timestamps of the schedule are the server's; an array insert fills absent columns with null, which here means the default. */
function given(row: Row): Partial<BlogAutomationRow> {
  const { last_generated_at: _last, updated_at: _updated, ...rest } = row;
  const defaulted = new Set(['is_active', 'schedule_type', 'schedule_time']);
  return Object.fromEntries(Object.entries(rest).filter(([key, value]) => value !== null || !defaulted.has(key)));
}
