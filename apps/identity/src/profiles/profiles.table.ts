import { containsSession, maxLengths, misplacedSessionText, quotaTexts } from '@decola/contracts';
import type { Outbox } from '@decola/messaging';
import type { Clock } from '@decola/service-kit';
import { defineTable, RestError, type Row, sql, type TableDefinition } from '@decola/table-api';
import { userById } from '../users/user-store.js';
import { publishUserUpdated } from '../users/user-updates.js';
import { readNotices } from './notices.js';
import { subscriptionPlansTable } from './subscription-plans.table.js';
import { readLocale, readTimeZone } from './time-zone-and-locale.js';

/** Columns whose changes are published as `user.updated`. */
const published = ['full_name', 'time_zone', 'locale'] as const;
/** Columns that customers may change. */
const writable = [...published, 'time_zone_chosen', 'notices'] as const;

/** One row per person, created at sign-up. */
export function profilesTable(outbox: Outbox, clock: Clock): TableDefinition {
  return defineTable({
    name: 'profiles',
    primaryKey: 'user_id',
    columns: {
      user_id: { type: 'uuid' },
      full_name: { type: 'text', maxLength: maxLengths.name, tooLongMessage: quotaTexts.name },
      time_zone: { type: 'text' },
      time_zone_chosen: { type: 'boolean' },
      locale: { type: 'text' },
      notices: { type: 'jsonb' },
      subscription_status: { type: 'text' },
      subscription_end: { type: 'timestamptz' },
      last_subscription_check: { type: 'timestamptz' },
      current_plan_id: { type: 'uuid' },
      created_at: { type: 'timestamptz' },
      updated_at: { type: 'timestamptz' },
    },
    relations: {
      subscription_plans: {
        table: () => subscriptionPlansTable,
        column: 'current_plan_id',
        references: 'id',
        kind: 'one',
        key: 'profiles_current_plan_id_fkey',
      },
    },
    rules: (caller) => {
      if (caller.role !== 'authenticated') return {};
      const own = sql`t.user_id = ${caller.userId}`;
      // An update locks the row in `users` first, like everything that changes a person. `user.updated` carries name and e-mail together:
      // without the lock, a simultaneous change of the e-mail would publish the old name, and this one the old e-mail.
      const ownAndLocked = sql`t.user_id = (select u.id from users u where u.id = ${caller.userId} for no key update)`;
      return { select: { where: own }, update: { where: ownAndLocked, check: own, columns: writable } };
    },
    hooks: {
      beforeUpdate: (_context, before, patch): Row => {
        if (containsSession(patch)) throw new RestError(400, 'P0001', misplacedSessionText);
        return {
          ...patch,
          ...(typeof patch['time_zone'] === 'string' ? { time_zone: readTimeZone(patch['time_zone']) } : {}),
          ...(typeof patch['locale'] === 'string' ? { locale: readLocale(patch['locale']) } : {}),
          ...('notices' in patch ? { notices: readNotices(before['notices'], patch['notices']) } : {}),
          updated_at: clock.now().toISOString(),
        };
      },
      afterUpdate: async ({ manager }, before, after) => {
        if (published.every((column) => before[column] === after[column])) return;
        const user = await userById(manager, String(after['user_id']));
        if (user) await publishUserUpdated(manager, outbox, user, clock.now());
      },
    },
  });
}
