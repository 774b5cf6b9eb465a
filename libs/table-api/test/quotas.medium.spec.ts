import { randomUUID } from 'node:crypto';
import { testCaller } from '@decola/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineTable, sql, type TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench } from './bench.js';

class CreateDrafts1800000000013 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `create table drafts (id uuid primary key default gen_random_uuid(), user_id uuid not null, name text, body jsonb, tags text[], is_draft boolean not null default true,
        unique (user_id, name))`,
    );
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table drafts');
  }
}

const most = 5;
const drafts = defineTable({
  name: 'drafts',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    name: { type: 'text', maxLength: 12, tooLongMessage: 'O nome pode ter no máximo 12 caracteres.' },
    body: { type: 'jsonb', maxLength: 1024 },
    tags: { type: 'text[]' },
    is_draft: { type: 'boolean' },
  },
  rules: ownRows,
  quota: (caller) =>
    caller.role === 'anon'
      ? undefined
      : { rows: sql`t.user_id = ${caller.userId} and t.is_draft`, maxRows: most, refusal: 'Você já tem 5 rascunhos.' },
});

describe('the quota of one person', () => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  let ana: string;

  beforeAll(async () => {
    bench = await tableBench(CreateDrafts1800000000013);
    ({ db, service } = bench);
  });
  beforeEach(() => (ana = randomUUID()));
  afterAll(() => bench?.dispose());

  const write = (method: TableRequest['method'], query: string, body: unknown, prefer?: string) =>
    service.handle(drafts, { method, query, body, prefer, accept: undefined, range: undefined, caller: testCaller(ana) }).then(
      ({ status }) => status,
      ({ status, code, message }: { status: number; code: string; message: string }) => [status, code, message],
    );
  const fill = (count: number, isDraft = true) =>
    db.query(`insert into drafts (user_id, name, is_draft) select $1, 'r' || n || $3, $2 from generate_series(1, $4::int) n`, [
      ana,
      isDraft,
      isDraft ? '' : 'p',
      count,
    ]);
  const count = async () =>
    (await db.query<{ n: number }[]>('select count(*)::int as n from drafts where user_id = $1 and is_draft', [ana]))[0]?.n;
  const refused = [400, 'P0001', 'Você já tem 5 rascunhos.'];

  it('limits the number of rows, with a sentence for the customer', async () => {
    await fill(4);
    expect(await write('POST', '', { user_id: ana, name: 'quinto' })).toBe(201);
    expect(await write('POST', '', { user_id: ana, name: 'sexto' })).toEqual(refused);
    expect(await write('POST', '', { user_id: ana, name: 'publicado', is_draft: false })).toBe(201);
    expect(await write('PATCH', 'name=eq.publicado', { is_draft: true })).toEqual(refused);
    expect(await write('PATCH', 'name=eq.quinto', { name: 'outro' })).toBe(204);
    expect(await write('POST', 'on_conflict=user_id,name', { user_id: ana, name: 'outro' }, 'resolution=merge-duplicates')).toBe(200);
    expect(await write('DELETE', 'name=eq.outro', undefined)).toBe(204);
    expect(await write('PATCH', 'name=eq.publicado', { is_draft: true })).toBe(204);
    expect(await count()).toBe(most);
  });

  it('counts all rows of a request', async () => {
    await fill(3);
    const rows = (n: number) => Array.from({ length: n }, (_, index) => ({ user_id: ana, name: `n${index}`, is_draft: true }));
    expect(await write('POST', '', rows(3))).toEqual(refused);
    expect(await count()).toBe(3);
    expect(await write('POST', '', rows(2))).toBe(201);
  });

  it('holds for concurrent requests', async () => {
    await fill(4);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => write('POST', '', { user_id: ana, name: `junto ${index}` })),
    );
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== 201)).toEqual(Array.from({ length: 7 }, () => refused));
    expect(await count()).toBe(most);
  });

  it('lets somebody who already has more keep and change their rows', async () => {
    await fill(9);
    expect(await write('PATCH', 'name=eq.r1', { name: 'novo' })).toBe(204);
    expect(await write('PATCH', 'name=eq.r2', { is_draft: false })).toBe(204);
    expect(await write('POST', '', { user_id: ana, name: 'mais' })).toEqual(refused);
  });

  it('limits the length of values', async () => {
    const long = [400, 'P0001', 'O nome pode ter no máximo 12 caracteres.'];
    // Twelve characters, whatever their number of bytes or UTF-16 units.
    for (const name of ['a'.repeat(12), 'ç'.repeat(12), '😀'.repeat(12)])
      expect(await write('POST', '', { user_id: ana, name, is_draft: false })).toBe(201);
    expect(await write('POST', '', { user_id: ana, name: 'ç'.repeat(13) })).toEqual(long);
    expect(
      await write('POST', '', [
        { user_id: ana, name: 'a' },
        { user_id: ana, name: 'a'.repeat(13) },
      ]),
    ).toEqual(long);
    expect(await write('PATCH', 'name=eq.x', { name: 'a'.repeat(13) })).toEqual(long);
    expect(await write('POST', '', { user_id: ana, name: { a: 'b'.repeat(12) } })).toEqual(long);
    expect(await write('POST', '', { user_id: ana, body: { a: 'x'.repeat(1_000) } })).toBe(201);
    expect(await write('POST', '', { user_id: ana, body: { a: 'ç'.repeat(600) } })).toEqual([
      400,
      'P0001',
      'O campo “body” pode ter no máximo 1 KB.',
    ]);
    expect(await write('POST', '', { user_id: ana, tags: Array.from({ length: 20_000 }, () => 'abc') })).toEqual([
      400,
      'P0001',
      'O campo “tags” pode ter no máximo 64 KB.',
    ]);
  });
});
