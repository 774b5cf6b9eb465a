import { maxLengths, quotas, quotaTexts } from '@decola/contracts';
import { isAdminMaster } from '@decola/service-kit';
import { defineTable, ownRows, requireOwn, type Row, sql, type TableDefinition } from '@decola/table-api';
import { refuseSessionsIn } from '../accounts/misplaced-sessions.js';
import { requireNotErased } from '../customers/erased-customers.js';
import type { BlogAutomationRow, BlogAutomationHooks } from './blog-automations.hooks.js';

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
  'settings',
];

export function blogAutomationsTable(blog: BlogAutomationHooks): TableDefinition {
  const typed = (row: Row) => row as unknown as BlogAutomationRow;
  return defineTable({
    name: 'blog_automations',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      theme: { type: 'text', maxLength: maxLengths.theme, tooLongMessage: quotaTexts.theme },
      keyword: { type: 'text', maxLength: maxLengths.keyword, tooLongMessage: quotaTexts.keyword },
      webhook_url: { type: 'text', maxLength: maxLengths.address, tooLongMessage: quotaTexts.address },
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
      settings: { type: 'jsonb', maxLength: maxLengths.configurationBytes, tooLongMessage: quotaTexts.configuration },
      problem_code: { type: 'text' },
      problem_reason: { type: 'text' },
      is_draft: { type: 'boolean', expression: sql`(t.published_at is null)` },
    },
    rules: (caller) => ownRows(caller, writable),
    // Active rows are limited by slots. The product's own blog is not limited.
    quota: (caller) =>
      caller.role === 'authenticated'
        ? {
            rows: sql`t.user_id = ${caller.userId} and not t.is_active and t.origin = 'customer'`,
            maxRows: quotas.blogDrafts,
            refusal: quotaTexts.blogDrafts,
          }
        : undefined,
    hooks: {
      beforeInsert: async ({ manager, caller }, row) => {
        requireOwn(caller, row, 'blog_automations');
        refuseSessionsIn(row);
        await requireNotErased(manager, caller.userId);
        return { ...(await blog.beforeInsert(manager, withDefaults(row), isAdminMaster(caller))) };
      },
      afterInsert: ({ manager, caller }, row) => blog.afterInsert(manager, typed(row), isAdminMaster(caller)),
      beforeUpdate: async ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'blog_automations');
        refuseSessionsIn(patch);
        return { ...(await blog.beforeUpdate(manager, typed(before), withDefaults(patch), isAdminMaster(caller))) };
      },
      afterUpdate: ({ manager }, before, after) => blog.afterUpdate(manager, typed(before), typed(after)),
      afterDelete: ({ manager }, row) => blog.afterDelete(manager, typed(row)),
    },
  });
}

/** Drops timestamps that only the server writes, and nulls that an insert of several rows puts in place of absent columns with a default. */
function withDefaults(row: Row): Partial<BlogAutomationRow> {
  const { last_generated_at: _last, updated_at: _updated, ...rest } = row;
  const defaulted = new Set(['is_active', 'schedule_type', 'schedule_time', 'settings']);
  return Object.fromEntries(Object.entries(rest).filter(([key, value]) => value !== null || !defaulted.has(key)));
}
