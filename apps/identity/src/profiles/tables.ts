import type { Caller } from '@decola/service-kit';
import { defineTable, sql } from '@decola/table-api';

const own = (caller: Caller) => (caller.role === 'authenticated' ? sql`t.user_id = ${caller.userId}` : sql`false`);

/** The copy that profiles join with; billing serves the catalogue itself. */
const plansTable = defineTable({
  name: 'subscription_plans',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, key: { type: 'text' }, name: { type: 'text' }, max_slots: { type: 'integer' } },
  rules: () => ({ select: { where: sql`true` } }),
});

/** One row per person, made at sign-up. People write their name and nothing else. */
export const profilesTable = defineTable({
  name: 'profiles',
  primaryKey: 'user_id',
  columns: {
    user_id: { type: 'uuid' },
    full_name: { type: 'text' },
    subscription_status: { type: 'text' },
    subscription_end: { type: 'timestamptz' },
    last_subscription_check: { type: 'timestamptz' },
    current_plan_id: { type: 'uuid' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  relations: {
    subscription_plans: {
      table: () => plansTable,
      column: 'current_plan_id',
      references: 'id',
      kind: 'one',
      key: 'profiles_current_plan_id_fkey',
    },
  },
  rules: (caller) =>
    caller.role === 'anon'
      ? {}
      : { select: { where: own(caller) }, update: { where: own(caller), check: own(caller), columns: ['full_name'] } },
});

/** Roles are given by operators alone. */
export const userRolesTable = defineTable({
  name: 'user_roles',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' }, role: { type: 'text' }, created_at: { type: 'timestamptz' } },
  rules: (caller) => (caller.role === 'anon' ? {} : { select: { where: own(caller) } }),
});
