import { defineTable, ownRows } from '@decola/table-api';

/** Roles of a person, such as `admin`. The owner reads them; only operators write them (`grant-role.command.ts`). */
export const userRolesTable = defineTable({
  name: 'user_roles',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' }, role: { type: 'text' }, created_at: { type: 'timestamptz' } },
  rules: (caller) => ownRows(caller, [], ['select']),
});
