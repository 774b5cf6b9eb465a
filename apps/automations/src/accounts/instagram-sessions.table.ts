import { type Caller, Clock } from '@decola/service-kit';
import { defineTable, raw, type Row, type TableDefinition, type TableRules } from '@decola/table-api';
import type { EntityManager } from 'typeorm';
import { refusal } from '../automations/automation-rules.js';
import { ownRows, requireOwn } from '../automations/automations.table.js';
import { requireNotErased } from '../entitlements/erasure.js';
import type { AccountPauses } from './account-pauses.js';
import type { SessionVault } from './session-vault.js';

const writable = ['user_id', 'session_id', 'cookies', 'username', 'is_active'];

function rules(caller: Caller): TableRules {
  const own = ownRows(caller, writable);
  return own.select ? { ...own, select: { ...own.select, overrides: { cookies: raw('null::jsonb') } } } : own;
}

/**
 * Sessions of the network. `cookies` is write-only: what is sent is sealed in the same transaction, and the column stays empty.
 */
export function instagramSessionsTable(vault: SessionVault, pauses: AccountPauses, clock: Clock): TableDefinition {
  /** A session on its way from the check to its row, within one transaction. */
  const pending = new WeakMap<EntityManager, ReturnType<SessionVault['read']>>();

  const take = (manager: EntityManager, row: Row): Row => {
    const { cookies, ...rest } = row;
    const parsed = vault.read(cookies ?? '', clock.now());
    if (!parsed.ok) throw refusal(parsed.message);
    pending.set(manager, parsed);
    return rest;
  };
  const seal = async (manager: EntityManager, row: Row): Promise<void> => {
    const parsed = pending.get(manager);
    pending.delete(manager);
    if (!parsed?.ok) return;
    const userId = row['user_id'] as string;
    const stored = await vault.store(manager, userId, parsed, clock.now(), row['id'] as string);
    await pauses.resumeAfterSession(manager, userId, stored.accountKey, clock.now());
  };

  return defineTable({
    name: 'instagram_sessions',
    primaryKey: 'id',
    columns: {
      id: { type: 'uuid' },
      user_id: { type: 'uuid' },
      session_id: { type: 'text' },
      cookies: { type: 'jsonb' },
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
        await requireNotErased(manager, caller.userId);
        // The row wakes up with its seal; a username is learnt from the network, not believed.
        const { username: _username, is_active: _isActive, session_id: sessionId, ...rest } = take(manager, row);
        return { ...rest, is_active: false, ...(sessionId ? { session_id: sessionId } : {}) };
      },
      afterInsert: ({ manager }, row) => seal(manager, row),
      beforeUpdate: ({ manager, caller }, before, patch) => {
        if ('user_id' in patch) requireOwn(caller, patch, 'instagram_sessions');
        const { username: _username, ...rest } = patch['cookies'] ? take(manager, patch) : withoutCookies(patch);
        // A session that ended or was replaced holds nothing to switch on again.
        if (rest['is_active'] === true && !before['is_active'] && !pending.has(manager)) throw refusal('Cookie do Instagram é obrigatório');
        return rest;
      },
      afterUpdate: async ({ manager }, _before, after) => {
        await seal(manager, after);
        if (after['is_active'] === false)
          await manager.query(
            `update instagram_sessions set envelope = null, ended_at = coalesce(ended_at, $2::timestamptz) where id = $1 and not is_active`,
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
