import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { cross, intolerantReaders, recordOf } from '../../../tools/releases/crossing.mjs';
import { hindrances, type RecordedTable } from '../../../tools/releases/hindrances.mjs';
import { brokenRules } from '../../../tools/releases/migration-rules.mjs';
import { commitOf, MissingHistoryError } from '../../../tools/releases/tree-of.mjs';

/** The checks that compare a tree with the last release. Lint runs them on this tree, and `releases.medium.spec.ts` those of tables. */
describe('messages of two releases', () => {
  const shape = {
    id: z.uuid(),
    state: z.enum(['packed', 'sent']),
    by: z.discriminatedUnion('kind', [z.object({ kind: z.literal('post'), number: z.string() }), z.object({ kind: z.literal('hand') })]),
    weight: z.number().int().max(30).nullish(),
  };
  const body = (schema: z.ZodType = z.object(shape), version = 1) => ({ name: 'event order.moved', version, schema });
  const last = [recordOf(body())];
  const crossed = (now: ReturnType<typeof body>, waitsForNewer = true) => cross(last, [now], { waitsForNewer });

  it('cross when nothing changed, and when only a member that may be missing is new', () => {
    expect(crossed(body())).toEqual({ problems: [], waiting: [] });
    expect(crossed(body(z.object({ ...shape, colour: z.string().nullish() })))).toEqual({ problems: [], waiting: [] });
  });

  it.each([
    ['a value', { ...shape, state: z.enum(['packed', 'sent', 'lost']) }, /not "lost"/],
    [
      'a variant',
      { ...shape, by: z.discriminatedUnion('kind', [...shape.by.options, z.object({ kind: z.literal('drone'), height: z.number() })]) },
      /not "drone"/,
    ],
  ])('wait with %s that the last release does not know, unless it cannot wait', (_, changed, sentence) => {
    expect(crossed(body(z.object(changed)))).toEqual({ problems: [], waiting: [expect.stringMatching(sentence)] });
    expect(crossed(body(z.object(changed)), false)).toEqual({ problems: [expect.stringMatching(sentence)], waiting: [] });
  });

  it('wait with what no word tells, when the version is higher', () => {
    const wider = z.object({ ...shape, weight: z.number().int().max(60).nullish() });
    expect(crossed(body(wider)).problems).toEqual([expect.stringMatching(/the last release cannot read .* weight: must be <= 30/)]);
    expect(crossed(body(wider, 2))).toEqual({ problems: [], waiting: [expect.stringMatching(/weight/)] });
  });

  it.each([
    ['a mandatory member', z.object({ ...shape, colour: z.string() }), /cannot read what the last release sends: colour/],
    ['a value less', z.object({ ...shape, state: z.enum(['packed']) }), /cannot read what the last release sends: state/],
    [
      'a lower limit',
      z.object({ ...shape, weight: z.number().int().max(20).nullish() }),
      /cannot read what the last release sends: weight/,
    ],
    ['another type', z.object({ ...shape, id: z.number() }), /the last release cannot read what this tree sends: id: must be string/],
    [
      'a member less',
      z.object({ id: shape.id, by: shape.by }),
      /the last release cannot read .*: body: must have required property 'state'/,
    ],
  ])('break by %s', (_, schema, sentence) => expect(crossed(body(schema)).problems).toContainEqual(expect.stringMatching(sentence)));

  it('break when a message is gone', () =>
    expect(cross(last, [], { waitsForNewer: true }).problems).toEqual([expect.stringMatching(/order\.moved: is gone/)]));

  it('must be read although they hold members that nobody knows', () => {
    expect(intolerantReaders([body()])).toEqual([]);
    expect(intolerantReaders([body(z.strictObject(shape))])).toEqual(['event order.moved']);
  });

  it('have samples of every value, variant and limit, and without what may be missing', () => {
    const { samples } = last[0]!;
    const all = JSON.stringify(samples);
    for (const part of ['"packed"', '"sent"', '"post"', '"hand"', '"weight":30', '"weight":null']) expect(all).toContain(part);
    expect(samples.some((sample) => !Object.hasOwn(sample as object, 'weight'))).toBe(true);
  });
});

describe('rules of migrations', () => {
  const rulesBrokenBy = (sql: string, isInTransaction = true) =>
    brokenRules({ statements: [sql], isInTransaction }).map(({ rule }) => rule);

  it.each([
    ['drop table orders', 'drop'],
    ['alter table orders drop column state', 'drop'],
    ['alter table orders drop state', 'drop'],
    ['drop view if exists shown_orders', 'drop'],
    ['alter table orders rename column state to status', 'rename'],
    ['alter table orders rename to shipments', 'rename'],
    ['alter table orders alter column number type bigint', 'rewrite'],
    ['alter table orders alter column number set data type bigint using number::bigint', 'rewrite'],
    ['alter table orders add column at timestamptz not null default clock_timestamp()', 'rewrite'],
    ['alter table orders add column total int generated always as (price * amount) stored', 'rewrite'],
    ['alter table orders add column code_digest bytea not null', 'mandatory'],
    ['alter table public.orders\n  add column a int,\n  add b text not null', 'mandatory'],
    ['alter table orders alter column state set not null', 'set not null'],
    ["alter table orders add constraint known check (state in ('a', 'b'))", 'constraint'],
    ['alter table orders drop constraint known, add constraint known check (state <> 1)', 'constraint'],
    ['alter table orders add primary key (id)', 'constraint'],
    ['alter table orders add column code text unique', 'constraint'],
    ['create index by_state on orders (state)', 'index'],
    ['create unique index if not exists by_state on only orders (state)', 'index'],
    ['create index on orders using gin (tags)', 'index'],
    ['create index concurrently by_state on orders (state)', 'transaction'],
    ['/* a comment; */ ALTER TABLE "orders" DROP COLUMN "state"; -- another', 'drop'],
  ])('%s', (sql, rule) => expect(rulesBrokenBy(sql)).toEqual([rule]));

  it.each([
    'alter table orders add column note text',
    'alter table orders add column tries integer not null default 0, add column at timestamptz default now()',
    "alter table orders add column why text default 'not null, drop column state'",
    "alter table orders add constraint known check (state in ('a', 'b')) not valid",
    'alter table orders validate constraint known',
    'alter table orders add constraint once unique using index orders_once',
    'alter table orders drop constraint known, alter column state drop not null',
    'create table shipments (id uuid primary key, at timestamptz not null); create index by_at on shipments (at)',
    'create table lines (id int); alter table lines add column n int not null; drop table lines',
    'create or replace function f() returns trigger language plpgsql as $$ begin drop table orders; return null; end $$',
    'drop index by_state',
  ])('%s is fine', (sql) => expect(rulesBrokenBy(sql)).toEqual([]));

  it('an index may be made concurrently in a migration without a transaction', () =>
    expect(rulesBrokenBy('create index concurrently by_state on orders (state)', false)).toEqual([]));
});

describe('tables of two releases', () => {
  const orders: RecordedTable = {
    service: 'shop',
    table: 'orders',
    columns: {
      id: { type: 'uuid', mandatory: true },
      state: { type: 'text', mandatory: true, filled: true },
      note: { type: 'text' },
      number: { type: 'character varying(20)' },
    },
    rules: [
      { name: 'orders_pkey', rule: 'PRIMARY KEY (id)', unique: true, columns: ['id'] },
      { name: 'orders_state', rule: "CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))", unique: false, columns: ['state'] },
    ],
  };
  const found = (changed: Partial<RecordedTable>) => hindrances([orders], [{ ...orders, ...changed }]);
  const columns = (more: RecordedTable['columns']) => found({ columns: { ...orders.columns, ...more } });
  const rule = (name: string, sql: string, on: string[], unique = false) => ({ name, rule: sql, unique, columns: on });

  it('serve the last release when they only grew', () => {
    expect(found({})).toEqual([]);
    expect(
      columns({ at: { type: 'timestamptz' }, tries: { type: 'integer', mandatory: true, filled: true }, number: { type: 'text' } }),
    ).toEqual([]);
    expect(
      found({
        rules: [orders.rules[0]!, rule('orders_state', "CHECK ((state = ANY (ARRAY['a'::text, 'b'::text, 'c'::text])))", ['state'])],
      }),
    ).toEqual([]);
    expect(hindrances([orders], [orders, { ...orders, table: 'lines' }])).toEqual([]);
  });

  it.each([
    ['a table is gone', () => hindrances([orders], []), /shop\.orders: the table is gone/],
    ['a column is gone', () => found({ columns: { id: { type: 'uuid' } } }), /state is gone/],
    ['a type is another', () => columns({ id: { type: 'text', mandatory: true } }), /id was uuid and is text/],
    ['a column became mandatory', () => columns({ note: { type: 'text', mandatory: true, filled: true } }), /note may not be null/],
    ['a default is gone', () => columns({ state: { type: 'text', mandatory: true } }), /state has lost its default/],
    ['a new column is mandatory', () => columns({ code: { type: 'bytea', mandatory: true } }), /code is new and mandatory/],
    [
      'a rule is new',
      () => found({ rules: [...orders.rules, rule('short', 'CHECK ((length(note) < 9))', ['note'])] }),
      /short is a new rule/,
    ],
    [
      'a rule is narrower',
      () => found({ rules: [orders.rules[0]!, rule('orders_state', "CHECK ((state = ANY (ARRAY['a'::text])))", ['state'])] }),
      /orders_state is a new rule/,
    ],
    ['a unique rule is gone', () => found({ rules: [orders.rules[1]!] }), /orders_pkey is gone/],
  ])('do not when %s', (_, compare, sentence) => expect(compare()).toContainEqual(expect.stringMatching(sentence)));
});

it('a clone without the history of the last release is told how to fetch it', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'decola-shallow-'));
  try {
    execFileSync('git', ['init', '-q', folder]);
    expect(() => commitOf(folder, '3124b32d8c005acf102bc81396907d60fd7c1aa0')).toThrow(MissingHistoryError);
    expect(() => commitOf(folder, '3124b32d8c005acf102bc81396907d60fd7c1aa0')).toThrow(/git fetch --unshallow/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
