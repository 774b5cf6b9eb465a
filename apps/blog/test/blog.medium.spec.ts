import { randomUUID } from 'node:crypto';
import { articleDue, misplacedSessionText, userDeleted } from '@decola/contracts';
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
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

describe('blog', () => {
  let service: ServiceUnderTest;
  let broker: TestBroker;
  let url: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { BLOG_AUTHORS: '["Equipe Decola","Equipe X"]' } },
    );
    ({ broker, url, dataSource } = service);
  });
  afterAll(() => service?.dispose());

  const as = (userId: string | null, roles: string[] = []): SupabaseClient =>
    createClient(url, 'key', {
      auth: { persistSession: false },
      global: { headers: userId ? { [callerHeader]: authenticated(userId, { roles })[callerHeader] ?? '' } : {} },
    });
  const anonymous = () => as(null);
  const admin = () => as(randomUUID(), ['admin_master']);
  const handled = (...messageIds: string[]) =>
    eventually(async () =>
      expect(await dataSource.query('select 1 from inbox where message_id = any($1)', [messageIds])).toHaveLength(messageIds.length),
    );

  it('is ready', async () => {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('stores each due article once', async () => {
    const payload = {
      blogAutomationId: randomUUID(),
      userId: randomUUID(),
      occurrenceAt: new Date().toISOString(),
      keyword: 'café',
      theme: null,
    };
    await handled(await publishTestEvent(broker.url, articleDue, payload), await publishTestEvent(broker.url, articleDue, payload));
    const rows = await dataSource.query('select keyword, theme from due_articles where blog_automation_id = $1', [
      payload.blogAutomationId,
    ]);
    expect(rows).toEqual([{ keyword: 'café', theme: null }]);
  });

  it('stores no active content of an article, whoever wrote it', async () => {
    const slug = randomUUID();
    const bad = '<p onclick="alert(1)">a</p><script>alert(1)</script><a href="javascript:alert(1)">b</a>';
    const made = await admin()
      .from('blog_articles')
      .insert({ slug, title: 't', content: bad, published: true })
      .select('id,content')
      .single();
    expect(made.error).toBeNull();
    expect(made.data).toMatchObject({ content: '<p>a</p><a>b</a>' });
    const changed = await admin()
      .from('blog_articles')
      .update({ content: `<h2>c</h2>${bad}` })
      .eq('slug', slug)
      .select('content')
      .single();
    expect(changed.data).toEqual({ content: '<h2 id="s-c">c</h2><p>a</p><a>b</a>' });
    expect((await anonymous().from('blog_articles').select('content').eq('slug', slug).single()).data).toEqual(changed.data);
  });

  it('refuses a session of the network as keyword or token, and stores nothing of it', async () => {
    const [userId, secret] = [randomUUID(), 'Kq7Zp2Wm9Xt4Rb6'];
    const session = `123456789%3A${secret}%3A12%3AAYdHash`;
    const refused = { code: 'P0001', message: misplacedSessionText };
    expect((await as(userId).from('user_keywords').insert({ user_id: userId, keyword: session })).error).toMatchObject(refused);
    for (const row of [
      { token: session, token_type: 'webhook' },
      { token: 't', token_type: session.slice(0, 50) },
    ])
      expect(
        (
          await as(userId)
            .from('user_tokens')
            .insert({ user_id: userId, ...row })
        ).error,
      ).toMatchObject(refused);
    expect((await as(userId).from('user_tokens').insert({ user_id: userId, token: 't', token_type: 'webhook' })).error).toBeNull();
    expect((await as(userId).from('user_tokens').update({ token: session }).eq('user_id', userId)).error).toMatchObject(refused);
    expect(await tracesOf(service.database.url, { secret })).toEqual([]);
  });

  it('erases everything of a deleted customer, and stores nothing that arrives later', async () => {
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
    for (const userId of [mine, theirs]) {
      for (const statement of [
        `insert into blog_automation_copies (id, user_id, origin, keyword, schedule, is_active, revision)
         values (gen_random_uuid(), $1, 'customer', 'chá', '{}', false, 1)`,
        `insert into article_runs (user_id, origin, keyword, title, steps) values ($1, 'customer', 'chá', 'Chá da tarde', '{"outline": {}}')`,
        `insert into topics (user_id, site_key, title, focus_keyword, topic_key, state) values ($1, 's', 'Chá da tarde', 'chá', 'cha', 'planned')`,
        `insert into ai_months (user_id, month, tokens) values ($1, '2026-11-01', 900)`,
        `insert into customer_articles (user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, state)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'cha.example', 'Chá da tarde', 'cha-da-tarde', '<p>Chá</p>', 'Chá', 'waiting_approval')`,
        `insert into article_revisions (article_id, revision, origin, content, cause, change_id, after_hash)
         select id, 1, 'customer', '{"title": "Chá da manhã"}', 'edited', gen_random_uuid(), 'h' from customer_articles where user_id = $1`,
        `insert into approvals (user_id, article_id, token_hash, nonce_key, expires_at)
         select $1, id, gen_random_uuid()::text, 'k', now() from customer_articles where user_id = $1`,
        `insert into refresh_proposals (user_id, article_id, reason, detail)
         select $1, id, 'stale_year', '{"year": 2025}' from customer_articles where user_id = $1`,
        `insert into article_refreshes (user_id, article_id, run_id, revision, state, reasons, title)
         select $1, id, gen_random_uuid(), 1, 'waiting', '{stale_year}', 'Chá de sempre' from customer_articles where user_id = $1`,
        `insert into article_links (user_id, article_id, site_key, url, host, next_check_at)
         select $1, id, site_key, 'https://fonte.example/', 'fonte.example', now() from customer_articles where user_id = $1`,
        `insert into sites (user_id, site_key, origin_url, host) values ($1, 'cha.example', 'https://cha.example', 'cha.example')`,
        `insert into deliveries (user_id, article_id, site_id, revision, counted_on)
         select $1, a.id, s.id, 1, '2026-11-21' from customer_articles a join sites s using (user_id) where user_id = $1`,
        `insert into delivery_attempts (delivery_id, user_id, operation, ms) select id, $1, 'article.prepare', 5 from deliveries where user_id = $1`,
        `insert into webhook_tests (user_id, at) values ($1, now())`,
        `insert into daily_requests (user_id, kind, day, times) values ($1, 'preview', '2026-11-21', 3)`,
        `insert into mail_outbox (id, user_id, kind, sealed, due_at) values (gen_random_uuid(), $1, 'article_approval', 's', now() + interval '1 day')`,
        `insert into ai_calls (id, user_id, step, model, month, day, reserved) values (gen_random_uuid(), $1, 'draft', 'm', '2026-11-01', '2026-11-21', 900)`,
      ])
        await dataSource.query(statement, [userId]);
    }
    await handled(await publishTestEvent(broker.url, articleDue, due(mine)), await publishTestEvent(broker.url, articleDue, due(theirs)));
    const files = await accountExportOf(url, mine);
    expect(JSON.parse(files['blog/palavras-chave.json']!)).toMatchObject([{ palavra_chave: 'chá' }]);
    expect(JSON.parse(files['blog/integracoes.json']!)).toEqual([{ tipo: 'webhook', criada_em: expect.any(String) }]);
    expect(JSON.parse(files['blog/artigos-pedidos.json']!)).toMatchObject([{ palavra_chave: 'k' }]);
    expect(JSON.parse(files['blog/artigos-escritos.json']!)).toMatchObject([{ titulo: 'Chá da tarde', estado: 'queued' }]);
    expect(JSON.parse(files['blog/assuntos.json']!)).toMatchObject([{ titulo: 'Chá da tarde', estado: 'planned' }]);
    expect(JSON.parse(files['blog/artigos-do-site.json']!)).toMatchObject([{ titulo: 'Chá da tarde', estado: 'waiting_approval' }]);
    expect(JSON.parse(files['blog/versoes-dos-artigos.json']!)).toMatchObject([{ artigo: 'Chá da tarde', versao: 1 }]);
    expect(JSON.parse(files['blog/links-de-aprovacao.json']!)).toMatchObject([{ artigo: 'Chá da tarde' }]);
    expect(JSON.parse(files['blog/atualizacoes-sugeridas.json']!)).toMatchObject([{ artigo: 'Chá da tarde', motivo: 'stale_year' }]);
    expect(JSON.parse(files['blog/textos-novos.json']!)).toMatchObject([{ artigo: 'Chá da tarde', titulo: 'Chá de sempre' }]);
    expect(JSON.parse(files['blog/links-dos-artigos.json']!)).toMatchObject([{ endereco: 'https://fonte.example/' }]);
    expect(JSON.parse(files['blog/pedidos-por-dia.json']!)).toMatchObject([{ tipo: 'preview', vezes: 3 }]);
    expect(JSON.parse(files['blog/uso-de-ia.json']!)).toEqual([{ mes: '2026-11', tokens: 900 }]);
    expect((await fetch(`${url}/internal/account-export`)).status).toBe(401);
    await handled(
      await publishTestEvent(broker.url, userDeleted, { userId: mine, deletedAt: new Date().toISOString() }),
      await publishTestEvent(broker.url, articleDue, due(mine)),
    );
    // Every table that says whose a row is, so that a new one is not forgotten.
    const owned = await dataSource.query<{ name: string }[]>(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'user_id' and table_name <> 'erased_users' order by 1`,
    );
    expect(owned.length).toBeGreaterThan(7);
    for (const { name: table } of owned) {
      const count = async (userId: string) =>
        (await dataSource.query<unknown[]>(`select 1 from ${table} where user_id = $1`, [userId])).length;
      expect([table, await count(mine), await count(theirs)]).toEqual([table, 0, 1]);
    }
    expect(await dataSource.query(`select 1 from article_revisions where origin = 'customer'`)).toHaveLength(1);
    expect(await tracesOf(service.database.url, { id: mine })).toEqual(['erased_users: id']);
    // An access token outlives its account by a few seconds.
    const late = [
      await as(mine).from('user_keywords').insert({ user_id: mine, keyword: 'tarde demais' }),
      await as(mine).from('user_tokens').insert({ user_id: mine, token: 't', token_type: 'webhook' }),
    ];
    expect(late.map(({ error }) => error?.code)).toEqual(['42501', '42501']);
    expect(await tracesOf(service.database.url, { id: mine, keyword: 'tarde demais' })).toEqual(['erased_users: id']);
  });

  it('shows published articles to everybody and the others to admin_master, who alone writes', async () => {
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

  it('lets only the owner read and write keywords and tokens', async () => {
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

  it('generates unguessable tokens, for signed-in people only', async () => {
    const [one, two] = await Promise.all([1, 2].map(async () => (await as(randomUUID()).rpc('generate_random_token')).data as string));
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(two);
    const refused = await anonymous().rpc('generate_random_token');
    expect([refused.status, refused.error?.code]).toEqual([401, '42501']);
  });
});
