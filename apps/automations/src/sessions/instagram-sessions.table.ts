import { type Caller, Clock } from '@decola/service-kit';
import { defineTable, ownRows, raw, refusedFor, requireOwn, type Row, type TableDefinition, type TableRules } from '@decola/table-api';
import type { EntityManager } from 'typeorm';
import type { AccountStops } from '../accounts/account-stops.service.js';
import { refuseSessionsIn } from '../accounts/misplaced-sessions.js';
import { requireNotErased } from '../customers/erased-customers.js';
import { sessionRefusals } from '../texts/texts.js';
import type { SessionVault } from './session-vault.service.js';

/** Bytes. The export of a browser also contains the cookies of other sites. */
const longestCookies = 256 * 1024;

const writable = ['user_id', 'session_id', 'cookies', 'username', 'is_active'];

function rules(caller: Caller): TableRules {
  const own = ownRows(caller, writable);
  return own.select ? { ...own, select: { ...own.select, overrides: { cookies: raw('null::jsonb') } } } : own;
}

/**
 * Sessions of the network. `cookies` is write-only: it is sealed in the same transaction, and the column itself stays null.
 */
export function instagramSessionsTable(vault: SessionVault, stops: AccountStops, clock: Clock): TableDefinition {
  /** By transaction: the parsed session, from the hook before the write to the one after it, which knows the row's id. */
  const pending = new WeakMap<EntityManager, ReturnType<SessionVault['parse']>>();

  /** Transactions of requests that switch sessions off. */
  const switchedOff = new WeakSet<EntityManager>();

  const parseCookies = (manager: EntityManager, row: Row): Row => {
    const { cookies, ...rest } = row;
    const parsed = vault.parse(cookies ?? '', clock.now());
    if (!parsed.ok) throw refusedFor(parsed.message);
    pending.set(manager, parsed);
    return rest;
  };
  const seal = async (manager: EntityManager, row: Row): Promise<void> => {
    const parsed = pending.get(manager);
    pending.delete(manager);
    if (!parsed?.ok) return;
    const userId = row['user_id'] as string;
    const stored = await vault.store(manager, userId, parsed, clock.now(), row['id'] as string);
    if (!stored.isHeld) await stops.resumeAfterSession(manager, userId, stored.accountKey, clock.now());
  };

  return defineTable({
    name: 'instagram_sessions',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      session_id: { type: 'text', maxLength: longestCookies },
      cookies: { type: 'jsonb', maxLength: longestCookies },
      network_user_id: { type: 'text' },
      username: { type: 'text' },
      is_active: { type: 'boolean' },
      created_at: { type: 'timestamptz' },
      ended_at: { type: 'timestamptz' },
      ended_cause: { type: 'text' },
      check_state: { type: 'text' },
      check_reason: { type: 'text' },
      checked_at: { type: 'timestamptz' },
    },
    rules,
    hooks: {
      beforeInsert: async ({ manager, caller }, row) => {
        requireOwn(caller, row, 'instagram_sessions');
        refuseSessionsIn(row['session_id'], row['username']);
        await requireNotErased(manager, caller.userId);
        // `seal` activates the row. The username comes from the network, not from the client.
        const { username: _username, is_active: _isActive, session_id: sessionId, ...rest } = parseCookies(manager, row);
        return { ...rest, is_active: false, ...(sessionId ? { session_id: sessionId } : {}) };
      },
      afterInsert: ({ manager }, row) => seal(manager, row),
      beforeUpdate: ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'instagram_sessions');
        refuseSessionsIn(patch['session_id'], patch['username']);
        const { username: _username, ...rest } = patch['cookies'] ? parseCookies(manager, patch) : withoutCookies(patch);
        // A session that ended or was replaced is no longer stored, so it cannot be switched on.
        if (rest['is_active'] === true && !before['is_active'] && !pending.has(manager)) throw refusedFor(sessionRefusals.missing);
        if (rest['is_active'] === false) switchedOff.add(manager);
        // Cookies alone change no column; without a column to change the update would stop before `afterUpdate`.
        return pending.has(manager) ? { ...rest, user_id: rest['user_id'] ?? before['user_id'] } : rest;
      },
      afterUpdate: async ({ manager }, before, after) => {
        await seal(manager, after);
        // Switching a session off deletes it, also one that was kept after it ended.
        if (after['is_active'] === false && (before['is_active'] === true || switchedOff.delete(manager)))
          await manager.query(
            `update instagram_sessions set envelope = null, envelope_until = null, held_cause = null, check_again_at = null,
               ended_at = coalesce(ended_at, $2::timestamptz) where id = $1 and not is_active`,
            [after['id'], clock.now()],
          );
      },
    },
  });
}

function withoutCookies(patch: Row): Row {
  const { cookies: _cookies, ...rest } = patch;
  return rest;
}
