import { randomUUID } from 'node:crypto';
import { DatabaseModule } from '@decola/database';
import { type Caller, baseConfig, callerHeader, createService, signCaller } from '@decola/service-kit';
import { testCaller, testDatabase, type TestDatabase, testSigningKey } from '@decola/testing';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { defineFunction, defineTable, RestError, sql, TableApiModule } from '../src/index.js';

class CreateShop1800000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table plans (id uuid primary key default gen_random_uuid(), name text not null, max_slots int not null)');
    await query.query(`create table notes (
      id uuid primary key default gen_random_uuid(), user_id uuid not null, title text not null check (length(title) < 50), body jsonb, tags text[], days int[],
      rank int, price numeric, secret text, plan_id uuid references plans (id), created_at timestamptz not null default clock_timestamp(),
      constraint notes_title_once unique (user_id, title))`);
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notes, plans');
  }
}

const plans = defineTable({
  name: 'plans',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, name: { type: 'text' }, max_slots: { type: 'integer' } },
  rules: () => ({ select: { where: sql`true` } }),
});

const trace: string[] = [];

const notes = defineTable({
  name: 'notes',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid' },
    title: { type: 'text' },
    body: { type: 'jsonb' },
    tags: { type: 'text[]' },
    days: { type: 'int[]' },
    rank: { type: 'integer' },
    price: { type: 'numeric' },
    plan_id: { type: 'uuid' },
    created_at: { type: 'timestamptz' },
    shout: { type: 'text', expression: sql`upper(t.title)` },
  },
  internal: { secret: 'text' },
  relations: { plans: { table: () => plans, column: 'plan_id', references: 'id', kind: 'one' } },
  rules: (caller: Caller, { equalityFilters }) => {
    if (caller.role === 'anon') {
      // Anonymous callers read one note by its id, and not all of its columns.
      const [id] = equalityFilters.get('id') ?? [];
      return id === undefined
        ? { select: { where: sql`false`, columns: ['id', 'title'] } }
        : { select: { where: sql`t.id::text = ${id}`, columns: ['id', 'title'] } };
    }
    const own = sql`t.user_id = ${caller.userId}`;
    return {
      select: { where: own },
      insert: { check: own, columns: ['user_id', 'title', 'body', 'tags', 'days', 'rank', 'price', 'plan_id'] },
      update: { where: own, check: own, columns: ['user_id', 'title', 'body', 'rank', 'price'] },
      delete: { where: own },
    };
  },
  hooks: {
    beforeInsert: (_, row) => {
      if ((row['title'] as string | null)?.trim() === 'forbidden') throw new RestError(400, 'P0001', 'Este título não pode.');
      return { ...row, secret: 'sealed' };
    },
    afterUpdate: (_, before, after) => void trace.push(`${String(before['title'])}→${String(after['title'])}`),
    afterDelete: (_, row) => void trace.push(`-${String(row['title'])}`),
  },
});

const freeSlots = defineFunction({
  name: 'get_free',
  arguments: { p_user_id: 'uuid' },
  returns: 'scalar',
  call: ({ caller }, { p_user_id }) => {
    if (caller.role !== 'authenticated' || caller.userId !== p_user_id)
      throw new RestError(403, '42501', 'permission denied for function get_free');
    return Promise.resolve(3);
  },
});
const nothing = defineFunction({ name: 'touch', arguments: {}, returns: 'void', volatile: true, call: () => Promise.resolve() });

@Module({})
class ShopModule {}

describe('the published client', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let url: string;
  const ana = randomUUID();
  const bia = randomUUID();

  beforeAll(async () => {
    database = await testDatabase({ migrations: [CreateShop1800000000000] });
    const module = (): DynamicModule => ({
      module: ShopModule,
      imports: [
        DatabaseModule.forRoot({ url: database.url }),
        TableApiModule.forRoot({ signingKey: testSigningKey, tables: [notes, plans], functions: [freeSlots, nothing] }),
      ],
    });
    app = await createService({ name: 'shop', configSchema: baseConfig, module, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app?.close();
    await database?.dispose();
  });

  const as = (userId: string | null): SupabaseClient =>
    createClient(url, 'key', {
      auth: { persistSession: false },
      ...(userId ? { global: { headers: { [callerHeader]: signCaller(testCaller(userId), testSigningKey) } } } : {}),
    });
  const fill = async (userId: string, titles: string[]) => {
    const { error } = await as(userId)
      .from('notes')
      .insert(titles.map((title, index) => ({ user_id: userId, title, rank: index })));
    expect(error).toBeNull();
  };

  it('writes one row and receives it with the columns that the server added', async () => {
    const { data, error, status } = await as(ana)
      .from('notes')
      .insert({ user_id: ana, title: 'um', body: { a: [1, { b: 'x' }] }, tags: ['p', 'q'], days: [1, 2] })
      .select('title,body,tags,days,shout,created_at')
      .single();
    expect(error).toBeNull();
    expect(status).toBe(201);
    expect(data).toMatchObject({ title: 'um', body: { a: [1, { b: 'x' }] }, tags: ['p', 'q'], days: [1, 2], shout: 'UM' });
    expect((data as { created_at: string }).created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/);
  });

  it('reads its own rows and nobody else’s, with any request', async () => {
    await fill(bia, ['segredo de bia']);
    const all = await as(ana).from('notes').select('*');
    expect(all.data?.every((row: { user_id: string }) => row.user_id === ana)).toBe(true);
    expect((await as(ana).from('notes').select('*').or(`user_id.eq.${bia},title.like.*`)).data).toEqual(all.data);
    expect((await as(ana).from('notes').select('*').eq('user_id', bia)).data).toEqual([]);
    expect((await as(ana).from('notes').update({ title: 'x' }).eq('user_id', bia).select()).data).toEqual([]);
    expect((await as(ana).from('notes').delete().eq('user_id', bia).select()).data).toEqual([]);
    expect((await as(bia).from('notes').select('title')).data).toEqual([{ title: 'segredo de bia' }]);
  });

  it('cannot write rows of somebody else, give a row away, or write columns that it may not write', async () => {
    expect(await as(ana).from('notes').insert({ user_id: bia, title: 'intruso' })).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await as(ana).from('notes').update({ user_id: bia }).eq('title', 'um')).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await as(ana).from('notes').update({ tags: [] }).eq('title', 'um')).toMatchObject({ status: 403, error: { code: '42501' } });
    expect(await as(ana).from('notes').insert({ user_id: ana, title: 'x', secret: 'mine' })).toMatchObject({
      status: 400,
      error: { code: 'PGRST204' },
    });
    expect(await as(null).from('notes').insert({ user_id: ana, title: 'x' })).toMatchObject({ status: 401, error: { code: '42501' } });
  });

  it('gives an anonymous caller only the row that the request names by a filter, and only the columns of its rule', async () => {
    const { data } = await as(ana).from('notes').select('id').eq('title', 'um').single();
    const id = (data as { id: string }).id;
    expect((await as(null).from('notes').select('*').eq('id', id)).data).toEqual([{ id, title: 'um' }]);
    expect((await as(null).from('notes').select('*')).data).toEqual([]);
    expect((await as(null).from('notes').select('*').in('id', [id])).data).toEqual([]);
    expect((await as(null).from('notes').select('body').eq('id', id)).error?.code).toBe('42703');
    expect((await as(null).from('notes').select('id').eq('id', id).eq('user_id', ana)).error?.code).toBe('42703');
  });

  it('passes rows to hooks with the types of their columns, whatever the body contained', async () => {
    const user = randomUUID();
    const { data, error } = await as(user)
      .from('notes')
      .insert([{ a: 1 }, 404, true, ['x'], null].map((title) => ({ user_id: user, title: title ?? 'nulo' })))
      .select('title')
      .order('title');
    expect(error).toBeNull();
    expect(data!.map(({ title }) => (title as string).replaceAll(' ', ''))).toEqual(
      expect.arrayContaining(['{"a":1}', '404', 'true', '["x"]', 'nulo']),
    );
    expect(
      (
        await as(user)
          .from('notes')
          .insert({ user_id: user, title: 'x', rank: { a: 1 } })
      ).error,
    ).toMatchObject({ code: '22P02' });
    expect((await as(user).from('notes').update({ title: 12 }).eq('title', '404').select('title')).data).toEqual([{ title: '12' }]);
  });

  it('filters with every operator of the contract', async () => {
    const user = randomUUID();
    const client = as(user);
    const { error } = await client.from('notes').insert([
      { user_id: user, title: 'alfa', rank: 1, price: 1.5, tags: ['a', 'b'], body: { k: 'v', n: 1 } },
      { user_id: user, title: 'beta, gama', rank: 2, price: null, tags: ['b'], body: { k: 'w' } },
      { user_id: user, title: 'Alfa (2)', rank: null, price: 10, tags: [], body: null },
    ]);
    expect(error).toBeNull();
    const all = () => client.from('notes').select('title');
    const titles = async (ask: (query: ReturnType<typeof all>) => PromiseLike<{ data: { title: unknown }[] | null; error: unknown }>) => {
      const { data, error: failure } = await ask(all());
      expect(failure).toBeNull();
      return data?.map(({ title }) => String(title));
    };
    expect(await titles((q) => q.eq('rank', 1))).toEqual(['alfa']);
    expect(await titles((q) => q.neq('rank', 1))).toEqual(['beta, gama']);
    expect(await titles((q) => q.gte('price', 1.5).lt('price', 10))).toEqual(['alfa']);
    expect(await titles((q) => q.like('title', 'alf*'))).toEqual(['alfa']);
    expect((await titles((q) => q.ilike('title', 'ALFA%')))?.sort()).toEqual(['Alfa (2)', 'alfa']);
    expect(await titles((q) => q.is('rank', null))).toEqual(['Alfa (2)']);
    expect(await titles((q) => q.not('rank', 'is', null).gt('rank', 1))).toEqual(['beta, gama']);
    expect((await titles((q) => q.in('title', ['beta, gama', 'Alfa (2)'])))?.sort()).toEqual(['Alfa (2)', 'beta, gama']);
    expect(await titles((q) => q.in('title', []))).toEqual([]);
    expect(await titles((q) => q.contains('tags', ['a']))).toEqual(['alfa']);
    expect((await titles((q) => q.overlaps('tags', ['b'])))?.sort()).toEqual(['alfa', 'beta, gama']);
    expect((await titles((q) => q.containedBy('tags', ['b'])))?.sort()).toEqual(['Alfa (2)', 'beta, gama']);
    expect(await titles((q) => q.contains('body', { k: 'v' }))).toEqual(['alfa']);
    expect(await titles((q) => q.eq('body->>k', 'w'))).toEqual(['beta, gama']);
    expect((await titles((q) => q.or('rank.eq.1,and(price.gt.5,title.ilike.alfa*)')))?.sort()).toEqual(['Alfa (2)', 'alfa']);
    expect(await titles((q) => q.or('title.in.("beta, gama"),rank.eq.99'))).toEqual(['beta, gama']);
    expect((await titles((q) => q.likeAnyOf('title', ['alf%', 'bet%'])))?.sort()).toEqual(['alfa', 'beta, gama']);
    expect(await titles((q) => q.not('title', 'in', '(alfa,"beta, gama")'))).toEqual(['Alfa (2)']);
  });

  it('filters by a thousand ids, as a page that was open for a long time does', async () => {
    const { data } = await as(ana).from('notes').select('id').eq('title', 'um').single();
    const { id } = data as { id: string };
    const ids = [...Array.from({ length: 999 }, () => randomUUID()), id];
    expect(await as(ana).from('notes').select('id').in('id', ids)).toMatchObject({ status: 200, data: [{ id }] });
  });

  it('selects aliases, casts, paths and embedded tables', async () => {
    const user = randomUUID();
    const plan = randomUUID();
    await app
      .get<import('typeorm').DataSource>((await import('typeorm')).DataSource)
      .query('insert into plans values ($1, $2, 3)', [plan, 'Pro']);
    await as(user)
      .from('notes')
      .insert({ user_id: user, title: 'com plano', plan_id: plan, rank: 7, body: { deep: { name: 'x' } } });
    await as(user).from('notes').insert({ user_id: user, title: 'sem plano' });
    const client = as(user);
    expect(
      (await client.from('notes').select('nome:title,rank::text,body->deep->>name,plans(name,max_slots)').order('title')).data,
    ).toEqual([
      { nome: 'com plano', rank: '7', name: 'x', plans: { name: 'Pro', max_slots: 3 } },
      { nome: 'sem plano', rank: null, name: null, plans: null },
    ]);
    expect((await client.from('notes').select('title,plans!inner(name)')).data).toEqual([{ title: 'com plano', plans: { name: 'Pro' } }]);
    expect((await client.from('notes').select('title,...plans(plan:name)').order('title')).data).toEqual([
      { title: 'com plano', plan: 'Pro' },
      { title: 'sem plano', plan: null },
    ]);
    expect((await client.from('notes').select('title,plans(name)').eq('plans.name', 'Nada').not('plans', 'is', null)).data).toEqual([]);
    expect((await client.from('notes').select('title,users(name)')).error?.code).toBe('PGRST200');
    expect((await client.from('notes').select('title').eq('plans.name', 'x')).error?.code).toBe('PGRST108');
  });

  it('pages, counts and requests single rows as the contract defines', async () => {
    const user = randomUUID();
    await fill(
      user,
      Array.from({ length: 12 }, (_, index) => `nota ${String(index).padStart(2, '0')}`),
    );
    const client = as(user);
    const page = await client.from('notes').select('title', { count: 'exact' }).order('title').range(0, 4);
    expect(page).toMatchObject({ status: 206, count: 12 });
    expect(page.data).toHaveLength(5);
    expect(await client.from('notes').select('*', { count: 'exact', head: true })).toMatchObject({ count: 12, data: null });
    expect((await client.from('notes').select('*', { count: 'exact' }).range(90, 99)).error).toMatchObject({
      code: 'PGRST103',
      details: 'An offset of 90 was requested, but there are only 12 rows.',
    });
    expect((await client.from('notes').select('*').range(90, 99)).data).toEqual([]);
    expect((await client.from('notes').select('title').eq('title', 'nada').single()).error).toMatchObject({
      code: 'PGRST116',
      details: 'The result contains 0 rows',
    });
    expect((await client.from('notes').select('title').eq('title', 'nada').maybeSingle()).data).toBeNull();
    expect((await client.from('notes').select('title').order('title').limit(1).csv()).data).toBe('title\nnota 00\n');
  });

  it('rolls back a write that does not affect exactly the one row that was requested', async () => {
    const user = randomUUID();
    await fill(user, ['a', 'b']);
    expect((await as(user).from('notes').update({ rank: 9 }).gte('rank', 0).select().single()).error?.code).toBe('PGRST116');
    expect((await as(user).from('notes').select('rank').eq('rank', 9)).data).toEqual([]);
    // The client's type allows this only for a schema that names its server's version.
    const limited = as(user).from('notes').delete().gte('rank', 0) as unknown as {
      maxAffected(count: number): PromiseLike<{ error: { code: string } | null }>;
    };
    expect((await limited.maxAffected(1)).error?.code).toBe('PGRST124');
    expect((await as(user).from('notes').select('title')).data).toHaveLength(2);
  });

  it('upserts: 201 for new rows, 200 for merged ones, refused for somebody else’s', async () => {
    const user = randomUUID();
    const upsert = (userId: string, rank: number) =>
      as(userId).from('notes').upsert({ user_id: userId, title: 'única', rank }, { onConflict: 'user_id,title' });
    expect((await upsert(user, 1)).status).toBe(201);
    expect((await upsert(user, 2)).status).toBe(200);
    expect((await as(user).from('notes').select('rank')).data).toEqual([{ rank: 2 }]);
    const ignored = await as(user)
      .from('notes')
      .upsert({ user_id: user, title: 'única', rank: 3 }, { onConflict: 'user_id,title', ignoreDuplicates: true })
      .select();
    expect(ignored).toMatchObject({ status: 201, data: [] });
    expect((await as(user).from('notes').insert({ user_id: user, title: 'única' })).error).toMatchObject({ code: '23505' });
    expect((await as(user).from('notes').upsert({ user_id: user, title: 'x' }, { onConflict: 'rank' })).error?.code).toBe('42P10');
  });

  it('runs the hooks in the transaction of the write', async () => {
    const user = randomUUID();
    await fill(user, ['antes']);
    expect(
      await as(user)
        .from('notes')
        .insert([
          { user_id: user, title: 'ok' },
          { user_id: user, title: 'forbidden' },
        ]),
    ).toMatchObject({ status: 400, error: { code: 'P0001', message: 'Este título não pode.' } });
    expect((await as(user).from('notes').select('title')).data).toEqual([{ title: 'antes' }]);
    trace.length = 0;
    await as(user).from('notes').update({ title: 'depois' }).eq('title', 'antes');
    expect(await as(user).from('notes').delete().eq('title', 'depois')).toMatchObject({ status: 204, error: null });
    expect(trace).toEqual(['antes→depois', '-depois']);
  });

  it('receives the contract’s codes of refusals', async () => {
    const client = as(ana);
    const code = async (query: PromiseLike<{ error: { code: string } | null; status: number }>) => {
      const { error, status } = await query;
      return [status, error?.code];
    };
    expect(await code(client.from('nada').select())).toEqual([404, 'PGRST205']);
    expect(await code(client.from('notes').select('nada'))).toEqual([400, '42703']);
    expect(await code(client.from('notes').select('secret'))).toEqual([400, '42703']);
    expect(await code(client.from('notes').select().filter('rank', 'foo', '1'))).toEqual([400, 'PGRST100']);
    expect(await code(client.from('notes').select().filter('rank', 'is', '1'))).toEqual([400, 'PGRST100']);
    expect(await code(client.from('notes').select().eq('id', 'abc'))).toEqual([400, '22P02']);
    expect(await code(client.from('notes').insert({ user_id: ana, title: null }))).toEqual([400, '23502']);
    expect(await code(client.from('notes').insert({ user_id: ana, title: 'x'.repeat(60) }))).toEqual([400, '23514']);
    expect(await code(client.rpc('nada'))).toEqual([404, 'PGRST202']);
    expect(await code(client.rpc('get_free', { p_user_id: bia }))).toEqual([403, '42501']);
    expect(await client.rpc('get_free', { p_user_id: ana })).toMatchObject({ data: 3, status: 200 });
    expect(await client.rpc('touch')).toMatchObject({ status: 204, error: null });
    expect(await code(client.rpc('touch', {}, { get: true }))).toEqual([405, '25006']);
    expect(await code(client.schema('private').from('notes').select())).toEqual([406, 'PGRST106']);
  });

  it('cannot inject SQL by a value', async () => {
    const user = randomUUID();
    await fill(user, ['seguro']);
    const evil = `x'); drop table notes; --`;
    for (const column of ['title', 'id', 'rank', `"title'"`, 'body->>k']) await as(user).from('notes').select().eq(column, evil);
    await as(user).from('notes').select(`title::text; drop table notes`);
    await as(user).from('notes').select().order(`title; drop table notes`);
    expect((await as(user).from('notes').select('title')).data).toEqual([{ title: 'seguro' }]);
  });
});
