import { randomUUID } from 'node:crypto';
import { testCaller } from '@decola/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineFunction, defineTable, type TableDefinition, type TableService } from '../src/index.js';
import { FunctionService } from '../src/requests/function.service.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench, tableRequest } from './bench.js';

class CreateVault1800000000003 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `create table drawers (id int primary key, user_id uuid not null, label text not null check (label <> ''), body jsonb, sealed text not null default 'the seal')`,
    );
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table drawers');
  }
}

const drawers: TableDefinition = defineTable({
  name: 'drawers',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, user_id: { type: 'uuid' }, label: { type: 'text' }, body: { type: 'jsonb' } },
  relations: { parts: { table: () => drawers, column: 'id', references: 'id', kind: 'many' } },
  rules: ownRows,
});

/**
 * Requests that our clients never send. The response is a precise refusal: never 500, and never a 503 after which the client would retry.
 */
describe('malicious and malformed requests', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const ana = randomUUID();

  beforeAll(async () => {
    bench = await tableBench(CreateVault1800000000003);
    ({ db, service } = bench);
    await db.query(
      `insert into drawers (id, user_id, label, body) select n, $1, 'gaveta ' || n, '{"a": [5, {"b": [7]}]}' from generate_series(1, 3) n`,
      [ana],
    );
  });
  afterAll(() => bench?.dispose());

  const ask = (method: TableRequest['method'], query = '', more: Partial<TableRequest> = {}) =>
    service.handle(drawers, tableRequest(method, query, testCaller(ana), more));
  const refusal = (...request: Parameters<typeof ask>) =>
    ask(...request).then(
      () => null,
      ({ status, code, details }: { status: number; code: string; details?: { details: string | null } }) => ({
        status,
        code,
        details: details?.details,
      }),
    );

  it('do not find inherited names of JavaScript objects', async () => {
    expect(await ask('GET', 'select=id', { prefer: 'constructor=1, toString, __proto__=x' })).toMatchObject({ status: 200 });
    expect(await refusal('GET', 'select=id,constructor(id)')).toMatchObject({ status: 400, code: 'PGRST200' });
    expect(await refusal('GET', 'select=constructor')).toMatchObject({ status: 400, code: '42703' });
    for (const key of ['constructor', 'toString', '__proto__'])
      expect(
        await refusal('POST', '', { body: JSON.parse(`{"id": 9, "user_id": "${ana}", "label": "x", "${key}": 1}`) as unknown }),
      ).toMatchObject({
        status: 400,
        code: 'PGRST204',
      });
  });

  it('are refused when they contain a NUL character anywhere', async () => {
    for (const query of ['label=eq.%00', 'select=%22a%00b%22:label', '%22a%00%22=eq.1', 'order=%22a%00%22', 'select=body->%22%00%22'])
      expect(await refusal('GET', query)).toMatchObject({ status: 400, code: '22021' });
  });

  it('are refused when logic groups or embedded tables are nested too deeply', async () => {
    const tree = (levels: number) => `or=${'(or'.repeat(levels)}(id.eq.1)${')'.repeat(levels)}`;
    expect(await ask('GET', `select=id&${tree(90)}`)).toMatchObject({ status: 200, body: '[{"id":1}]' });
    expect(await refusal('GET', `select=id&${tree(3000)}`)).toMatchObject({ status: 400, code: 'PGRST100' });
    expect(await refusal('GET', `select=${'parts('.repeat(3000)}id${')'.repeat(3000)}`)).toMatchObject({ status: 400, code: 'PGRST100' });
  });

  it('are refused by the length of a key before it is parsed', async () => {
    expect(await refusal('GET', `${encodeURIComponent('"\\'.repeat(5_000))}=eq.1`)).toMatchObject({ status: 400, code: 'PGRST100' });
    expect(await refusal('GET', `${'parts.'.repeat(2_000)}id=eq.1`)).toMatchObject({ status: 400, code: 'PGRST100' });
  });

  it('are refused by the number of rows or names in the body before anything else', async () => {
    const row = { id: 20, user_id: ana, label: 'x' };
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    for (const body of [Array.from({ length: 1_001 }, () => row), [row, many], [many, row]])
      expect(await refusal('POST', '', { body })).toMatchObject({ status: 400, code: body[0] === many ? 'PGRST204' : 'PGRST102' });
    expect(await refusal('PATCH', 'id=eq.1', { body: many })).toMatchObject({ status: 400, code: 'PGRST204' });
    const long = await ask('POST', '', { body: { ...row, ['k'.repeat(100_000)]: 1 } }).catch((error: unknown) => error as Error);
    expect((long as Error).message.length).toBeLessThan(300);
    const called = new FunctionService(db).handle(new Map(), 'nada', {
      method: 'POST',
      query: '',
      body: many,
      accept: undefined,
      caller: testCaller(ana),
    });
    expect(((await called.catch((error: unknown) => error as Error)) as Error).message.length).toBeLessThan(300);
  });

  it('do not reveal a refused row, which has columns that no client may see', async () => {
    for (const label of ['', null]) {
      const refused = { status: 400, code: label === null ? '23502' : '23514', details: null };
      expect(await refusal('POST', '', { body: { id: 10, user_id: ana, label } })).toEqual(refused);
      expect(await refusal('PATCH', 'id=eq.1', { body: { label } })).toEqual(refused);
    }
  });

  it('get an empty page at the end of a list, and a refusal beyond it', async () => {
    const prefer = 'count=exact';
    expect(await ask('GET', 'select=id&offset=3&limit=3', { prefer })).toMatchObject({
      status: 206,
      body: '[]',
      headers: { 'content-range': '*/3' },
    });
    expect(await refusal('GET', 'select=id&offset=4&limit=3', { prefer })).toMatchObject({
      status: 416,
      code: 'PGRST103',
      details: 'An offset of 4 was requested, but there are only 3 rows.',
    });
    expect(await ask('GET', 'select=id&id=eq.99', { prefer })).toMatchObject({ status: 200, headers: { 'content-range': '*/0' } });
  });

  it('get a value inside of an array under the array’s name', async () => {
    const { body } = await ask('GET', 'select=body->0,body->a->0,body->a->1->b->>0&id=eq.1');
    expect(JSON.parse(body)).toEqual([{ body: null, a: 5, b: '7' }]);
  });

  it('get the rows of a function as CSV too', async () => {
    const pairs = defineFunction({
      name: 'pairs',
      arguments: {},
      returns: 'set',
      call: () => Promise.resolve([{ a: 'um, dois', b: 3 }]),
    });
    const answer = await new FunctionService(db).handle(new Map([['pairs', pairs]]), 'pairs', {
      method: 'POST',
      query: '',
      body: {},
      accept: 'text/csv',
      caller: testCaller(ana),
    });
    expect(answer).toEqual({ status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: 'a,b\n"um, dois",3\n' });
  });
});
