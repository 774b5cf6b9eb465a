import { isAdminMaster } from '@decola/service-kit';
import { defineTable, refusedFor, sql } from '@decola/table-api';
import { topicRefusals } from '../texts/writing-texts.js';
import { editorialScope } from './topic-memory.service.js';

/** States that people move a topic between. A locked topic keeps its place and its title. */
const openStates: ReadonlySet<unknown> = new Set(['planned', 'locked', 'skipped']);
const isOpenState = (state: unknown) => openStates.has(state);
const writable = ['state', 'title', 'position'];

/** Topics of articles: planned, written and refused ones. People see their own, editors those of our own blog; planned ones can be renamed, moved and skipped. */
export const topicsTable = defineTable({
  name: 'topics',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    blog_automation_id: { type: 'uuid' },
    title: { type: 'text', maxLength: 300 },
    focus_keyword: { type: 'text' },
    cluster: { type: 'text' },
    intent: { type: 'text' },
    angle: { type: 'text' },
    why: { type: 'text' },
    state: { type: 'text' },
    reason: { type: 'text' },
    position: { type: 'bigint' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  rules: (caller) => {
    if (caller.role !== 'authenticated') return {};
    const where = isAdminMaster(caller)
      ? sql`(t.user_id = ${caller.userId} or t.user_id = ${editorialScope.userId})`
      : sql`t.user_id = ${caller.userId}`;
    return { select: { where }, update: { where, check: where, columns: writable } };
  },
  hooks: {
    beforeUpdate: (_, before, patch) => {
      if (!isOpenState(before['state']) || ('state' in patch && !isOpenState(patch['state']))) throw refusedFor(topicRefusals.settled);
      if ('title' in patch && (typeof patch['title'] !== 'string' || patch['title'].trim() === '')) throw refusedFor(topicRefusals.empty);
      return { ...patch, updated_at: new Date().toISOString() };
    },
  },
});
