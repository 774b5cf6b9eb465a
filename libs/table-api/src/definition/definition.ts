import type { Caller } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import type { Sql } from '../sql/sql.js';

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

/**
 * Another form in which values of a text column are stored, such as sealed. Clients read and write plain values; they cannot filter, order, cast or upsert
 * by them (42501). Hooks see the plain values that a client writes, and the stored ones of rows that are in the table.
 */
export interface ColumnCodec {
  /** Column of the same row that a stored value is bound to: copied into a row with another value there, it cannot be decoded. */
  readonly boundTo: string;
  encode(plain: string, bound: string): string;
  /** @returns null for a value that cannot be decoded: clients read null */
  decode(stored: string, bound: string): string | null;
}

export interface ColumnDefinition {
  type: ColumnType;
  /** Only for columns of type `text`. */
  codec?: ColumnCodec;
  /** Value of a computed column, as an expression over the row `t`. A computed column is read-only. */
  expression?: Sql;
  /** Maximum size of a written value: characters of a text, or bytes of any other value as JSON. Default: 2,000 characters and 64 KiB. */
  maxLength?: number;
  /** Message of the refusal of a longer value. */
  tooLongMessage?: string;
}

/** Limit of the rows that one person may have. */
export interface Quota {
  /** Condition over the row `t` that selects the rows that count. */
  rows: Sql;
  maxRows: number;
  /** Message of the refusal when there would be more. */
  refusal: string;
}

/** Facts of a request that rules may use besides its caller. */
export interface RequestFacts {
  /** Values of the plain top-level filters `column=eq.value`, by column. A rule can require that a request names what it wants. */
  equalityFilters: ReadonlyMap<string, readonly string[]>;
  /**
   * Patterns of the plain top-level filters `column=ilike.pattern` (or `like`), by column, with `%` for any text. A rule can add a condition that each
   * matching row meets and that an index answers.
   */
  patternFilters: ReadonlyMap<string, readonly string[]>;
}

/** Facts of reads without filters of their own: of an embedded table, or of a row that is looked up. */
export const noFacts: RequestFacts = { equalityFilters: new Map(), patternFilters: new Map() };

/** Selects the rows that a rule applies to: a condition over the row `t`. */
export interface RowRule {
  where: Sql;
}

export interface ReadRule extends RowRule {
  /** Columns that this caller may read; all of them when absent. Filters, JSON paths and casts cannot reach other columns. */
  columns?: readonly string[];
  /** Values that this caller reads instead of the column's own, as expressions over the row `t`. */
  overrides?: Readonly<Record<string, Sql>>;
}

export interface WriteRule {
  /** Rows that may be changed, by an update or by an upsert that conflicts with them: a condition over the row `t`. */
  where?: Sql;
  /** Condition over the row `t` that a row must fulfil after it was written. */
  check: Sql;
  /**
   * Condition that a row must fulfil as the client sent it, before hooks run and before any constraint is checked. It can be weaker than `check` when hooks
   * complete the row. Only a false result refuses the row, null does not. Default: `check`.
   */
  precheck?: Sql;
  /** Columns that may be written; all but computed columns when absent. */
  columns?: readonly string[];
}

/** What one caller may do with a table. A verb without a rule is refused. */
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

/** Returned by `beforeInsert` when the row exists already: the response shows the existing row as if it had just been inserted. */
export class ExistingRow {
  constructor(readonly key: unknown) {}
}

/** The service's own code around a write, in the transaction of the request. An error rolls the whole request back. */
export interface TableHooks {
  /** @returns the row to insert, which may have columns that clients never see; or the existing row */
  beforeInsert?(context: HookContext, row: Row): Promise<Row | ExistingRow> | Row | ExistingRow;
  afterInsert?(context: HookContext, row: Row): Promise<void> | void;
  /** @param before the stored row with all its columns @returns the columns to write */
  beforeUpdate?(context: HookContext, before: Row, patch: Row): Promise<Row> | Row;
  afterUpdate?(context: HookContext, before: Row, after: Row): Promise<void> | void;
  beforeDelete?(context: HookContext, row: Row): Promise<void> | void;
  afterDelete?(context: HookContext, row: Row): Promise<void> | void;
}

export interface EmbedDefinition {
  table: () => TableDefinition;
  /** Column of this table. */
  column: string;
  /** Column of the other table. */
  references: string;
  /** `one`: an object or null; `many`: an array. */
  kind: 'one' | 'many';
  /** Name of the foreign key, for `table!key(...)`. */
  key?: string;
}

export interface TableOptions {
  /** Name in URLs. */
  name: string;
  /** Table or view in the service's schema. Default: the name. */
  relation?: string;
  primaryKey: string;
  columns: Readonly<Record<string, ColumnDefinition>>;
  /** Types of the columns that hooks write and clients never see. */
  internal?: Readonly<Record<string, ColumnType>>;
  relations?: Readonly<Record<string, EmbedDefinition>>;
  rules: (caller: Caller, facts: RequestFacts) => TableRules;
  hooks?: TableHooks;
  /** Checked after every insert and update, also of concurrent requests of the same person. Undefined: no limit. */
  quota?: (caller: Caller) => Quota | undefined;
}

export type TableDefinition = Required<Pick<TableOptions, 'relation'>> & TableOptions;

export function defineTable(options: TableOptions): TableDefinition {
  if (!options.columns[options.primaryKey]) throw new Error(`${options.name}: the primary key ${options.primaryKey} is not a column`);
  for (const [column, { type, codec }] of Object.entries(options.columns))
    if (codec && (type !== 'text' || !options.columns[codec.boundTo]))
      throw new Error(`${options.name}: ${column} has a codec, so it must be a text bound to another column`);
  return { ...options, relation: options.relation ?? options.name };
}

/** Whether a name from a request is a column of the table; false for inherited names such as `constructor`. */
export function hasColumn(table: TableDefinition, column: string): boolean {
  return Object.hasOwn(table.columns, column);
}

export type ArgumentType = 'uuid' | 'text' | 'text[]' | 'integer' | 'boolean';

/** The program that calls a function, as far as it is known: a request that did not come through the gateway has no network. */
export interface FunctionClient {
  /** Address or network of the client (`clientNetwork`). */
  network: string | null;
  userAgent: string | null;
}

export interface FunctionContext extends HookContext {
  client: FunctionClient;
}

export interface FunctionDefinition {
  name: string;
  arguments: Readonly<Record<string, ArgumentType>>;
  /** Arguments that may be omitted. */
  optional?: readonly string[];
  returns: 'scalar' | 'set' | 'void';
  /** True for a function that writes: it cannot be called by GET. */
  volatile?: boolean;
  call(context: FunctionContext, args: Record<string, never>): Promise<unknown>;
}

export function defineFunction(definition: FunctionDefinition): FunctionDefinition {
  return definition;
}
