import { randomUUID } from 'node:crypto';
import { quotas, quotaTexts } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { defineTable, ownRows, refusedFor, type Row, sql, type TableDefinition } from '@decola/table-api';
import { refuseErased, refuseSessions } from '../customers/customers.hooks.js';
import { refusals } from '../texts/texts.js';
import type { TokenSeals } from './token-seals.js';

function requireToken(row: Row): void {
  if (row['token'] === '') throw refusedFor(refusals.tokenMissing);
}

/** How long a replaced token signs along at most. */
const previousMs = 7 * 24 * 60 * 60 * 1000;

interface StoredToken {
  user_id: string;
  token: string;
  previous_sealed: string | null;
  previous_until: Date | string | null;
}

/** What changes with another token: it gets a new fingerprint, and the one that the sites have signs along for a while. */
function replacement(seals: TokenSeals, before: StoredToken, token: unknown): Row {
  if (typeof token !== 'string' || token === seals.decode(before.token, before.user_id)) return {};
  const now = new Date();
  // Of two replacements in a row it is still the token before both that the sites have.
  const stillSigns = before.previous_sealed !== null && before.previous_until !== null && new Date(before.previous_until) > now;
  return {
    fingerprint: randomUUID(),
    previous_sealed: stillSigns ? before.previous_sealed : before.token,
    previous_until: new Date(now.getTime() + previousMs).toISOString(),
  };
}

/** An upsert replaces the row of the same customer and type. It may write only what clients may, so the rest is written before it. */
async function noteReplacement(db: Database, seals: TokenSeals, { user_id, token_type, token }: Row): Promise<void> {
  const before = await rowOf<StoredToken & { id: string }>(
    db,
    'select id, user_id, token, previous_sealed, previous_until from user_tokens where user_id = $1 and token_type = $2 for update',
    [user_id, token_type],
  );
  const change = before && replacement(seals, before, token);
  if (!change || !('fingerprint' in change)) return;
  await db.query('update user_tokens set fingerprint = $2, previous_sealed = $3, previous_until = $4 where id = $1', [
    ...[before.id, change['fingerprint'], change['previous_sealed'], change['previous_until']],
  ]);
}

/** Tokens by which a customer's site recognises our deliveries; one of each type. They are stored sealed. */
export const tokensTable = (seals: TokenSeals): TableDefinition =>
  defineTable({
    name: 'user_tokens',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      token: { type: 'text', maxLength: 1_000, codec: seals },
      token_type: { type: 'text', maxLength: 50 },
      // Until then the token before signs along; null when there is none.
      previous_until: { type: 'timestamptz' },
      created_at: { type: 'timestamptz' },
    },
    internal: { previous_sealed: 'text', fingerprint: 'text' },
    rules: (caller) => ownRows(caller, ['user_id', 'token', 'token_type'], ['select', 'insert', 'update']),
    quota: (caller) =>
      caller.role === 'authenticated'
        ? { rows: sql`t.user_id = ${caller.userId}`, maxRows: quotas.tokens, refusal: quotaTexts.tokens }
        : undefined,
    hooks: {
      beforeInsert: async (context, row) => {
        refuseSessions(row);
        requireToken(row);
        await refuseErased(context);
        await noteReplacement(context.manager, seals, row);
        return row;
      },
      beforeUpdate: (_, before, patch) => {
        refuseSessions(patch);
        requireToken(patch);
        return { ...patch, ...replacement(seals, before as unknown as StoredToken, patch['token']) };
      },
    },
  });
