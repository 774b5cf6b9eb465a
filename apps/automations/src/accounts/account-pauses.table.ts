import { stopClasses } from '@decola/contracts';
import { defineTable, ownRows, raw } from '@decola/table-api';
import { accountTexts } from '../texts/texts.js';
import { literal, sentenceSql } from '../texts/sentence-sql.js';
import { customerPause } from './account-pause-history.js';
import { pauseSentenceSql, written } from './account-state.js';

const reason = `case when t.cause = ${literal(customerPause)} then ${sentenceSql(accountTexts.pausedByCustomer, written('t.until'))}
  else ${pauseSentenceSql(stopClasses, 't.cause', 't.began_at', 't.until')} end`;

/** Pauses of a customer's accounts, also those that are over, read-only. */
export const accountPausesTable = defineTable({
  name: 'account_pauses',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    instagram_account_id: { type: 'uuid' },
    cause: { type: 'text' },
    part: { type: 'text' },
    reason: { type: 'text', expression: raw(reason) },
    began_at: { type: 'timestamptz' },
    until: { type: 'timestamptz' },
    resolved_at: { type: 'timestamptz' },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
