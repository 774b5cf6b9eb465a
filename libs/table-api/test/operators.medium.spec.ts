import { randomUUID } from 'node:crypto';
import type { Caller } from '@decola/service-kit';
import { testCaller } from '@decola/testing';
import fc from 'fast-check';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineTable, sql, type TableService } from '../src/index.js';
import { type TableBench, tableBench } from './bench.js';

class CreateThings1800000000001 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`create table things (id int primary key, user_id uuid not null, n int, price numeric, word text, flag boolean,
      at timestamptz, words text[], numbers int[], doc jsonb, configuration jsonb)`);
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table things');
  }
}

const things = defineTable({
  name: 'things',
  primaryKey: 'id',
  columns: {
    id: { type: 'integer' },
    user_id: { type: 'uuid' },
    n: { type: 'integer' },
    price: { type: 'numeric' },
    word: { type: 'text' },
    flag: { type: 'boolean' },
    at: { type: 'timestamptz' },
    words: { type: 'text[]' },
    numbers: { type: 'int[]' },
    doc: { type: 'jsonb' },
    configuration: { type: 'jsonb' },
  },
  rules: (caller: Caller, { equalityFilters }) => {
    if (caller.role === 'authenticated') return { select: { where: sql`t.user_id = ${caller.userId}` } };
    const [id, ...otherIds] = equalityFilters.get('id') ?? [];
    // Anonymous callers read only the row that they name by id and word, and only the public part of its configuration.
    const where =
      id !== undefined && otherIds.length === 0 && equalityFilters.get('word')?.length === 1
        ? sql`t.id::text = ${id} and t.word = ${equalityFilters.get('word')?.[0]}`
        : sql`false`;
    return {
      select: {
        where,
        columns: ['id', 'word', 'configuration'],
        overrides: { configuration: sql`jsonb_build_object('prizes', t.configuration -> 'prizes')` },
      },
    };
  },
});

const alphabet = ['a', 'b', 'B', 'ç', '%', '_', ',', '"', '(', ')', '\\', '.', '{', '}', ' ', '+', "'"];
const word = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 4 });
const small = fc.integer({ min: -3, max: 3 });

describe('every operator returns the same rows as PostgreSQL', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const owner = randomUUID();
  const other = randomUUID();

  beforeAll(async () => {
    bench = await tableBench(CreateThings1800000000001);
    ({ db, service } = bench);
    const rows = fc.sample(
      fc.record({
        n: fc.option(small),
        price: fc.option(small.map((each) => each / 2)),
        word: fc.option(word),
        flag: fc.option(fc.boolean()),
        at: fc.option(small.map((day) => `2026-01-${10 + day}T12:00:00.123456Z`)),
        words: fc.option(fc.array(word, { maxLength: 3 })),
        numbers: fc.option(fc.array(small, { maxLength: 3 })),
        doc: fc.option(fc.record({ k: word, n: small, list: fc.array(small, { maxLength: 2 }) }, { requiredKeys: [] })),
      }),
      { numRuns: 120, seed: 7 },
    );
    for (const [index, row] of rows.entries())
      await db.query(`insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '{"prizes": [1], "publicToken": "geheim"}')`, [
        index,
        index % 3 === 0 ? other : owner,
        row.n,
        row.price,
        row.word,
        row.flag,
        row.at,
        row.words,
        row.numbers,
        row.doc && JSON.stringify(row.doc),
      ]);
  });
  afterAll(() => bench?.dispose());

  const ask = async (pairs: [string, string][], caller: Caller = testCaller(owner)) => {
    const answer = await service.handle(things, {
      method: 'GET',
      query: new URLSearchParams(pairs).toString(),
      body: undefined,
      prefer: 'count=exact',
      accept: undefined,
      range: undefined,
      caller,
    });
    return { rows: JSON.parse(answer.body) as Record<string, unknown>[], headers: answer.headers };
  };
  const ids = async (...pairs: [string, string][]) => (await ask([['select', 'id'], ['order', 'id'], ...pairs])).rows.map(({ id }) => id);
  /** The same query, written by hand for PostgreSQL. */
  const expected = async (condition: string, ...values: unknown[]) =>
    (await db.query<{ id: number }[]>(`select id from things where user_id = $1 and (${condition}) order by id`, [owner, ...values])).map(
      ({ id }) => id,
    );
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const runs = { numRuns: 40 };

  const comparisons = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=', isdistinct: 'is distinct from' } as const;
  const columns = {
    n: ['int', small.map(String)],
    price: ['numeric', small.map((each) => String(each / 2))],
    word: ['text', word],
    flag: ['boolean', fc.constantFrom('true', 'false')],
    at: ['timestamptz', small.map((day) => `2026-01-${10 + day}T12:00:00.123456+00:00`)],
  } as const;

  it.each(Object.entries(comparisons))('%s', async (operator, symbol) => {
    for (const [column, [type, values]] of Object.entries(columns))
      await fc.assert(
        fc.asyncProperty(values as fc.Arbitrary<string>, fc.boolean(), async (value, negated) => {
          const plain = `${column} ${symbol} $2::${type}`;
          expect(await ids([column, `${negated ? 'not.' : ''}${operator}.${value}`])).toEqual(
            await expected(negated ? `not (${plain})` : plain, value),
          );
        }),
        { numRuns: 12 },
      );
  });

  it.each([
    ['like', 'like'],
    ['ilike', 'ilike'],
  ])('%s, with * for %%', async (operator, symbol) => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '*', '%', '_'), maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pattern, async (value) =>
        expect(await ids(['word', `${operator}.${value}`])).toEqual(await expected(`word ${symbol} $2`, value.replaceAll('*', '%'))),
      ),
      runs,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 3 }), fc.constantFrom('any', 'all'), async (values, quantifier) =>
        expect(await ids(['word', `${operator}(${quantifier}).{${values.map(quoted).join(',')}}`])).toEqual(
          await expected(
            `word ${symbol} ${quantifier}($2::text[])`,
            values.map((each) => each.replaceAll('*', '%')),
          ),
        ),
      ),
      runs,
    );
  });

  it.each([
    ['match', '~'],
    ['imatch', '~*'],
  ])('%s', async (operator, symbol) => {
    for (const pattern of ['^a', 'b$', '[ab]+', 'B', ''])
      expect(await ids(['word', `${operator}.${pattern}`])).toEqual(await expected(`word ${symbol} $2`, pattern));
  });

  it('is', async () => {
    for (const value of ['null', 'true', 'false', 'unknown'])
      expect(await ids(['flag', `is.${value}`])).toEqual(await expected(`flag is ${value}`));
    for (const column of ['n', 'word', 'doc', 'words']) {
      expect(await ids([column, 'is.null'])).toEqual(await expected(`${column} is null`));
      expect(await ids([column, 'not.is.null'])).toEqual(await expected(`${column} is not null`));
      expect(await ids([column, 'is.not_null'])).toEqual(await expected(`${column} is not null`));
    }
  });

  it('in, with every kind of character in its values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), fc.boolean(), async (values, negated) =>
        expect(await ids(['word', `${negated ? 'not.' : ''}in.(${values.map(quoted).join(',')})`])).toEqual(
          await expected(`${negated ? 'not ' : ''}(word = any($2::text[]))`, values),
        ),
      ),
      runs,
    );
    expect(await ids(['n', 'in.(1,2)'])).toEqual(await expected('n in (1, 2)'));
    expect(await ids(['n', 'in.()'])).toEqual([]);
  });

  it.each([
    ['cs', '@>'],
    ['cd', '<@'],
    ['ov', '&&'],
  ])('%s of lists', async (operator, symbol) => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 3 }), async (values) =>
        expect(await ids(['words', `${operator}.{${values.map(quoted).join(',')}}`])).toEqual(
          await expected(`words ${symbol} $2::text[]`, values),
        ),
      ),
      runs,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(small, { maxLength: 3 }), async (values) =>
        expect(await ids(['numbers', `${operator}.{${values.join(',')}}`])).toEqual(await expected(`numbers ${symbol} $2::int[]`, values)),
      ),
      runs,
    );
  });

  it('cs and cd of JSON, and paths into it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ k: word, n: small }, { requiredKeys: [] }), async (part) => {
        const text = JSON.stringify(part);
        expect(await ids(['doc', `cs.${text}`])).toEqual(await expected('doc @> $2::jsonb', text));
        expect(await ids(['doc', `cd.${text}`])).toEqual(await expected('doc <@ $2::jsonb', text));
      }),
      runs,
    );
    for (const n of [-1, 0, 1]) {
      expect(await ids(['doc->>n', `eq.${n}`])).toEqual(await expected(`doc ->> 'n' = $2`, String(n)));
      expect(await ids(['doc->n', `eq.${n}`])).toEqual(await expected(`doc -> 'n' = $2::jsonb`, String(n)));
      expect(await ids(['doc->list->0', `eq.${n}`])).toEqual(await expected(`doc -> 'list' -> 0 = $2::jsonb`, String(n)));
    }
  });

  it.each([
    ['fts', 'to_tsquery', 'a & b'],
    ['plfts', 'plainto_tsquery', 'a b'],
    ['phfts', 'phraseto_tsquery', 'a b'],
    ['wfts', 'websearch_to_tsquery', 'a or b'],
  ])('%s', async (operator, name, query) => {
    expect(await ids(['word', `${operator}(simple).${query}`])).toEqual(
      await expected(`to_tsvector('simple', word) @@ ${name}('simple', $2)`, query),
    );
    expect(await ids(['word', `${operator}.${query}`])).toEqual(await expected(`to_tsvector(word) @@ ${name}($2)`, query));
  });

  it('logic groups, and several filters on one column', async () => {
    await fc.assert(
      fc.asyncProperty(small, small, word, async (low, high, text) => {
        expect(await ids(['n', `gte.${low}`], ['n', `lte.${high}`])).toEqual(await expected('n >= $2::int and n <= $3::int', low, high));
        expect(await ids(['or', `(n.lt.${low},and(word.eq.${quoted(text)},not.or(n.gt.${high},flag.is.true)))`])).toEqual(
          await expected('n < $2::int or (word = $4 and not (n > $3::int or flag is true))', low, high, text),
        );
        expect(await ids(['not.or', `(n.lt.${low},word.in.(${quoted(text)}))`])).toEqual(
          await expected('not (n < $2::int or word = any(array[$3]))', low, text),
        );
      }),
      runs,
    );
  });

  it('orders and pages as PostgreSQL does', async () => {
    for (const [order, words] of [
      ['n.desc,id', 'n desc, id'],
      ['n.asc.nullsfirst,id.desc', 'n asc nulls first, id desc'],
      ['word.desc.nullslast,id', 'word desc nulls last, id'],
      ['doc->>k,id', `doc ->> 'k', id`],
    ] as const) {
      const { rows, headers } = await ask([
        ['select', 'id'],
        ['order', order],
        ['offset', '5'],
        ['limit', '10'],
      ]);
      expect(rows).toEqual(await db.query(`select id from things where user_id = $1 order by ${words} offset 5 limit 10`, [owner]));
      expect(headers['content-range']).toBe('5-14/80');
    }
  });

  describe('row rules', () => {
    const nosy = fc.oneof(
      fc.constantFrom<[string, string]>(
        ['user_id', `eq.${other}`],
        ['or', `(user_id.eq.${other},id.gte.0)`],
        ['id', 'gte.0'],
        ['not.and', '(id.lt.0,n.eq.1)'],
      ),
      word.map((text): [string, string] => ['word', `not.eq.${text}`]),
      fc.constant<[string, string]>(['order', 'user_id.desc']),
    );

    it('hide other people’s rows from every filter, order and count', async () => {
      const own = new Set(await expected('true'));
      await fc.assert(
        fc.asyncProperty(fc.array(nosy, { maxLength: 4 }), async (pairs) => {
          const { rows, headers } = await ask([['select', 'id'], ...pairs]);
          expect(rows.every(({ id }) => own.has(id as number))).toBe(true);
          expect(headers['content-range']?.split('/')[1]).toBe(String(rows.length));
        }),
        runs,
      );
    });

    it('show an anonymous caller only the row that the request names by a filter, and only its public columns, also in filters', async () => {
      const anonymous: Caller = { role: 'anon' };
      const [{ id, word: known }] = await db.query<[{ id: number; word: string }]>(
        `select id, word from things where word <> '' order by id limit 1`,
      );
      const pinned: [string, string][] = [
        ['id', `eq.${id}`],
        ['word', `eq.${known}`],
      ];
      expect((await ask(pinned, anonymous)).rows).toEqual([{ id, word: known, configuration: { prizes: [1] } }]);
      expect((await ask([...pinned, ['configuration->>publicToken', 'eq.geheim']], anonymous)).rows).toEqual([]);
      expect((await ask([['select', 'configuration->>publicToken'], ...pinned], anonymous)).rows).toEqual([{ publicToken: null }]);
      expect((await ask([['select', 'configuration::text'], ...pinned], anonymous)).rows).toEqual([{ configuration: '{"prizes": [1]}' }]);
      const loose: [string, string][][] = [
        [],
        [['id', `eq.${id}`]],
        [
          ['id', `in.(${id})`],
          ['word', `eq.${known}`],
        ],
        [
          ['id', 'neq.-1'],
          ['word', `eq.${known}`],
        ],
        [
          ['or', `(id.eq.${id},id.gte.0)`],
          ['word', `eq.${known}`],
        ],
        [['and', `(id.eq.${id},word.eq.${quoted(known)})`]],
        [
          ['id', `not.eq.-1`],
          ['word', `eq.${known}`],
        ],
        [
          ['id', `eq(any).{${id}}`],
          ['word', `eq.${known}`],
        ],
      ];
      for (const pairs of loose) expect((await ask(pairs, anonymous)).rows).toEqual([]);
      await expect(ask([...pinned, ['user_id', `eq.${other}`]], anonymous)).rejects.toMatchObject({ code: '42703' });
    });
  });
});
