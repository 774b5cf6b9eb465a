import type { Caller } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import type { Sql } from './sql/sql.js';

export type ColumnType =
  | 'uuid'
  | 'text'
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'double precision'
  | 'timestamptz'
  | 'date'
  | 'time'
  | 'json'
  | 'jsonb'
  | 'integer[]'
  | 'int[]'
  | 'text[]'
  | 'uuid[]';

export interface ColumnDefinition {
  type: ColumnType;
  /** Value of a computed column, over the row `t`. Such a column is read-only. */
  expression?: Sql;
}

/** What a rule may know of the request beyond its caller. */
export interface RequestFacts {
  /** Values of the plain top-level filters `column=eq.value`, by column: what the request pins itself to. */
  pins: ReadonlyMap<string, readonly string[]>;
}

/** Rows that may be touched: a condition over the row `t`. */
export interface RowRule {
  where: Sql;
}

export interface ReadRule extends RowRule {
  /** Columns this caller may read; all of them when absent. The cut comes before filters, paths and casts. */
  columns?: readonly string[];
  /** Other values for this caller, over the row `t`. */
  overrides?: Readonly<Record<string, Sql>>;
}

export interface WriteRule {
  /** Rows that may be changed (updates, and the rows that an upsert meets). */
  where?: Sql;
  /** What a written row must fulfil, over the row `t`. */
  check: Sql;
  /** Columns that may be written; all but computed ones when absent. */
  columns?: readonly string[];
}

/** What one caller may do; what is absent is refused. */
export interface TableRules {
  select?: ReadRule;
  insert?: WriteRule;
  update?: WriteRule;
  delete?: RowRule;
}

export interface HookContext {
  /** The transaction of the request. */
  manager: EntityManager;
  caller: Caller;
}

export type Row = Record<string, unknown>;

/** What `beforeInsert` returns when the row is there already: the request is answered by it, as if it had just been inserted. */
export class ExistingRow {
  constructor(readonly key: unknown) {}
}

/** Rules of the service around a write, in the transaction of the request. What they throw undoes it all. */
export interface TableHooks {
  /** @returns the row to insert; it may hold columns that clients never see. Or the row that is there already. */
  beforeInsert?(context: HookContext, row: Row): Promise<Row | ExistingRow> | Row | ExistingRow;
  afterInsert?(context: HookContext, row: Row): Promise<void> | void;
  /** @param before the stored row with all its columns @returns what to write. */
  beforeUpdate?(context: HookContext, before: Row, patch: Row): Promise<Row> | Row;
  afterUpdate?(context: HookContext, before: Row, after: Row): Promise<void> | void;
  beforeDelete?(context: HookContext, row: Row): Promise<void> | void;
  afterDelete?(context: HookContext, row: Row): Promise<void> | void;
}

export interface EmbedDefinition {
  table: () => TableDefinition;
  /** Column of this table. */
  column: string;
  /** Column of the other one. */
  references: string;
  /** `one`: an object or null; `many`: an array. */
  kind: 'one' | 'many';
  /** Name of the foreign key, for `table!key(...)`. */
  key?: string;
}

export interface TableOptions {
  /** Name on the wire. */
  name: string;
  /** Table or view in the service's schema. Default: the name. */
  relation?: string;
  primaryKey: string;
  columns: Readonly<Record<string, ColumnDefinition>>;
  /** Types of columns that hooks write and clients never see. */
  internal?: Readonly<Record<string, ColumnType>>;
  relations?: Readonly<Record<string, EmbedDefinition>>;
  rules: (caller: Caller, facts: RequestFacts) => TableRules;
  hooks?: TableHooks;
}

export type TableDefinition = Required<Pick<TableOptions, 'relation'>> & TableOptions;

export function defineTable(options: TableOptions): TableDefinition {
  if (!options.columns[options.primaryKey]) throw new Error(`${options.name}: the primary key ${options.primaryKey} is no column`);
  return { ...options, relation: options.relation ?? options.name };
}

/** Whether a name from outside is a column: `constructor` is none. */
export function hasColumn(table: TableDefinition, column: string): boolean {
  return Object.hasOwn(table.columns, column);
}

export type ArgumentType = 'uuid' | 'text' | 'text[]' | 'integer' | 'boolean';

export interface FunctionDefinition {
  name: string;
  arguments: Readonly<Record<string, ArgumentType>>;
  /** Arguments that may be left out. */
  optional?: readonly string[];
  returns: 'scalar' | 'set' | 'void';
  /** True for a function that writes: it is refused over GET. */
  volatile?: boolean;
  call(context: HookContext, args: Record<string, never>): Promise<unknown>;
}

export function defineFunction(definition: FunctionDefinition): FunctionDefinition {
  return definition;
}
