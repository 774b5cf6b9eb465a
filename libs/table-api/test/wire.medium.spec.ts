import { randomUUID } from 'node:crypto';
import { testCaller } from '@decola/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineTable, ExistingRow, sql, type TableDefinition, type TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench, tableRequest } from './bench.js';

class CreateShelves1800000000002 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `create table shelves (id int primary key, user_id uuid not null, label text not null default 'sem nome', height int default 7, unique (user_id, label))`,
    );
    await query.query(
      'create table books (id int primary key, shelf_id int references shelves (id), title text not null, hidden boolean not null default false)',
    );
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table books, shelves');
  }
}

const books: TableDefinition = defineTable({
  name: 'books',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, shelf_id: { type: 'integer' }, title: { type: 'text' } },
  relations: { shelves: { table: () => shelves, column: 'shelf_id', references: 'id', kind: 'one' } },
  rules: () => ({ select: { where: sql`not t.hidden` } }),
});
const shelves: TableDefinition = defineTable({
  name: 'shelves',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, user_id: { type: 'uuid' }, label: { type: 'text' }, height: { type: 'integer' } },
  relations: { books: { table: () => books, column: 'id', references: 'shelf_id', kind: 'many' } },
  rules: ownRows,
  hooks: { beforeInsert: (_, row) => (row['height'] === 404 ? new ExistingRow(row['id']) : row) },
});

describe('the wire form', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const ana = randomUUID();
  const bia = randomUUID();
  let lastId = 0;

  beforeAll(async () => {
    bench = await tableBench(CreateShelves1800000000002);
    ({ db, service } = bench);
  });
  afterAll(() => bench?.dispose());

  const ask = async (method: TableRequest['method'], query: string, more: Partial<TableRequest> = {}, table = shelves) => {
    const { status, headers, body } = await service.handle(table, tableRequest(method, query, testCaller(ana), more));
    return { status, headers, body };
  };
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'accepted',
      (error: { status: number; code: string }) => [error.status, error.code],
    );
  const shelf = async (userId = ana, label: string = randomUUID()) => {
    const id = ++lastId;
    await db.query('insert into shelves (id, user_id, label) values ($1, $2, $3)', [id, userId, label]);
    return id;
  };
  const object = 'application/vnd.pgrst.object+json';
  const representation = 'return=representation';

  it('of inserts', async () => {
    const body = (label: string) => ({ id: ++lastId, user_id: ana, label });
    expect(await ask('POST', '', { body: body('um') })).toMatchObject({ status: 201, headers: { 'content-range': '*/*' }, body: '' });
    const shown = await ask('POST', 'select=label,height', { body: body('dois'), prefer: representation });
    expect([shown.status, JSON.parse(shown.body), shown.headers['preference-applied']]).toEqual([
      201,
      [{ label: 'dois', height: 7 }],
      'return=representation',
    ]);
    const single = await ask('POST', 'select=label', { body: body('três'), prefer: representation, accept: object });
    expect([JSON.parse(single.body), single.headers['content-type']]).toEqual([{ label: 'três' }, `${object}; charset=utf-8`]);
    const headersOnly = await ask('POST', '', { body: body('quatro'), prefer: 'return=headers-only' });
    expect([headersOnly.body, headersOnly.headers['location']]).toEqual(['', `/shelves?id=eq.${lastId}`]);
    expect(await ask('POST', '', { body: [] })).toMatchObject({ status: 201, body: '' });
  });

  it('of missing keys: defaults for one object, null for lists, defaults on request', async () => {
    const rows = async (query: string, body: unknown, prefer = representation) =>
      JSON.parse((await ask('POST', `select=label,height&${query}`, { body, prefer })).body) as unknown;
    expect(await rows('', { id: ++lastId, user_id: ana })).toEqual([{ label: 'sem nome', height: 7 }]);
    expect(await rows('columns="id","user_id","label","height"', [{ id: ++lastId, user_id: ana, label: 'x1', foo: 1 }])).toEqual([
      { label: 'x1', height: null },
    ]);
    expect(
      await rows(
        'columns="id","user_id","label","height"',
        [{ id: ++lastId, user_id: ana, label: 'x2' }],
        `missing=default,${representation}`,
      ),
    ).toEqual([{ label: 'x2', height: 7 }]);
    expect(
      await refusal(
        ask('POST', '', {
          body: [
            { id: ++lastId, user_id: ana, label: 'x3' },
            { id: ++lastId, user_id: ana },
          ],
        }),
      ),
    ).toEqual([400, 'PGRST102']);
  });

  it('of a request that fails in part: nothing is written', async () => {
    const before = (await ask('GET', 'select=id', { prefer: 'count=exact' })).headers['content-range'];
    const body = [
      { id: ++lastId, user_id: ana, label: 'própria' },
      { id: ++lastId, user_id: bia, label: 'alheia' },
    ];
    expect(await refusal(ask('POST', '', { body }))).toEqual([403, '42501']);
    expect(await refusal(ask('POST', '', { body: body[0], caller: { role: 'anon' } }))).toEqual([401, '42501']);
    expect(await refusal(ask('POST', '', { body: [body[0], { ...body[0], id: ++lastId }] }))).toEqual([409, '23505']);
    expect((await ask('GET', 'select=id', { prefer: 'count=exact' })).headers['content-range']).toBe(before);
  });

  it('of updates', async () => {
    const id = await shelf();
    expect(await ask('PATCH', `id=eq.${id}`, { body: { height: 9 } })).toMatchObject({
      status: 204,
      headers: { 'content-range': '0-0/*' },
      body: '',
    });
    expect(await ask('PATCH', 'id=eq.-1', { body: { height: 9 } })).toMatchObject({ status: 204, headers: { 'content-range': '*/*' } });
    expect(await ask('PATCH', 'id=eq.-1', { body: { height: 9 }, prefer: representation })).toMatchObject({ status: 200, body: '[]' });
    expect(await ask('PATCH', `id=eq.${id}`, { body: {} })).toMatchObject({ status: 204 });
    expect(await ask('PATCH', `id=eq.${id}`, { body: {}, prefer: representation })).toMatchObject({ status: 200, body: '[]' });
    // The response shows the row although it no longer matches the filter.
    const changed = await ask('PATCH', `select=height&id=eq.${id}&height=eq.9`, {
      body: { height: 10 },
      prefer: `count=exact,${representation}`,
    });
    expect([JSON.parse(changed.body), changed.headers['content-range']]).toEqual([[{ height: 10 }], '0-0/1']);
    expect(await refusal(ask('PATCH', `id=eq.${id}`, { body: { user_id: bia } }))).toEqual([403, '42501']);
    expect(await refusal(ask('PATCH', `id=eq.${id}`, { body: { nada: 1 } }))).toEqual([400, 'PGRST204']);
    const foreign = await shelf(bia);
    expect(await ask('PATCH', `id=eq.${foreign}`, { body: { height: 1 } })).toMatchObject({
      status: 204,
      headers: { 'content-range': '*/*' },
    });
    expect(await db.query('select height from shelves where id = $1', [foreign])).toEqual([{ height: 7 }]);
  });

  it('of deletes', async () => {
    const id = await shelf();
    expect(await refusal(ask('DELETE', 'id=gte.0', { prefer: representation, accept: object }))).toEqual([406, 'PGRST116']);
    const shown = await ask('DELETE', `select=id&id=eq.${id}`, { prefer: representation });
    expect([shown.status, shown.body.replace(/\s/g, '')]).toEqual([200, `[{"id":${id}}]`]);
    expect(await ask('DELETE', `id=eq.${id}`)).toMatchObject({ status: 204, headers: { 'content-range': '*/*' }, body: '' });
    const foreign = await shelf(bia);
    expect((await ask('DELETE', `id=eq.${foreign}`)).status).toBe(204);
    expect(await db.query('select 1 as here from shelves where id = $1', [foreign])).toEqual([{ here: 1 }]);
  });

  it('of upserts', async () => {
    const id = await shelf(ana, 'mesma');
    const merge = (body: unknown, query = 'on_conflict=user_id,label') =>
      ask('POST', query, { body, prefer: 'resolution=merge-duplicates' });
    expect((await merge([{ id, user_id: ana, label: 'mesma', height: 1 }])).status).toBe(200);
    expect(
      (
        await merge([
          { id, user_id: ana, label: 'mesma', height: 2 },
          { id: ++lastId, user_id: ana, label: 'nova', height: 2 },
        ])
      ).status,
    ).toBe(201);
    expect(await db.query('select height from shelves where id = $1', [id])).toEqual([{ height: 2 }]);
    const foreign = await shelf(bia);
    expect(await refusal(merge({ id: foreign, user_id: ana, label: 'roubo' }, ''))).toEqual([403, '42501']);
    expect(await db.query('select user_id from shelves where id = $1', [foreign])).toEqual([{ user_id: bia }]);
    expect(await refusal(merge({ id, user_id: ana, label: 'mesma' }, 'on_conflict=height'))).toEqual([400, '42P10']);
    // An empty body sets nothing; the shelf would be a new one, and lacks its id.
    expect(await refusal(merge({}, ''))).toEqual([400, '23502']);
  });

  it('of an existing row that is returned for an insert, checked by the same rule', async () => {
    const [own, foreign] = [await shelf(), await shelf(bia)];
    const body = (id: number) => ({ id, user_id: ana, label: 'x', height: 404 });
    const answer = await ask('POST', 'select=id', { body: body(own), prefer: representation });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([201, [{ id: own }]]);
    expect(await refusal(ask('POST', '', { body: body(foreign) }))).toEqual([403, '42501']);
    expect(await refusal(ask('POST', '', { body: body(-1) }))).toEqual([403, '42501']);
  });

  it('of reads: HEAD, csv, ranges, media types', async () => {
    const id = await shelf(ana, 'vírgula, "aspas"');
    expect(await ask('HEAD', `id=eq.${id}`, { prefer: 'count=exact' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-range': '0-0/1' },
    });
    expect((await ask('HEAD', 'id=eq.-1', { prefer: 'count=exact' })).headers['content-range']).toBe('*/0');
    expect((await ask('GET', 'id=eq.-1')).headers['content-range']).toBe('*/*');
    expect(await ask('GET', `select=id,label&id=eq.${id}`, { accept: 'text/csv' })).toMatchObject({
      body: `id,label\n${id},"vírgula, ""aspas"""\n`,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
    expect(await refusal(ask('GET', '', { accept: 'image/png' }))).toEqual([406, 'PGRST107']);
    expect(await refusal(ask('GET', 'limit=-1'))).toEqual([416, 'PGRST103']);
    expect((await ask('GET', 'limit=0')).body).toBe('[]');
    expect((await ask('GET', 'order=id', { range: '0-0' })).headers['content-range']).toBe('0-0/*');
    expect(await refusal(ask('GET', '', { caller: { role: 'anon' } }))).toEqual([401, '42501']);
  });

  it('of embedded tables: objects, lists, null, and only what the caller may read', async () => {
    const [full, empty, foreign] = [await shelf(ana, 'cheia'), await shelf(ana, 'vazia'), await shelf(bia, 'alheia')];
    await db.query(
      `insert into books values (1, $1, 'A', false), (2, $1, 'B', false), (3, $1, 'oculto', true), (4, $2, 'C', false), (5, null, 'D', false)`,
      [full, foreign],
    );
    const get = async (query: string, table = shelves) => JSON.parse((await ask('GET', query, {}, table)).body) as unknown;
    const both = `id=in.(${full},${empty})&order=id`;
    expect(await get(`select=label,books(title)&${both}&books.order=title.desc`)).toEqual([
      { label: 'cheia', books: [{ title: 'B' }, { title: 'A' }] },
      { label: 'vazia', books: [] },
    ]);
    expect(await get(`select=label,livros:books(title)&${both}&livros.title=eq.A&livros.limit=1`)).toEqual([
      { label: 'cheia', livros: [{ title: 'A' }] },
      { label: 'vazia', livros: [] },
    ]);
    expect(await get(`select=label,books!inner(title)&${both}&books.title=eq.oculto`)).toEqual([]);
    expect(await get(`select=label,books()&${both}&books=is.null`)).toEqual([{ label: 'vazia' }]);
    expect(await get('select=title,shelves(label)&order=id', books)).toEqual([
      { title: 'A', shelves: { label: 'cheia' } },
      { title: 'B', shelves: { label: 'cheia' } },
      { title: 'C', shelves: null },
      { title: 'D', shelves: null },
    ]);
    expect(await get('select=title&order=id&shelves.label=eq.alheia&select=title,shelves!inner(label)', books)).toEqual([]);
    expect(await refusal(ask('GET', 'select=label,nada(x)'))).toEqual([400, 'PGRST200']);
    expect(await refusal(ask('GET', 'books.title=eq.A'))).toEqual([400, 'PGRST108']);
    expect(await refusal(ask('GET', 'select=label,books(title)&order=books(title)'))).toEqual([400, 'PGRST118']);
    expect(await refusal(ask('GET', 'select=label,books(title)&books=eq.1'))).toEqual([400, 'PGRST120']);
  });

  it('repeats a request that PostgreSQL cancelled because of a deadlock, and its effect counts once', async () => {
    const [one, other] = [await shelf(), await shelf()];
    const label = randomUUID();
    let attempts = 0;
    const cancelled: TableDefinition = defineTable({
      ...shelves,
      hooks: {
        afterUpdate: async ({ manager }) => {
          await manager.query('update shelves set height = height + 1 where id = $1', [other]);
          attempts += 1;
          // A real deadlock may end the other transaction instead.
          if (attempts === 1) await manager.query(`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`);
        },
      },
    });
    const heightOf = async () => (await db.query<[{ height: number }]>('select height from shelves where id = $1', [other]))[0].height;
    const before = await heightOf();
    expect(await ask('PATCH', `id=eq.${one}`, { body: { label } }, cancelled)).toMatchObject({ status: 204 });
    expect(attempts).toBe(2);
    expect(await heightOf()).toBe(before + 1);
    expect((await ask('GET', `select=label&id=eq.${one}`)).body).toBe(JSON.stringify([{ label }]));
  });
});
