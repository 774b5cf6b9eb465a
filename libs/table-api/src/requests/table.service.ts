import { PreparedReads, transactionWithRetry } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hasColumn, type TableDefinition } from '../definition/definition.js';
import { answerTooLarge, badBody, badRange, fromDatabase, notOneRow, RestError } from '../errors/errors.js';
import { type ParsedRequest, parseRequest } from '../grammar/request.js';
import { parsePreferences, type Preferences } from '../grammar/preferences.js';
import { contentTypes, type MediaType, mediaTypeOf, type TableAnswer, toCsv } from './answer.js';
import { DuplicateKeyError, duplicateKeyErrorOf } from './ownership.js';
import { ReadBuilder } from './read-builder.js';
import { run } from '../sql/run.js';
import { raw, type Sql, sql } from '../sql/sql.js';
import { Writer, type Written } from './writer.js';

export interface TableRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** Query string without `?`. */
  query: string;
  body: unknown;
  prefer: string | undefined;
  accept: string | undefined;
  range: string | undefined;
  caller: Caller;
}

/** Time limits of one statement. */
const statementTimeoutMs = { read: 4_000, write: 10_000 };

/** Maximum bytes of a response. A single row may be larger: an article with its pictures (rest-v1, trap 7). */
const maxBytes = { answer: 8 * 1024 * 1024, row: 12 * 1024 * 1024 };

/** Executes requests to tables, each in one transaction. */
@Injectable()
export class TableService {
  private readonly reads: PreparedReads;

  constructor(private readonly dataSource: DataSource) {
    this.reads = new PreparedReads(dataSource, { timeoutMs: statementTimeoutMs.read });
  }

  async handle(table: TableDefinition, request: TableRequest): Promise<TableAnswer> {
    try {
      const media = mediaTypeOf(request.accept);
      const preferences = parsePreferences(request.prefer);
      const parsed = parseRequest(request.query);
      if (request.method === 'GET' || request.method === 'HEAD') return await this.read(table, request, parsed, preferences, media);
      return await transactionWithRetry(this.dataSource, async (manager) => {
        await manager.query(`set local statement_timeout = ${statementTimeoutMs.write}`);
        return this.write(table, request, parsed, preferences, media, manager);
      });
    } catch (error) {
      const known =
        error instanceof DuplicateKeyError ? await duplicateKeyErrorOf(this.dataSource.manager, table, error, request.caller) : error;
      throw fromDatabase(known, table.name);
    }
  }

  private async read(
    table: TableDefinition,
    { caller, method, range }: TableRequest,
    parsed: ParsedRequest,
    preferences: Preferences,
    media: MediaType,
  ): Promise<TableAnswer> {
    if (method === 'GET') applyRange(parsed, range);
    const plansVary = !filtersByIdOnly(table, parsed);
    // A transaction for each statement: at PostgreSQL's usual isolation, two statements of one transaction see different states as well.
    const first: FirstRow = async (statement) => (await this.reads.read({ ...statement.render(), plansVary }))[0];
    const total = preferences.count === undefined ? undefined : numberOf(await first(new ReadBuilder(caller, parsed).count(table)));
    if (total !== undefined && parsed.offset > total)
      throw badRange(`An offset of ${parsed.offset} was requested, but there are only ${total} rows.`);
    const builder = new ReadBuilder(caller, parsed);
    const asked = builder.rows(table);
    const { text, rows } = method === 'HEAD' ? await this.countOnly(first, asked, media) : await this.fetch(first, builder, asked, media);
    const headers = {
      'content-type': contentTypes[media],
      'content-range': contentRange(parsed.offset, rows, total),
      ...echo(preferences, ['count', 'handling']),
    };
    return { status: total !== undefined && rows < total ? 206 : 200, headers, body: text };
  }

  private async countOnly(first: FirstRow, rows: Sql, media: MediaType): Promise<{ text: string; rows: number }> {
    const total = numberOf(await first(sql`select count(*)::int as total from (${rows}) q`));
    if (media === 'object' && total !== 1) throw notOneRow(total);
    return { text: '', rows: total };
  }

  /**
   * Fetches rows as JSON that PostgreSQL serializes, because clients expect its format of times, numbers and arrays. PostgreSQL measures the rows before it
   * concatenates and sends them.
   * @throws RestError 54000 when they are too large
   */
  private async fetch(first: FirstRow, builder: ReadBuilder, rows: Sql, media: MediaType): Promise<{ text: string; rows: number }> {
    const [count, bytes, body] = (await first(
      sql`with answer as materialized (select to_json(q)::text as line from (${rows}) q),
          size as (select count(*)::int as total, coalesce(sum(octet_length(line) + 3), 0)::bigint as bytes from answer)
        select total, bytes, case when bytes <= case when total = 1 then ${maxBytes.row}::int else ${maxBytes.answer}::int end
          then (select '[' || coalesce(string_agg(line, E', \n '), '') || ']' from answer) end as body from size`,
    )) ?? [0, 0, '[]'];
    const total = Number(count);
    if (media === 'object' && total !== 1) throw notOneRow(total);
    if (body === null) throw answerTooLarge(Number(bytes), maxBytes.answer);
    const decoded = builder.decode(body as string);
    if (media === 'object') return { text: decoded.slice(1, -1), rows: total };
    return { text: media === 'csv' ? toCsv(decoded) : decoded, rows: total };
  }

  private async write(
    table: TableDefinition,
    { method, caller, body }: TableRequest,
    parsed: ParsedRequest,
    preferences: Preferences,
    media: MediaType,
    manager: EntityManager,
  ): Promise<TableAnswer> {
    if (method !== 'DELETE' && body === undefined) throw badBody('Empty or invalid json');
    const writer = new Writer(table, manager, caller);
    if (method === 'DELETE') {
      const keys = await writer.prepareDelete(parsed);
      const written = { keys, inserted: 0 };
      const answer = await this.answer(table, method, caller, parsed, preferences, media, manager, written);
      await writer.remove(keys);
      return answer;
    }
    const written = method === 'POST' ? await writer.insert(parsed, body, preferences) : await writer.update(parsed, body);
    return this.answer(table, method, caller, parsed, preferences, media, manager, written);
  }

  private async answer(
    table: TableDefinition,
    method: 'POST' | 'PATCH' | 'DELETE' | 'GET' | 'HEAD',
    caller: Caller,
    parsed: ParsedRequest,
    preferences: Preferences,
    media: MediaType,
    manager: EntityManager,
    written: Written,
  ): Promise<TableAnswer> {
    const count = written.keys.length;
    if (preferences.maxAffected !== undefined && count > preferences.maxAffected) {
      throw new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', `The query affects ${count} rows`);
    }
    const total = preferences.count === undefined ? '*' : String(count);
    const range = method === 'PATCH' && count > 0 ? `0-${count - 1}/${total}` : `*/${total}`;
    const headers: Record<string, string> = { 'content-range': range, ...echo(preferences) };
    const merged = preferences.resolution === 'merge-duplicates' && count > 0 && written.inserted === 0;
    const created = method === 'POST' ? (merged ? 200 : 201) : undefined;
    if (preferences.return !== 'representation') {
      if (media === 'object' && count !== 1) throw notOneRow(count);
      if (preferences.return === 'headers-only' && method === 'POST' && count === 1)
        headers['location'] = `/${table.name}?${table.primaryKey}=eq.${String(written.keys[0])}`;
      return { status: created ?? 204, headers, body: '' };
    }
    const keyType = table.columns[table.primaryKey]?.type ?? 'text';
    // Selects the written rows by key. The request's filters matched them before the change and may not match them now.
    const shown: ParsedRequest = { ...parsed, conditions: [], order: parsed.order, offset: 0 };
    delete shown.limit;
    const builder = new ReadBuilder(caller, shown);
    const rows = builder.rows(table, { only: sql`any(${written.keys}::${raw(`${keyType}[]`)})` });
    const { text, rows: visible } = await this.fetch(firstRowBy(manager), builder, rows, media);
    // RETURNING needs the read rule to pass as well as the write rule.
    if (visible < count)
      throw new RestError(
        caller.role === 'anon' ? 401 : 403,
        '42501',
        `new row violates row-level security policy for table "${table.name}"`,
      );
    return { status: created ?? 200, headers: { ...headers, 'content-type': contentTypes[media] }, body: text };
  }
}

/** Executes a statement. @returns the values of its first row in the order of its columns */
type FirstRow = (statement: Sql) => Promise<readonly unknown[] | undefined>;

/** In the transaction of a write. */
const firstRowBy =
  (manager: EntityManager): FirstRow =>
  async (statement) => {
    const [row] = await run(manager, statement);
    return row && Object.values(row);
  };

const numberOf = (row: readonly unknown[] | undefined) => Number(row?.[0] ?? 0);

/**
 * Whether a request has no filters but `column=eq.id`. Rows of one id are few, whoever asks; of any other filter the best plan depends on the value: whether it is
 * rare, how long a pattern is, which partial index has it.
 */
function filtersByIdOnly(table: TableDefinition, { conditions, embedded }: ParsedRequest): boolean {
  return (
    [...embedded.values()].every((query) => query.conditions.length === 0) &&
    conditions.every(
      (each) =>
        each.kind === 'filter' &&
        !each.negated &&
        each.field.path.length === 0 &&
        each.operation.operator === 'eq' &&
        !each.operation.quantifier &&
        hasColumn(table, each.field.column) &&
        table.columns[each.field.column]?.type === 'uuid',
    )
  );
}

/** Applies `Range: 0-9` when the query has neither limit nor offset. */
function applyRange(parsed: ParsedRequest, range: string | undefined): void {
  const found = /^(\d+)-(\d*)$/.exec(range ?? '');
  if (!found || parsed.limit !== undefined || parsed.offset !== 0) return;
  const first = Number(found[1]);
  if (found[2] !== '' && Number(found[2]) < first)
    throw badRange('The lower boundary must be lower than or equal to the upper boundary in the Range header.');
  parsed.offset = first;
  if (found[2] !== '') parsed.limit = Number(found[2]) - first + 1;
}

function contentRange(offset: number, rows: number, total: number | undefined): string {
  return `${rows === 0 ? '*' : `${offset}-${offset + rows - 1}`}/${total ?? '*'}`;
}

function echo(preferences: Preferences, kinds?: readonly string[]): Record<string, string> {
  const applied = preferences.applied.filter((token) => !kinds || kinds.includes(token.split('=')[0] ?? ''));
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}
