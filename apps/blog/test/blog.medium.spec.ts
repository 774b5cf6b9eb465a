import { randomUUID } from 'node:crypto';
import { articleDue, userDeleted } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { callerHeader } from '@decola/service-kit';
import {
  accountExportOf,
  authenticated,
  eventually,
  publishTestEvent,
  type ServiceUnderTest,
  serviceUnderTest,
  type TestBroker,
  tracesOf,
} from '@decola/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { DataSource } from 'typeorm';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';

describe('blog', () => {
  let service: ServiceUnderTest;
  let broker: TestBroker;
  let url: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations },
    );
    ({ broker, url, dataSource } = service);
  });
  afterAll(() => service.dispose());

  const as = (userId: string | null, roles: string[] = []): SupabaseClient =>
    createClient(url, 'key', {
      auth: { persistSession: false },
      global: { headers: userId ? { [callerHeader]: authenticated(userId, { roles })[callerHeader] ?? '' } : {} },
    });
  const anonymous = () => as(null);
  const admin = () => as(randomUUID(), ['admin_master']);
  const inbox = async () => (await dataSource.query<{ n: number }[]>('select count(*)::int as n from inbox'))[0]?.n;

  it('is ready', async () => {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('notes each due article once', async () => {
    const payload = {
      blogAutomationId: randomUUID(),
      userId: randomUUID(),
      occurrenceAt: new Date().toISOString(),
      keyword: 'café',
      theme: null,
    };
    const before = (await inbox()) ?? 0;
    await publishTestEvent(broker.url, articleDue, payload);
    await publishTestEvent(broker.url, articleDue, payload);
    await eventually(async () => expect(await inbox()).toBe(before + 2));
    const rows = await dataSource.query('select keyword, theme from due_articles where blog_automation_id = $1', [
      payload.blogAutomationId,
    ]);
    expect(rows).toEqual([{ keyword: 'café', theme: null }]);
  });

  it('erases everything of a person who is gone, also what comes late', async () => {
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const due = (userId: string) => ({
      blogAutomationId: randomUUID(),
      userId,
      occurrenceAt: new Date().toISOString(),
      keyword: 'k',
      theme: null,
    });
    for (const userId of [mine, theirs]) {
      expect((await as(userId).from('user_keywords').insert({ user_id: userId, keyword: 'chá' })).error).toBeNull();
      expect((await as(userId).from('user_tokens').insert({ user_id: userId, token: 't', token_type: 'webhook' })).error).toBeNull();
    }
    const before = (await inbox()) ?? 0;
    await publishTestEvent(broker.url, articleDue, due(mine));
    await publishTestEvent(broker.url, articleDue, due(theirs));
    await eventually(async () => expect(await inbox()).toBe(before + 2));
    const files = await accountExportOf(url, mine);
    expect(JSON.parse(files['blog/palavras-chave.json']!)).toMatchObject([{ palavra_chave: 'chá' }]);
    expect(JSON.parse(files['blog/integracoes.json']!)).toEqual([{ tipo: 'webhook', criada_em: expect.any(String) }]);
    expect(JSON.parse(files['blog/artigos-pedidos.json']!)).toMatchObject([{ palavra_chave: 'k' }]);
    expect((await fetch(`${url}/internal/account-export`)).status).toBe(401);
    await publishTestEvent(broker.url, userDeleted, { userId: mine, deletedAt: new Date().toISOString() });
    await publishTestEvent(broker.url, articleDue, due(mine));
    await eventually(async () => expect(await inbox()).toBe(before + 4));
    for (const table of ['user_keywords', 'user_tokens', 'due_articles']) {
      const count = async (userId: string) =>
        (await dataSource.query<unknown[]>(`select 1 from ${table} where user_id = $1`, [userId])).length;
      expect([table, await count(mine), await count(theirs)]).toEqual([table, 0, 1]);
    }
    expect(await tracesOf(service.database.url, { id: mine })).toEqual(['erased_users: id']);
    // A token may live a few seconds longer than its account.
    const late = [
      await as(mine).from('user_keywords').insert({ user_id: mine, keyword: 'tarde demais' }),
      await as(mine).from('user_tokens').insert({ user_id: mine, token: 't', token_type: 'webhook' }),
    ];
    expect(late.map(({ error }) => error?.code)).toEqual(['42501', '42501']);
    expect(await tracesOf(service.database.url, { id: mine, keyword: 'tarde demais' })).toEqual(['erased_users: id']);
  });

  it('shows published articles to everybody and the rest to admin_master, who alone writes', async () => {
    const slug = randomUUID();
    const article = { slug, title: 'Título', content: '<p>Olá</p>', tags: ['a', 'b'], author: 'Equipe X', published: false };
    const created = await admin().from('blog_articles').insert(article).select('id,tags,view_count').single();
    expect(created.error).toBeNull();
    expect(created.data).toMatchObject({ tags: ['a', 'b'], view_count: 0 });
    const id = (created.data as { id: string }).id;
    for (const reader of [anonymous(), as(randomUUID()), as(randomUUID(), ['admin'])]) {
      expect((await reader.from('blog_articles').select('id').eq('id', id)).data).toEqual([]);
      expect((await reader.from('blog_articles').insert({ ...article, slug: randomUUID() })).error?.code).toBe('42501');
      expect((await reader.from('blog_articles').update({ title: 'x' }).eq('id', id)).error?.code).toBe('42501');
      expect((await reader.from('blog_articles').delete().eq('id', id)).error?.code).toBe('42501');
    }
    expect((await admin().from('blog_articles').update({ published: true }).eq('id', id)).error).toBeNull();
    const listed = await anonymous()
      .from('blog_articles')
      .select('*')
      .eq('published', true)
      .in('author', ['Equipe X', 'Fulana, de Tal'])
      .eq('slug', slug)
      .single();
    expect(listed.data).toMatchObject({ title: 'Título', published: true });
    expect((await anonymous().from('blog_articles').select('*').eq('slug', 'nenhum').single()).error?.code).toBe('PGRST116');
    expect((await anonymous().rpc('increment_article_views', { article_slug: slug })).status).toBe(204);
    expect((await anonymous().rpc('increment_article_views', { article_slug: 'nenhum' })).status).toBe(204);
    expect((await anonymous().from('blog_articles').select('view_count').eq('id', id).single()).data).toEqual({ view_count: 1 });
    expect((await admin().from('blog_articles').delete().eq('id', id)).status).toBe(204);
    expect((await admin().from('blog_articles').select('id').eq('id', id)).data).toEqual([]);
  });

  it('keeps keywords and tokens to their owner', async () => {
    const [ana, bia] = [randomUUID(), randomUUID()];
    const keywords = (who: SupabaseClient) => who.from('user_keywords');
    expect((await keywords(as(ana)).insert({ user_id: ana, keyword: 'bolo' })).status).toBe(201);
    expect((await keywords(as(ana)).insert({ user_id: ana, keyword: 'bolo' })).error?.code).toBe('23505');
    expect((await keywords(as(bia)).insert({ user_id: ana, keyword: 'pão' })).status).toBe(403);
    expect((await keywords(anonymous()).insert({ user_id: ana, keyword: 'pão' })).status).toBe(401);
    expect((await keywords(as(bia)).select('*')).data).toEqual([]);
    expect((await keywords(as(ana)).update({ keyword: 'x' }).eq('user_id', ana)).status).toBe(403);
    expect((await keywords(as(bia)).delete().eq('user_id', ana)).status).toBe(204);
    expect((await keywords(as(ana)).select('keyword')).data).toEqual([{ keyword: 'bolo' }]);
    expect((await keywords(as(ana)).delete().eq('keyword', 'bolo')).status).toBe(204);
    expect((await keywords(as(ana)).select('keyword')).data).toEqual([]);

    const tokens = (who: SupabaseClient) => who.from('user_tokens');
    const save = (who: SupabaseClient, token: string) =>
      tokens(who).upsert({ user_id: ana, token, token_type: 'webhook' }, { onConflict: 'user_id,token_type' });
    expect((await save(as(ana), 'um')).status).toBe(201);
    expect((await save(as(ana), 'dois')).status).toBe(200);
    expect((await save(as(bia), 'três')).status).toBe(403);
    expect((await tokens(as(bia)).select('token').eq('user_id', ana)).data).toEqual([]);
    expect((await tokens(as(ana)).delete().eq('user_id', ana)).status).toBe(403);
    expect((await tokens(as(ana)).select('token').eq('token_type', 'webhook')).data).toEqual([{ token: 'dois' }]);
  });

  it('makes tokens that nobody guesses, for people alone', async () => {
    const [one, two] = await Promise.all([1, 2].map(async () => (await as(randomUUID()).rpc('generate_random_token')).data as string));
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(two);
    const refused = await anonymous().rpc('generate_random_token');
    expect([refused.status, refused.error?.code]).toEqual([401, '42501']);
  });
});
