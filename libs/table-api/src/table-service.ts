import { transactionWithRetry } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { DataSource, type EntityManager } from 'typeorm';
import type { TableDefinition } from './definition.js';
import { badBody, badRange, fromDatabase, notOneRow, RestError } from './errors.js';
import { type ParsedRequest, parseRequest } from './grammar/request.js';
import { parsePreferences, type Preferences } from './grammar/preferences.js';
import { ReadBuilder } from './read.js';
import { raw, type Sql, sql } from './sql/sql.js';
import { run, Writer, type Written } from './write.js';

export type MediaType = 'json' | 'object' | 'csv';

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

export interface TableAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const contentTypes: Record<MediaType, string> = {
  json: 'application/json; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** The first media type of `Accept` that we speak. @throws RestError PGRST107 when there is none. */
export function mediaTypeOf(accept: string | undefined): MediaType {
  const asked = (accept ?? '*/*').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  for (const type of asked) {
    if (type === 'application/vnd.pgrst.object+json') return 'object';
    if (type === 'text/csv') return 'csv';
    if (type === '' || type === '*/*' || type === 'application/json' || type === 'application/*') return 'json';
  }
  throw new RestError(406, 'PGRST107', `None of these media types are available: ${asked.join(', ')}`);
}

/** Longest that one statement may take. */
const statementTimeoutMs = 10_000;

/** Carries out requests to tables: one request is one transaction. */
@Injectable()
export class TableService {
  constructor(private readonly dataSource: DataSource) {}

  async handle(table: TableDefinition, request: TableRequest): Promise<TableAnswer> {
    try {
      const media = mediaTypeOf(request.accept);
      const preferences = parsePreferences(request.prefer);
      const parsed = parseRequest(request.query);
      if (request.method === 'GET' || request.method === 'HEAD') return await this.read(table, request, parsed, preferences, media);
      return await transactionWithRetry(this.dataSource, async (manager) => {
        await manager.query(`set local statement_timeout = ${statementTimeoutMs}`);
        return this.write(table, request, parsed, preferences, media, manager);
      });
    } catch (error) {
      throw fromDatabase(error, table.name);
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
    const manager = this.dataSource.manager;
    const counted = preferences.count !== undefined;
    const total = counted
      ? ((await run<{ total: number }>(manager, new ReadBuilder(caller, parsed).count(table)))[0]?.total ?? 0)
      : undefined;
    if (total !== undefined && parsed.offset > total)
      throw badRange(`An offset of ${parsed.offset} was requested, but there are only ${total} rows.`);
    const { text, rows } = await this.fetch(manager, new ReadBuilder(caller, parsed).rows(table), media);
    const headers = {
      'content-type': contentTypes[media],
      'content-range': contentRange(parsed.offset, rows, total),
      ...echo(preferences, ['count', 'handling']),
    };
    return { status: total !== undefined && rows < total ? 206 : 200, headers, body: method === 'HEAD' ? '' : text };
  }

  /** Lets PostgreSQL write the JSON: its own forms of times, numbers and arrays are the contract's. */
  private async fetch(manager: EntityManager, rows: Sql, media: MediaType): Promise<{ text: string; rows: number }> {
    const [found] = await run<{ body: string; total: number }>(
      manager,
      sql`select coalesce(json_agg(q), '[]'::json)::text as body, count(*)::int as total from (${rows}) q`,
    );
    const { body, total } = found ?? { body: '[]', total: 0 };
    if (media === 'object') {
      if (total !== 1) throw notOneRow(total);
      return { text: body.slice(1, -1), rows: total };
    }
    return { text: media === 'csv' ? toCsv(body) : body, rows: total };
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
      const rows = await writer.prepareDelete(parsed);
      const written = { keys: rows.map((row) => row[table.primaryKey]), inserted: 0 };
      const answer = await this.answer(table, method, caller, parsed, preferences, media, manager, written);
      await writer.remove(rows);
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
    // Only what was written is shown: its filters met the row before the change and need not meet it now.
    const shown: ParsedRequest = { ...parsed, conditions: [], order: parsed.order, offset: 0 };
    delete shown.limit;
    const rows = new ReadBuilder(caller, shown).rows(table, { only: sql`any(${written.keys}::${raw(`${keyType}[]`)})` });
    const { text, rows: visible } = await this.fetch(manager, rows, media);
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

/** `Range: 0-9`, when the address says nothing. */
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

/** Header line and rows of a JSON array of objects. */
export function toCsv(body: string): string {
  const rows = JSON.parse(body) as Record<string, unknown>[];
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value: unknown) => (value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value));
  return stringify(
    rows.map((row) => columns.map((column) => cell(row[column]))),
    { header: true, columns },
  );
}
