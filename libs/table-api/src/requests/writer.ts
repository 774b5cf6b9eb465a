import type { Caller } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import {
  type ColumnType,
  ExistingRow,
  hasColumn,
  type HookContext,
  type Row,
  type TableDefinition,
  type WriteRule,
} from '../definition/definition.js';
import { badBody, noGrant, rowRefused, tooManyRows, unknownBodyColumn } from '../errors/errors.js';
import type { ParsedRequest } from '../grammar/request.js';
import type { Preferences } from '../grammar/preferences.js';
import { encoded, hasCodecs, requireComparable } from './codecs.js';
import { isReadable, writeErrorOf, requireOwnership, requireOwnershipAfter } from './ownership.js';
import { requireLengths, withinQuota } from './quota.js';
import { maxRows, ReadBuilder } from './read-builder.js';
import { run } from '../sql/run.js';
import { join, name, raw, type Sql, sql } from '../sql/sql.js';

/** Keys of the rows that a write inserted, updated or deleted, in order. */
export interface Written {
  keys: unknown[];
  inserted: number;
}

/** Executes the writes of one request, for one table and caller. */
export class Writer {
  private readonly isAnonymous: boolean;

  constructor(
    private readonly table: TableDefinition,
    private readonly manager: EntityManager,
    private readonly caller: Caller,
  ) {
    this.isAnonymous = caller.role === 'anon';
  }

  private get context(): HookContext {
    return { manager: this.manager, caller: this.caller };
  }

  private typeOf(column: string): ColumnType {
    const type = this.table.columns[column]?.type ?? this.table.internal?.[column];
    if (!type) throw new Error(`${this.table.name}: a hook wrote the unknown column ${column}`);
    return type;
  }

  /** @throws RestError for a key that is not a column (PGRST204) or may not be written (42501) */
  private requireWritable(columns: readonly string[], rule: WriteRule): void {
    for (const column of columns) if (!hasColumn(this.table, column)) throw unknownBodyColumn(this.table.name, column);
    const isWritable = (column: string) => this.table.columns[column]?.expression === undefined && (rule.columns?.includes(column) ?? true);
    if (!columns.every(isWritable)) throw noGrant(this.isAnonymous, this.table.name);
  }

  private bodyRows(body: unknown, columns: readonly string[] | undefined): { rows: Row[]; isArray: boolean } {
    const isArray = Array.isArray(body);
    const list: unknown[] = isArray ? body : [body];
    if (list.length > maxRows) throw badBody(`No more than ${maxRows} rows can be written at once`);
    if (!list.every((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row)))
      throw badBody('Empty or invalid json');
    if (columns)
      return { rows: list.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => columns.includes(key)))), isArray };
    const [first] = list;
    if (!first) return { rows: list, isArray };
    const keys = Object.keys(first);
    const unknown = keys.find((key) => !hasColumn(this.table, key));
    if (unknown !== undefined) throw unknownBodyColumn(this.table.name, unknown);
    const hasSameKeys = (row: Row) => Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key));
    if (!list.every(hasSameKeys)) throw badBody('All object keys must match');
    return { rows: list, isArray };
  }

  insert(request: ParsedRequest, body: unknown, preferences: Preferences): Promise<Written> {
    return withinQuota(this.manager, this.table, this.caller, () => this.insertAll(request, body, preferences));
  }

  private async insertAll(request: ParsedRequest, body: unknown, preferences: Preferences): Promise<Written> {
    const rules = this.table.rules(this.caller, request);
    const rule = rules.insert;
    if (!rule) throw noGrant(this.isAnonymous, this.table.name);
    const { rows, isArray } = this.bodyRows(body, request.columns);
    const columns = request.columns ?? Object.keys(rows[0] ?? {});
    this.requireWritable(columns, rule);
    if (rows.length === 0) return { keys: [], inserted: 0 };
    // Inserts of arrays set missing columns to null, unless the client asked for the column's default.
    const fillsNull = (isArray || request.columns !== undefined) && preferences.missing !== 'default';
    const written: Written = { keys: [], inserted: 0 };
    for (const row of rows) requireLengths(this.table, row);
    await requireOwnership(this.manager, this.table, rows, rule, this.caller);
    for (const row of rows) {
      const filled = fillsNull ? { ...Object.fromEntries(columns.map((column) => [column, null])), ...row } : row;
      const prepared = this.table.hooks?.beforeInsert
        ? ((await this.table.hooks.beforeInsert(this.context, await this.typed(filled))) ?? filled)
        : filled;
      if (prepared instanceof ExistingRow) {
        await this.requireCheck(prepared.key, rule);
        written.keys.push(prepared.key);
        written.inserted += 1;
        continue;
      }
      const result = await this.insertOne(await this.encoded(prepared), rule, rules.update, request, preferences);
      if (!result) continue; // ignore-duplicates
      written.keys.push(result[this.table.primaryKey]);
      if (result['__inserted'] === true) {
        written.inserted += 1;
        await this.table.hooks?.afterInsert?.(this.context, result);
      }
    }
    return written;
  }

  /** Checks an existing row, which is returned instead of an inserted one, by the same rule. */
  private async requireCheck(key: unknown, rule: WriteRule): Promise<void> {
    const [row] = await run<{ ok: boolean | null }>(
      this.manager,
      sql`select (${rule.check})::boolean as ok from ${name(this.table.relation)} t where t.${name(this.table.primaryKey)} = ${key}`,
    );
    if (row?.ok !== true) throw rowRefused(this.isAnonymous, this.table.name);
  }

  private async insertOne(
    row: Row,
    rule: WriteRule,
    updateRule: WriteRule | undefined,
    request: ParsedRequest,
    preferences: Preferences,
  ): Promise<Row | undefined> {
    const columns = Object.keys(row);
    const target = sql`insert into ${name(this.table.relation)} as t`;
    const body =
      columns.length === 0
        ? raw('default values')
        : sql`(${join(columns.map(name), ', ')}) select ${join(
            columns.map((column) => sql`x.${name(column)}`),
            ', ',
          )} from json_to_record(${JSON.stringify(row)}::json) as x(${this.recordShape(columns)})`;
    const conflict = this.conflict(columns, updateRule, request, preferences);
    const statement = sql`${target} ${body}${conflict} returning t.*, (${rule.check})::boolean as __ok, (t.xmax = 0) as __inserted${updateRule ? sql`, (${updateRule.check})::boolean as __updated_ok` : raw('')}`;
    const [result] = await this.runWrite(statement, row);
    if (!result) {
      const isHidden = preferences.resolution === 'ignore-duplicates' && !(await this.isOwnDuplicate(row, request));
      if (isHidden || preferences.resolution === 'merge-duplicates') throw rowRefused(this.isAnonymous, this.table.name, true);
      return undefined;
    }
    const allowed = result['__inserted'] === true ? result['__ok'] : result['__ok'] === true && result['__updated_ok'] === true;
    if (allowed !== true) throw rowRefused(this.isAnonymous, this.table.name);
    return result;
  }

  /** Runs a write. @throws the error of a violated constraint, as far as the caller may know it */
  private async runWrite(statement: Sql, row: Row): Promise<Row[]> {
    try {
      return await run<Row>(this.manager, statement);
    } catch (error) {
      throw writeErrorOf(error, row, this.table, this.caller);
    }
  }

  private isOwnDuplicate(row: Row, request: ParsedRequest): Promise<boolean> {
    return isReadable(this.manager, this.table, this.conflictKeys(request), row, this.caller);
  }

  private conflictKeys(request: ParsedRequest): readonly string[] {
    return request.onConflict && request.onConflict.length > 0 ? request.onConflict : [this.table.primaryKey];
  }

  private conflict(columns: readonly string[], updateRule: WriteRule | undefined, request: ParsedRequest, preferences: Preferences): Sql {
    if (!preferences.resolution) return raw('');
    const keys = this.conflictKeys(request);
    for (const key of keys) {
      if (!hasColumn(this.table, key)) throw unknownBodyColumn(this.table.name, key);
      requireComparable(this.table, key);
    }
    const on = sql` on conflict (${join(keys.map(name), ', ')})`;
    if (preferences.resolution === 'ignore-duplicates') return sql`${on} do nothing`;
    if (!updateRule) throw noGrant(this.isAnonymous, this.table.name);
    this.requireWritable(
      columns.filter((column) => hasColumn(this.table, column) && !keys.includes(column)),
      updateRule,
    );
    if (columns.length === 0) return sql`${on} do nothing`; // there is nothing to set
    const sets = columns.map((column) => sql`${name(column)} = excluded.${name(column)}`);
    return sql`${on} do update set ${join(sets, ', ')} where ${updateRule.where ?? raw('true')}`;
  }

  private recordShape(columns: readonly string[]): Sql {
    return join(
      columns.map((column) => sql`${name(column)} ${raw(this.typeOf(column))}`),
      ', ',
    );
  }

  /** Converts the row's values to their columns' types, so that a hook of a text column, say, never receives an object. */
  private async typed(row: Row): Promise<Row> {
    const columns = Object.keys(row);
    if (columns.length === 0) return row;
    const [result] = await run<{ row: Row }>(
      this.manager,
      sql`select to_json(x) as row from json_to_record(${JSON.stringify(row)}::json) as x(${this.recordShape(columns)})`,
    );
    return result?.row ?? row;
  }

  /** The row with the encoded values of columns that have a codec, bound to values in PostgreSQL's own form (a UUID in lower case). */
  private async encoded(row: Row, before?: Row): Promise<Row> {
    return hasCodecs(this.table) ? encoded(this.table, await this.typed(row), before) : row;
  }

  update(request: ParsedRequest, body: unknown): Promise<Written> {
    return withinQuota(this.manager, this.table, this.caller, () => this.updateAll(request, body));
  }

  private async updateAll(request: ParsedRequest, body: unknown): Promise<Written> {
    const rule = this.table.rules(this.caller, request).update;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('Empty or invalid json');
    const patch = request.columns
      ? Object.fromEntries(Object.entries(body).filter(([key]) => request.columns?.includes(key)))
      : (body as Row);
    if (!rule) throw noGrant(this.isAnonymous, this.table.name);
    this.requireWritable(Object.keys(patch), rule);
    if (Object.keys(patch).length === 0) return { keys: [], inserted: 0 };
    requireLengths(this.table, patch);
    const keys = await this.lock(request, rule.where ?? raw('true'));
    if (keys.length === 0) return { keys, inserted: 0 };
    await requireOwnershipAfter(this.manager, this.table, keys, patch, rule, this.caller);
    const typed = this.table.hooks?.beforeUpdate ? await this.typed(patch) : patch;
    for (const key of keys) {
      const before = await this.stored(key);
      const prepared = await this.encoded((await this.table.hooks?.beforeUpdate?.(this.context, before, typed)) ?? typed, before);
      const columns = Object.keys(prepared);
      if (columns.length === 0) continue;
      const sets = columns.map((column) => sql`${name(column)} = x.${name(column)}`);
      const [after] = await this.runWrite(
        sql`update ${name(this.table.relation)} t set ${join(sets, ', ')} from json_to_record(${JSON.stringify(prepared)}::json) as x(${this.recordShape(columns)})
          where t.${name(this.table.primaryKey)} = ${key} returning t.*, (${rule.check})::boolean as __ok`,
        { ...before, ...prepared },
      );
      if (after?.['__ok'] !== true) throw rowRefused(this.isAnonymous, this.table.name);
      await this.table.hooks?.afterUpdate?.(this.context, before, after);
    }
    return { keys, inserted: 0 };
  }

  /** Locks the rows to delete and returns their keys. `remove` deletes them, after the response has read them. */
  async prepareDelete(request: ParsedRequest): Promise<unknown[]> {
    const rule = this.table.rules(this.caller, request).delete;
    if (!rule) throw noGrant(this.isAnonymous, this.table.name);
    return this.lock(request, rule.where);
  }

  async remove(keys: readonly unknown[]): Promise<void> {
    for (const key of keys) {
      const row = await this.stored(key);
      await this.table.hooks?.beforeDelete?.(this.context, row);
      await run(this.manager, sql`delete from ${name(this.table.relation)} t where t.${name(this.table.primaryKey)} = ${key}`);
      await this.table.hooks?.afterDelete?.(this.context, row);
    }
  }

  /** Loads a locked row with all its columns. Rows are loaded one by one, because many large rows would fill the memory. */
  private async stored(key: unknown): Promise<Row> {
    const [row] = await run<Row>(
      this.manager,
      sql`select t.* from ${name(this.table.relation)} t where t.${name(this.table.primaryKey)} = ${key}`,
    );
    if (!row) throw new Error(`${this.table.name}: a locked row is gone`);
    return row;
  }

  /** Locks the rows that the caller may read, that match the filters and that the rule allows to change. @returns their keys */
  private async lock(request: ParsedRequest, where: Sql): Promise<unknown[]> {
    const key = name(this.table.primaryKey);
    const seen = new ReadBuilder(this.caller, { ...request, select: request.select }).keys(this.table);
    const rows = await run<{ key: unknown }>(
      this.manager,
      sql`select t.${key} as key from ${name(this.table.relation)} t
        where (${where}) and t.${key} in (select k.key from (${seen}) k) limit ${maxRows + 1} for update of t`,
    );
    if (rows.length > maxRows) throw tooManyRows(maxRows);
    return rows.map((row) => row.key);
  }
}
