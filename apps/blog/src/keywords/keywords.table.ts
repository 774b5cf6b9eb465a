import type { Caller } from '@decola/service-kit';
import { defineTable, sql } from '@decola/table-api';
import { refuseErased } from '../schedule/erased-users.js';

/** Keywords that a customer keeps for articles to come; each at most once. */
export const keywordsTable = defineTable({
  name: 'user_keywords',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' }, keyword: { type: 'text' }, created_at: { type: 'timestamptz' } },
  rules: (caller: Caller) => {
    if (caller.role !== 'authenticated') return {};
    const own = sql`t.user_id = ${caller.userId}`;
    return { select: { where: own }, insert: { check: own, columns: ['user_id', 'keyword'] }, delete: { where: own } };
  },
  hooks: { beforeInsert: refuseErased },
});
