import type { customerChanged, EventDefinition } from '@decola/contracts';

/** A table whose changes customers see. Expressions are SQL over a row `c` of it, and over what `join` adds. */
export interface AnnouncedTable {
  table: string;
  /** REST tables and functions that show its rows. */
  shows: readonly string[];
  /** The customer; rows for whom it is null are announced to nobody. Default: `c.user_id`. */
  user?: string;
  /** Id of the automation that a row is about. Default: none. */
  automation?: string;
  /** Id of the Instagram account that a row is about. Default: none. */
  account?: string;
  /** Added to `from <table> c`, for rows that are about several customers. */
  join?: string;
  /**
   * An update is announced only when one of these columns changed. Default: every update, also one that changes nothing.
   * Also name the columns of the `key`, by which old and new rows are matched.
   */
  columns?: { key: readonly string[]; seen: readonly string[] };
}

/** The one value that all rows have; null when they have several, or one has none. */
const only = (value: string | undefined) =>
  value === undefined
    ? 'null::uuid'
    : `case when min(${value}::text) = max(${value}::text) and count(${value}) = count(*) then min(${value}::text)::uuid end`;

/**
 * A trigger's function, which puts the changed rows into the outbox: one message for each customer, all in one statement. Further changes of a customer in the
 * same transaction are added to the same message.
 */
function announceRows(
  { type, version }: EventDefinition,
  name: string,
  changed: string,
  { shows, user = 'c.user_id', automation, account, join = '' }: AnnouncedTable,
): string {
  const tables = `'${JSON.stringify(shows)}'::jsonb`;
  return `create or replace function ${name}() returns trigger language plpgsql as $$ begin
      insert into outbox as o (id, kind, type, version, subject, payload)
      select md5(concat_ws(' ', current_schema(), pg_current_xact_id(), now(), g.whose))::uuid, 'event', '${type}', ${version}, g.whose::text,
        jsonb_build_object('userId', g.whose, 'tables', ${tables}, 'automationId', g.automation, 'accountId', g.account)
      from (select ${user} as whose, ${only(automation)} as automation, ${only(account)} as account
        from ${changed} c ${join} where ${user} is not null group by 1) g
      on conflict (id) do update set payload = jsonb_build_object(
        'userId', o.payload -> 'userId',
        'tables', (select jsonb_agg(t order by t)
          from (select jsonb_array_elements_text(o.payload -> 'tables') union select jsonb_array_elements_text(${tables})) u (t)),
        'automationId', case when o.payload -> 'automationId' = excluded.payload -> 'automationId' then o.payload -> 'automationId' end,
        'accountId', case when o.payload -> 'accountId' = excluded.payload -> 'accountId' then o.payload -> 'accountId' end)
      where not (o.payload -> 'tables' @> ${tables}
        and o.payload -> 'automationId' in ('null', excluded.payload -> 'automationId')
        and o.payload -> 'accountId' in ('null', excluded.payload -> 'accountId'));
      return null;
    end $$`;
}

/** The trigger's function for inserted and deleted rows, and the one for updated rows where not every update is announced. */
function functionsOf(definition: EventDefinition, each: AnnouncedTable): string[] {
  const { table, columns } = each;
  const whole = announceRows(definition, `announce_${table}`, 'changed', each);
  if (columns === undefined) return [whole];
  const list = (prefix: string, names: readonly string[]) => `(${names.map((name) => `${prefix}.${name}`).join(', ')})`;
  const different = `(select n.* from new_rows n join old_rows o on ${list('n', columns.key)} = ${list('o', columns.key)}
    where ${list('n', columns.seen)} is distinct from ${list('o', columns.seen)})`;
  return [whole, announceRows(definition, `announce_${table}_updated`, different, each)];
}

function triggersOf({ table, columns }: AnnouncedTable): string[] {
  const after = (verb: string, which: string, rowsOf: string) =>
    `create trigger announce_${verb} after ${verb} on ${table} referencing ${which} for each statement execute function ${rowsOf}()`;
  return [
    after('insert', 'new table as changed', `announce_${table}`),
    after('delete', 'old table as changed', `announce_${table}`),
    columns === undefined
      ? after('update', 'new table as changed', `announce_${table}`)
      : after('update', 'old table as old_rows new table as new_rows', `announce_${table}_updated`),
  ];
}

/**
 * SQL of a migration by which the database itself announces changes of these tables, in the transaction of the change, as one event per customer and
 * transaction. No code that writes can forget it (docs/decisions/0035-live-changes.md).
 */
export function announceChanges(definition: typeof customerChanged, tables: readonly AnnouncedTable[]): string[] {
  return tables.flatMap((each) => [...functionsOf(definition, each), ...triggersOf(each)]);
}

/** SQL of a migration that gives tables which are announced already the functions of this version. */
export function replaceAnnouncements(definition: typeof customerChanged, tables: readonly AnnouncedTable[]): string[] {
  return tables.flatMap((each) => functionsOf(definition, each));
}

/** SQL that takes `announceChanges` back for these tables. */
export function silenceChanges(tables: readonly string[]): string[] {
  return tables.flatMap((table) => [
    ...['insert', 'update', 'delete'].map((verb) => `drop trigger if exists announce_${verb} on ${table}`),
    `drop function if exists announce_${table}(), announce_${table}_updated()`,
  ]);
}
