import { randomUUID } from 'node:crypto';
import { DatabaseModule } from '@decola/database';
import { baseConfig, callerHeader, createService, signCaller } from '@decola/service-kit';
import { eventually, testCaller, testDatabase, testSigningKey } from '@decola/testing';
import { type DynamicModule, Module } from '@nestjs/common';
import { createClient } from '@supabase/supabase-js';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineFunction, defineTable, sql, TableApiModule, type TableDefinition, type TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench, tableRequest } from './bench.js';

class CreateCrates1800000000011 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table crates (id int primary key, user_id uuid not null, label text, body jsonb)');
    await query.query('create table items (id int primary key, crate_id int not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table items, crates');
  }
}

const items: TableDefinition = defineTable({
  name: 'items',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, crate_id: { type: 'integer' } },
  rules: () => ({ select: { where: sql`true` } }),
});
const crates: TableDefinition = defineTable({
  name: 'crates',
  primaryKey: 'id',
  columns: {
    id: { type: 'integer' },
    user_id: { type: 'uuid' },
    label: { type: 'text' },
    body: { type: 'jsonb', maxLength: 4 * 1024 * 1024 },
  },
  relations: { items: { table: () => items, column: 'id', references: 'crate_id', kind: 'many' } },
  rules: ownRows,
});
/** A table whose reads take until the statement's time-out. */
const slow: TableDefinition = defineTable({
  name: 'slow',
  relation: 'crates',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, nap: { type: 'text', expression: sql`pg_sleep(6)::text` } },
  rules: (caller) => (caller.role === 'anon' ? {} : { select: { where: sql`t.user_id = ${caller.userId}` } }),
});

const list = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join(',');

describe('limits of one request', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const [ana, bia, eva] = [randomUUID(), randomUUID(), randomUUID()];

  beforeAll(async () => {
    bench = await tableBench(CreateCrates1800000000011);
    ({ db, service } = bench);
    // A megabyte each, which PostgreSQL compresses to a few kilobytes.
    await db.query(
      `insert into crates (id, user_id, label, body) select n, $1, 'caixa', jsonb_build_object('a', repeat('x', 1000000), 'b', n) from generate_series(1, 12) n`,
      [ana],
    );
    await db.query(`insert into crates (id, user_id, label) select n, $1, 'pequena' from generate_series(1001, 2500) n`, [bia]);
    await db.query(`insert into crates (id, user_id, label, body) values (5000, $1, 'grande', to_jsonb(repeat('x', 9000000)))`, [eva]);
    await db.query(`insert into items (id, crate_id) select n, 1 from generate_series(1, 1200) n`);
  });
  afterAll(() => bench?.dispose());

  const ask = (method: TableRequest['method'], query: string, userId: string = ana, more: Partial<TableRequest> = {}, table = crates) =>
    service.handle(table, tableRequest(method, query, testCaller(userId), more));
  const refusal = (...request: Parameters<typeof ask>) =>
    ask(...request).then(
      ({ body }) => `accepted with ${body.length} bytes`,
      ({ status, code, details }: { status: number; code: string; details?: { details: string | null; hint: string | null } }) => ({
        status,
        code,
        ...details,
      }),
    );
  const tooMuch = (words: RegExp) => ({ status: 400, code: 'PGRST100', details: expect.stringMatching(words) as string, hint: null });

  it('limits terms of select, also of embedded tables', async () => {
    expect(await refusal('GET', `limit=1&select=${list(60, (index) => `a${index}:body->k${index % 20}`)}`)).toEqual(
      tooMuch(/3 times|20 places/),
    );
    const distinct = (count: number) => list(count, (index) => `a${index}:${['id', 'user_id', 'label'][index % 3]}`);
    expect(await refusal('GET', `limit=1&select=${distinct(9)}`)).toMatch(/^accepted/);
    expect(await refusal('GET', `limit=1&select=id,${list(60, (index) => `e${index}:items(id)`)}`)).toEqual(tooMuch(/60 terms/));
    expect(await refusal('GET', `limit=1&select=${list(30, (index) => `e${index}:items(id)`)}`)).toMatch(/^accepted/);
  });

  it('limits how often select names a column or paths into it', async () => {
    expect(await refusal('GET', `id=eq.1&select=${list(3, (index) => `a${index}:label`)}`)).toMatch(/^accepted/);
    for (const query of [
      `select=${list(60, (index) => `a${index}:body`)}`,
      `select=${list(4, (index) => `a${index}:body`)}`,
      `select=${list(4, (index) => `a${index}:body::text`)}`,
      `select=${list(4, (index) => `a${index}:body->a`)}`,
      'select=*,*,*,body',
      `select=id,items(${list(4, (index) => `a${index}:id`)})`,
    ])
      expect([query, await refusal('GET', `id=eq.1&${query}`)]).toEqual([query, tooMuch(/3 times/)]);
    expect(await refusal('GET', `id=eq.1&select=${list(20, (index) => `body->k${index}`)}`)).toMatch(/^accepted/);
    expect(await refusal('GET', `id=eq.1&select=${list(21, (index) => `body->k${index}`)}`)).toEqual(tooMuch(/20 places/));
  });

  it('limits columns to order by, and steps of a path', async () => {
    expect(await refusal('GET', `limit=1&select=id&order=${list(10, (index) => `body->k${index}`)}`)).toMatch(/^accepted/);
    expect(await refusal('GET', `limit=1&select=id&order=${list(11, (index) => `body->k${index}`)}`)).toEqual(tooMuch(/10 terms/));
    expect(await refusal('GET', `select=id,items(id)&order=${list(6, () => 'id')}&items.order=${list(6, () => 'id')}`)).toEqual(
      tooMuch(/10 terms/),
    );
    const path = (steps: number) => `body${'->a'.repeat(steps)}`;
    for (const query of ['select=PATH', 'select=id&order=PATH', 'select=id&PATH=is.null', 'select=id&or=(PATH.is.null)']) {
      expect(await refusal('GET', `id=eq.1&${query.replace('PATH', path(5))}`)).toMatch(/^accepted/);
      expect(await refusal('GET', `id=eq.1&${query.replace('PATH', path(6))}`)).toEqual(tooMuch(/5 steps/));
    }
  });

  it('limits filters anywhere in the request; a list of a thousand values counts once', async () => {
    const group = (count: number) => `or=(${list(count, (index) => `id.eq.${index}`)})`;
    expect(await refusal('GET', `select=id&${group(50)}`)).toMatch(/^accepted/);
    expect(await refusal('GET', `select=id&${group(51)}`)).toEqual(tooMuch(/50 of them/));
    expect(await refusal('GET', `select=id,items(id)&${group(40)}&items.${group(11)}`)).toEqual(tooMuch(/50 of them/));
    expect(await refusal('PATCH', group(51), ana, { body: { label: 'x' } })).toEqual(tooMuch(/50 of them/));
    expect(await refusal('GET', `select=id&id=in.(${list(2_000, String)})`)).toMatch(/^accepted/);
  });

  it('returns a thousand rows, and the total as count', async () => {
    for (const limit of ['', '&limit=5000']) {
      const answer = await ask('GET', `select=id&order=id${limit}`, bia, { prefer: 'count=exact' });
      expect([answer.status, answer.headers['content-range']]).toEqual([206, '0-999/1500']);
      expect(JSON.parse(answer.body)).toHaveLength(1_000);
    }
    expect(JSON.parse((await ask('GET', 'select=id&order=id&offset=1000', bia)).body)).toHaveLength(500);
    const [crate] = JSON.parse((await ask('GET', 'select=id,items(id)&id=eq.1')).body) as { items: unknown[] }[];
    expect(crate?.items).toHaveLength(1_000);
    expect(await refusal('PATCH', '', bia, { body: { label: 'y' } })).toMatchObject({ status: 400, code: '54000' });
    expect(await refusal('DELETE', '', bia)).toMatchObject({ status: 400, code: '54000' });
    expect(await db.query(`select count(*)::int as left from crates where user_id = $1 and label = 'pequena'`, [bia])).toEqual([
      { left: 1_500 },
    ]);
  });

  it('limits the bytes of a response, measured in the database, and says what to do', async () => {
    const refused = {
      status: 400,
      code: '54000',
      details: expect.stringMatching(/1200\d{4} bytes/) as string,
      hint: expect.stringMatching(/select.*limit/) as string,
    };
    expect(await refusal('GET', 'select=body')).toEqual(refused);
    expect(await refusal('GET', 'select=body', ana, { accept: 'text/csv' })).toEqual(refused);
    expect(await refusal('GET', 'select=body&limit=7')).toMatch(/^accepted with 7000\d{3}/);
    expect(await ask('HEAD', 'select=body')).toMatchObject({ status: 200, body: '', headers: { 'content-range': '0-11/*' } });
    expect(await refusal('PATCH', 'label=eq.caixa', ana, { body: { label: 'nova' }, prefer: 'return=representation' })).toEqual({
      ...refused,
      details: expect.any(String) as string,
    });
    expect(JSON.parse((await ask('GET', 'select=label&id=eq.1')).body)).toEqual([{ label: 'caixa' }]);
    // A single row may be larger, so that a whole article can be read; two of them may not.
    expect(await refusal('GET', 'select=body', eva)).toMatch(/^accepted with 9000/);
    expect(await refusal('GET', 'select=body,again:body', eva)).toMatchObject({ code: '54000' });
  });

  it('limits the time of a statement to four seconds, and the connection stays usable', async () => {
    // The nap lasts two seconds longer than the limit.
    expect(await refusal('GET', 'select=nap&limit=1', ana, {}, slow)).toMatchObject({ status: 500, code: '57014' });
    expect(
      await db.query(
        `select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      ),
    ).toEqual([{ open: 0 }]);
    expect(await refusal('PATCH', 'id=eq.1', ana, { body: { label: 'caixa' } })).toMatch(/^accepted/);
  });

  it('escapes formulas in CSV cells and column names', async () => {
    await db.query(`insert into crates (id, user_id, label) values (6000, $1, '=1+1'), (6001, $1, '-2'), (6002, $1, '@x')`, [eva]);
    const { body } = await ask('GET', `select=id,"=cmd":label&id=gte.6000&order=id`, eva, { accept: 'text/csv' });
    expect(body).toBe(`id,'=cmd\n6000,'=1+1\n6001,'-2\n6002,'@x\n`);
  });
});

describe('concurrent requests of one person', () => {
  let waiting = 0;
  let most = 0;
  let release: (() => void)[] = [];
  const held = defineFunction({
    name: 'held',
    arguments: {},
    returns: 'scalar',
    call: async () => {
      waiting += 1;
      most = Math.max(most, waiting);
      await new Promise<void>((resolve) => release.push(resolve));
      waiting -= 1;
      return true;
    },
  });

  @Module({})
  class HeldModule {}

  it('are limited; further ones wait for a short time, and other people’s do not wait', async () => {
    const database = await testDatabase({ migrations: [CreateCrates1800000000011] });
    const app = await createService({
      name: 'held',
      configSchema: baseConfig.extend({}),
      module: (): DynamicModule => ({
        module: HeldModule,
        imports: [
          DatabaseModule.forRoot({ url: database.url, poolSize: 40 }),
          TableApiModule.forRoot({ signingKey: testSigningKey, tables: [crates], functions: [held] }),
        ],
      }),
      environment: { PORT: '0', LOG_LEVEL: 'silent' },
    });
    try {
      const url = await app.getUrl();
      const as = (userId: string) =>
        createClient(url, 'key', {
          auth: { persistSession: false },
          global: { headers: { [callerHeader]: signCaller(testCaller(userId), testSigningKey) } },
        });
      const [ana, bia] = [as(randomUUID()), as(randomUUID())];
      const calls = Array.from({ length: 60 }, () => ana.rpc('held').then(({ status }) => status));
      await eventually(() => expect(waiting).toBe(4));
      expect((await bia.from('crates').select('id')).status).toBe(200);
      const refused = await fetch(`${url}/rest/v1/crates`, {
        headers: { [callerHeader]: (ana as unknown as { headers: Record<string, string> }).headers[callerHeader]! },
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refused.json()).toMatchObject({ code: 'too_many_requests', details: null, hint: null });
      let isOver = false;
      const statuses = Promise.all(calls).finally(() => (isOver = true));
      while (!isOver) {
        for (const go of release.splice(0)) go();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(most).toBe(4);
      expect((await statuses).every((status) => status === 200 || status === 429)).toBe(true);
      expect((await ana.from('crates').select('id')).status).toBe(200);
    } finally {
      for (const go of release) go();
      release = [];
      await app.close();
      await database.dispose();
    }
  });
});
