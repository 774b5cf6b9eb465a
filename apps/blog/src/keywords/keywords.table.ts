import { maxLengths, quotas, quotaTexts } from '@decola/contracts';
import { defineTable, ownRows, refusedFor, sql } from '@decola/table-api';
import { refuseErased, refuseSessions } from '../customers/customers.hooks.js';
import { refusals } from '../texts/texts.js';

/** Keywords that a customer saves for future articles; each at most once. */
export const keywordsTable = defineTable({
  name: 'user_keywords',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    keyword: { type: 'text', maxLength: maxLengths.keyword, tooLongMessage: quotaTexts.keyword },
    created_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, ['user_id', 'keyword'], ['select', 'insert', 'delete']),
  quota: (caller) =>
    caller.role === 'authenticated'
      ? { rows: sql`t.user_id = ${caller.userId}`, maxRows: quotas.keywords, refusal: quotaTexts.keywords }
      : undefined,
  hooks: {
    beforeInsert: async (context, row) => {
      refuseSessions(row);
      await refuseErased(context);
      if (typeof row['keyword'] !== 'string') return row;
      const keyword = row['keyword'].trim();
      if (keyword === '') throw refusedFor(refusals.keywordMissing);
      return { ...row, keyword };
    },
  },
});
