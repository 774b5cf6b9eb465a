import { randomUUID } from 'node:crypto';
import { anonymousCaller, type Caller } from '@decola/service-kit';
import { testCaller } from '@decola/testing';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { defineTable, sql, type TableDefinition, type TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';
import { ownRows, type TableBench, tableBench } from './bench.js';

class CreateKeys1800000000012 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table houses (id uuid primary key default gen_random_uuid(), user_id uuid not null)');
    await query.query(
      `create table doors (id uuid primary key default gen_random_uuid(), user_id uuid not null, label text not null check (label <> ''), slug text,
        house_id uuid references houses (id), unique (user_id, label))`,
    );
    await query.query('create unique index doors_slug on doors (lower(slug)) where slug is not null');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table doors, houses');
  }
}

const columns = {
  id: { type: 'uuid' },
  user_id: { type: 'uuid' },
  label: { type: 'text' },
  slug: { type: 'text' },
  house_id: { type: 'uuid' },
} as const;
const rules: Record<string, TableDefinition['rules']> = {
  'own rows': ownRows,
  'own rows under own parents': (caller: Caller) => {
    if (caller.role === 'anon') return {};
    const own = sql`t.user_id = ${caller.userId}`;
    const check = sql`${own} and (t.house_id is null or exists (select 1 from houses h where h.id = t.house_id and h.user_id = ${caller.userId}))`;
    return { select: { where: own }, insert: { check }, update: { where: own, check }, delete: { where: own } };
  },
};

describe.each(Object.keys(rules))('a write to %s tells nothing of rows that its writer cannot see', (kind) => {
  let bench: TableBench;
  let db: DataSource;
  let service: TableService;
  const doors = defineTable({ name: 'doors', primaryKey: 'id', columns, rules: rules[kind]! });
  const [ana, bia] = [randomUUID(), randomUUID()];
  /** What is Bia's, and what nobody has. */
  const [taken, free] = [
    { id: randomUUID(), user_id: bia, label: 'porta', slug: 'Porta', house_id: randomUUID() },
    { id: randomUUID(), user_id: randomUUID(), label: 'nenhuma', slug: 'nenhuma', house_id: randomUUID() },
  ];
  const own = { id: randomUUID(), user_id: ana, label: 'minha', slug: 'minha' };

  beforeAll(async () => {
    bench = await tableBench(CreateKeys1800000000012);
    ({ db, service } = bench);
    await db.query('insert into houses (id, user_id) values ($1, $2)', [taken.house_id, bia]);
    await db.query('insert into doors (id, user_id, label, slug, house_id) values ($1, $2, $3, $4, $5)', Object.values(taken));
    await db.query('insert into doors (id, user_id, label, slug) values ($1, $2, $3, $4)', Object.values(own));
  });
  afterAll(() => bench?.dispose());

  const told = (method: TableRequest['method'], query: string, body: unknown, caller: Caller, prefer?: string) =>
    service.handle(doors, { method, query, body, prefer, accept: undefined, range: undefined, caller }).then(
      ({ status }) => ({ status }),
      ({ status, code, message }: { status: number; code: string; message: string }) => ({ status, code, message }),
    );
  const everything = () => db.query('select * from doors order by id');

  const rows: Record<string, Record<string, string>> = {
    'for somebody else': { user_id: 'user_id' },
    'for somebody else, with their label': { user_id: 'user_id', label: 'label' },
    'for somebody else, that fails a check': { user_id: 'user_id', label: '' },
    'of their id': { id: 'id' },
    'of their slug': { slug: 'slug' },
    // This rule does not check the parent, so any parent is accepted.
    ...(kind === 'own rows' ? {} : { 'under their parent': { house_id: 'house_id' } }),
  };
  const made = (row: Record<string, string>, from: typeof taken) =>
    Object.fromEntries(Object.entries(row).map(([column, source]) => [column, source === '' ? '' : from[source as keyof typeof taken]]));
  const prefers = [undefined, 'return=representation', 'resolution=merge-duplicates', 'resolution=ignore-duplicates'];

  it.each(Object.entries(rows))('that is made %s', async (what, row) => {
    const before = await everything();
    for (const prefer of prefers)
      for (const on of prefer?.startsWith('resolution') ? ['', 'on_conflict=user_id,label', 'on_conflict=id'] : ['']) {
        const body = { user_id: ana, label: `nova ${randomUUID()}`, ...made(row, taken) };
        expect([prefer, on, await told('POST', on, body, testCaller(ana), prefer)]).toEqual([
          prefer,
          on,
          { status: 403, code: '42501', message: expect.stringContaining('row-level security') as string },
        ]);
        expect(await told('POST', on, body, anonymousCaller, prefer)).toMatchObject({ status: 401, code: '42501' });
        expect(await told('POST', on, [body], testCaller(ana), prefer)).toMatchObject({ status: 403, code: '42501' });
        // The same response as for a row that does not exist.
        if ('user_id' in row || 'house_id' in row)
          expect(await told('POST', on, { ...body, ...made(row, free) }, testCaller(ana), prefer)).toEqual(
            await told('POST', on, body, testCaller(ana), prefer),
          );
      }
    expect(await everything()).toEqual(before);
    void what;
  });

  it.each(Object.entries(rows))('that is changed to be one %s', async (_, row) => {
    const before = await everything();
    expect(await told('PATCH', `id=eq.${own.id}`, made(row, taken), testCaller(ana))).toMatchObject({ status: 403, code: '42501' });
    expect(await told('PATCH', `id=eq.${own.id}`, made(row, taken), anonymousCaller)).toMatchObject({ status: 401, code: '42501' });
    // For her, somebody else's row does not exist.
    expect(await told('PATCH', `id=eq.${taken.id}`, made(row, taken), testCaller(ana))).toEqual({ status: 204 });
    expect(await everything()).toEqual(before);
  });

  it('and shows PostgreSQL’s own error when the conflict is with her own row', async () => {
    const again = { user_id: ana, label: own.label };
    expect(await told('POST', '', again, testCaller(ana))).toMatchObject({
      status: 409,
      code: '23505',
      message: expect.stringContaining('doors_user_id_label_key') as string,
    });
    expect(await told('POST', '', { user_id: ana, label: 'x', slug: 'MINHA' }, testCaller(ana))).toMatchObject({
      status: 409,
      code: '23505',
    });
    expect(
      await told(
        'POST',
        '',
        [
          { user_id: ana, label: 'dois' },
          { user_id: ana, label: 'dois' },
        ],
        testCaller(ana),
      ),
    ).toMatchObject({ status: 409, code: '23505' });
    expect(await told('POST', '', { user_id: ana, label: '' }, testCaller(ana))).toMatchObject({ status: 400, code: '23514' });
    expect(await told('POST', '', { label: 'sem dono' }, testCaller(ana))).toMatchObject({ status: 400, code: '23502' });
    expect(await told('POST', 'on_conflict=user_id,label', again, testCaller(ana), 'resolution=ignore-duplicates')).toEqual({
      status: 201,
    });
    expect(await told('POST', 'on_conflict=user_id,label', again, testCaller(ana), 'resolution=merge-duplicates')).toEqual({ status: 200 });
    const house = randomUUID();
    await db.query('insert into houses (id, user_id) values ($1, $2)', [house, ana]);
    expect(await told('POST', '', { user_id: ana, label: 'em casa', house_id: house }, testCaller(ana))).toEqual({ status: 201 });
  });
});
