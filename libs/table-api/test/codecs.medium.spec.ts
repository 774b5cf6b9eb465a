import { randomUUID } from 'node:crypto';
import { testCaller } from '@decola/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnCodec, defineTable, type RestError, type TableDefinition, type TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench, tableRequest } from './bench.js';

class CreateSafes1800000000013 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `create table safes (id uuid primary key default gen_random_uuid(), user_id uuid not null, kind text not null, code text, unique (user_id, kind))`,
    );
    await query.query(
      `create table notes (id uuid primary key default gen_random_uuid(), user_id uuid not null, safe_id uuid references safes (id))`,
    );
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notes, safes');
  }
}

/** Backwards, with what it is bound to before it: not secret, but it shows what is stored. */
const codec: ColumnCodec = {
  boundTo: 'user_id',
  encode: (plain, bound) => `${bound.slice(0, 8)}|${[...plain].reverse().join('')}`,
  decode: (stored, bound) =>
    stored.startsWith(`${bound.slice(0, 8)}|`) ? [...stored.slice(bound.slice(0, 8).length + 1)].reverse().join('') : null,
};

describe('a column with a codec', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const seenByHooks: unknown[] = [];
  const safes: TableDefinition = defineTable({
    name: 'safes',
    primaryKey: 'id',
    columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' }, kind: { type: 'text' }, code: { type: 'text', maxLength: 50, codec } },
    rules: ownRows,
    hooks: {
      beforeInsert: (_, row) => {
        seenByHooks.push(row['code']);
        return row;
      },
    },
  });
  const notes: TableDefinition = defineTable({
    name: 'notes',
    primaryKey: 'id',
    columns: { id: { type: 'uuid' }, user_id: { type: 'uuid' }, safe_id: { type: 'uuid' } },
    relations: { safes: { table: () => safes, column: 'safe_id', references: 'id', kind: 'one' } },
    rules: ownRows,
  });

  beforeAll(async () => {
    bench = await tableBench(CreateSafes1800000000013);
    ({ db, service } = bench);
  });
  afterAll(() => bench?.dispose());

  const as = (userId: string, table = safes) => ({
    send: (method: TableRequest['method'], query: string, more: Partial<TableRequest> = {}) =>
      service.handle(table, tableRequest(method, query, testCaller(userId), more)).then(
        ({ status, body }) => ({ status, body }),
        ({ status, code, details }: RestError) => ({ status, code, hint: details?.['hint'] }),
      ),
  });
  const stored = async (userId: string) =>
    (await db.query<{ code: string | null }[]>('select code from safes where user_id = $1 order by kind', [userId])).map(
      ({ code }) => code,
    );

  it('is stored encoded and read plain, in every form of an answer', async () => {
    const ana = randomUUID();
    const code = 'açúcar "1"\n\\ 🔑';
    const body = { user_id: ana, kind: 'a', code };
    const made = await as(ana).send('POST', 'select=code,kind', { body, prefer: 'return=representation' });
    expect(made).toEqual({ status: 201, body: expect.any(String) });
    expect(JSON.parse((made as { body: string }).body)).toEqual([{ code, kind: 'a' }]);
    expect(await stored(ana)).toEqual([codec.encode(code, ana)]);
    expect(seenByHooks.at(-1)).toBe(code);

    const json = async (query: string, more?: Partial<TableRequest>) =>
      JSON.parse(((await as(ana).send('GET', query, more)) as { body: string }).body) as unknown;
    expect(await json('')).toMatchObject([{ code }]);
    expect(await json('select=*,again:code')).toMatchObject([{ code, again: code }]);
    expect(await json('select=code&kind=eq.a', { accept: 'application/vnd.pgrst.object+json' })).toEqual({ code });
    expect(((await as(ana).send('GET', 'select=code', { accept: 'text/csv' })) as { body: string }).body).toBe(
      `code\n"açúcar ""1""\n\\ 🔑"\n`,
    );
    await db.query('insert into notes (user_id, safe_id) select user_id, id from safes where user_id = $1', [ana]);
    const embedded = (await as(ana, notes).send('GET', 'select=safes(code)')) as { body: string };
    expect(JSON.parse(embedded.body)).toEqual([{ safes: { code } }]);
  });

  it('is encoded by an upsert and an update, and null stays null', async () => {
    const bia = randomUUID();
    const upsert = (code: unknown, userId: string = bia) =>
      as(bia).send('POST', 'on_conflict=user_id,kind', {
        body: { user_id: userId, kind: 'a', code },
        prefer: 'resolution=merge-duplicates',
      });
    expect((await upsert('um', bia.toUpperCase())).status).toBe(201);
    expect(await stored(bia)).toEqual([codec.encode('um', bia)]);
    expect((await upsert('dois')).status).toBe(200);
    expect(await stored(bia)).toEqual([codec.encode('dois', bia)]);
    expect((await as(bia).send('PATCH', 'kind=eq.a', { body: { code: 'três' } })).status).toBe(204);
    expect(await stored(bia)).toEqual([codec.encode('três', bia)]);
    expect((await as(bia).send('PATCH', 'kind=eq.a', { body: { kind: 'b' } })).status).toBe(204);
    expect(await stored(bia)).toEqual([codec.encode('três', bia)]);
    expect((await upsert(12)).status).toBe(201);
    expect(await stored(bia)).toEqual([codec.encode('12', bia), codec.encode('três', bia)]);
    expect((await as(bia).send('PATCH', 'kind=eq.a', { body: { code: null } })).status).toBe(204);
    expect(await as(bia).send('GET', 'select=kind&code=is.null')).toEqual({ status: 200, body: '[{"kind":"a"}]' });
    expect(await as(bia).send('GET', 'select=kind&code=not.is.null')).toEqual({ status: 200, body: '[{"kind":"b"}]' });
    // The plain value is what has a length.
    expect(await as(bia).send('PATCH', 'kind=eq.a', { body: { code: 'x'.repeat(51) } })).toMatchObject({ status: 400, code: 'P0001' });
    expect((await as(bia).send('PATCH', 'kind=eq.a', { body: { code: 'x'.repeat(50) } })).status).toBe(204);
  });

  it('is not decoded in another row, and no other value is taken for it', async () => {
    const [cleo, dora] = [randomUUID(), randomUUID()];
    await db.query(`insert into safes (user_id, kind, code) values ($1, 'a', $2)`, [dora, codec.encode('segredo', cleo)]);
    expect(await as(dora).send('GET', 'select=code')).toEqual({ status: 200, body: '[{"code":null}]' });
    await as(cleo).send('POST', '', { body: { user_id: cleo, kind: 'stored:0:61', code: 'x' } });
    expect(await as(cleo).send('GET', 'select=kind')).toEqual({ status: 200, body: '[{"kind":"stored:0:61"}]' });
  });

  it.each([
    ['GET', 'code=eq.x'],
    ['GET', 'code=not.eq.x'],
    ['GET', 'code=like.*x*'],
    ['GET', 'code=in.(x)'],
    ['GET', 'or=(kind.eq.a,code.eq.x)'],
    ['GET', 'order=code'],
    ['GET', 'order=kind,code.desc'],
    ['GET', 'select=code::integer'],
    ['GET', 'select=code->>a'],
    ['PATCH', 'code=eq.x'],
    ['DELETE', 'code=eq.x'],
    ['POST', 'on_conflict=code'],
    ['POST', 'on_conflict=user_id,code'],
  ] as const)('cannot be compared, ordered, cast or upserted by: %s ?%s', async (method, query) => {
    const eva = randomUUID();
    const more =
      method === 'POST' ? { body: { user_id: eva, kind: 'a', code: 'x' }, prefer: 'resolution=merge-duplicates' } : { body: { kind: 'b' } };
    expect(await as(eva).send(method, query, method === 'GET' ? {} : more)).toEqual({ status: 403, code: '42501', hint: 'use o id' });
    expect(await stored(eva)).toEqual([]);
  });

  it('cannot be compared or ordered by where it is embedded either', async () => {
    for (const query of ['select=id,safes(code)&safes.code=eq.x', 'select=id,safes(code)&order=safes(code)'])
      expect(await as(randomUUID(), notes).send('GET', query)).toEqual({ status: 403, code: '42501', hint: 'use o id' });
  });
});
