import { randomBytes } from 'node:crypto';
import type { Caller } from '@decola/service-kit';
import { defineFunction, defineTable, RestError, sql } from '@decola/table-api';
import { refuseErased } from '../schedule/erased-users.js';

/** Tokens by which a customer's site knows that a delivery is ours; one of each type. */
export const tokensTable = defineTable({
  name: 'user_tokens',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    token: { type: 'text' },
    token_type: { type: 'text' },
    created_at: { type: 'timestamptz' },
  },
  rules: (caller: Caller) => {
    if (caller.role !== 'authenticated') return {};
    const own = sql`t.user_id = ${caller.userId}`;
    const columns = ['user_id', 'token', 'token_type'];
    return { select: { where: own }, insert: { check: own, columns }, update: { where: own, check: own, columns } };
  },
  hooks: { beforeInsert: refuseErased },
});

const tokenBytes = 32;

/** A fresh token for the page to store; it is nobody's until then. */
export const generateRandomToken = defineFunction({
  name: 'generate_random_token',
  arguments: {},
  returns: 'scalar',
  call: ({ caller }) => {
    if (caller.role !== 'authenticated') throw new RestError(401, '42501', 'permission denied for function generate_random_token');
    return Promise.resolve(randomBytes(tokenBytes).toString('base64url'));
  },
});
