import { randomUUID } from 'node:crypto';
import {
  articlePublished,
  articleUpdated,
  articleWithdrawn,
  foundMarks,
  type SiteArticleAnswer,
  type SiteArticleList,
  type SiteFeed,
} from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { callerHeader, clientAddressHeaders, Clock } from '@decola/service-kit';
import { authenticated, type ServiceUnderTest, serviceUnderTest, testSigningKey } from '@decola/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { AppModule } from '../src/app.module.js';
import { Articles } from '../src/articles/articles.service.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';
import { ArticleViews } from '../src/views/article-views.service.js';

const author = 'Equipe Decola';
const phone = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

describe('articles of the blog', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { BLOG_AUTHORS: JSON.stringify([author, 'Fulana, de Tal']) } },
    );
  });
  afterAll(() => service?.dispose());

  const as = (userId: string | null, roles: string[] = []): SupabaseClient =>
    createClient(service.url, 'key', {
      auth: { persistSession: false },
      global: { headers: userId ? { [callerHeader]: authenticated(userId, { roles })[callerHeader] ?? '' } : {} },
    });
  const table = () => as(randomUUID(), ['admin_master']).from('blog_articles');
  const create = async (article: Record<string, unknown>) => {
    const { data, error } = await table()
      .insert({ title: 'Título', content: '<p>Olá</p>', published: true, ...article })
      .select('*')
      .single<{ id: string; slug: string; published_at: string; [column: string]: unknown }>();
    expect(error).toBeNull();
    return data!;
  };
  const change = async (id: string, patch: Record<string, unknown>) => expect((await table().update(patch).eq('id', id)).error).toBeNull();
  const rowOf = async (id: string) => (await table().select('*').eq('id', id).single<Record<string, unknown>>()).data!;
  const newsOf = async (id: string) =>
    (
      await service.dataSource.query<{ type: string; payload: Record<string, unknown> }[]>(
        `select type, payload from outbox where subject = $1 and type like 'article.%' order by position`,
        [id],
      )
    ).map(({ type, payload: { at, ...payload } }) => {
      expect(Number.isNaN(Date.parse(String(at)))).toBe(false);
      return [type, payload];
    });
  const site = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`${service.url}/internal/site/${path}`);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Answer;
  };
  const at = (slug: string) => site<SiteArticleAnswer>(`articles/${encodeURIComponent(slug)}`);
  const found = async (query: Record<string, string>) => site<SiteArticleList>(`articles?${new URLSearchParams(query).toString()}`);
  /** A word that no other test has. */
  const word = () =>
    `p${randomUUID()
      .replaceAll('-', '')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;

  describe('stored', () => {
    it('get a free slug of their title, also when two are stored at once', async () => {
      const title = `Quantas pessoas seguir ${word()}`;
      const made = await Promise.all([create({ title }), create({ title }), create({ title })]);
      const slug = made.map((each) => each.slug).sort()[0]!;
      expect(made.map((each) => each.slug).sort()).toEqual([slug, `${slug}-2`, `${slug}-3`]);
      expect(made[0]).toMatchObject({ author, read_time: 1, word_count: 1, excerpt: 'Olá' });
    });

    it('refuse a slug that somebody chose and another article has', async () => {
      const { slug } = await create({ slug: randomUUID() });
      expect((await table().insert({ slug, title: 't' })).error?.code).toBe('23505');
    });

    it('are replaced whole by an upsert of their slug', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      const replaced = await table()
        .upsert({ slug, title: 'Trocado', content: '<p>duas palavras</p>' }, { onConflict: 'slug' })
        .select('id,title,word_count')
        .single();
      expect(replaced.data).toEqual({ id, title: 'Trocado', word_count: 2 });
    });

    it('are written by the service itself with the same care', async () => {
      const articles = service.app.get(Articles, { strict: false });
      const title = `Escrito pela casa ${word()}`;
      const now = new Date('2026-03-01T12:00:00.000Z');
      const make = (published: boolean) =>
        service.dataSource.transaction((manager) =>
          articles.create(manager, { title, content: '<p>a</p><script>b</script>', tags: ['x', 'x'], published, at: now }),
        );
      const first = await make(true);
      const second = await make(false);
      expect(second.slug).toBe(`${first.slug}-2`);
      expect(await rowOf(first.id)).toMatchObject({ content: '<p>a</p>', tags: ['x'], author, published: true });
      expect(Date.parse(String((await rowOf(first.id))['published_at']))).toBe(now.getTime());
      expect(await rowOf(second.id)).toMatchObject({ published: false, published_at: null });
      const later = new Date('2026-03-02T12:00:00.000Z');
      expect(await articles.publish(service.dataSource.manager, second.id, later)).toBe(true);
      expect(await articles.publish(service.dataSource.manager, second.id, later)).toBe(false);
      expect(Date.parse(String((await rowOf(second.id))['published_at']))).toBe(later.getTime());
    });

    it('cannot be given times by which readers are told, other than by publishing', async () => {
      const { id } = await create({});
      expect((await table().update({ published_at: '2020-01-01T00:00:00Z' }).eq('id', id)).error?.code).toBe('42501');
    });
  });

  describe('read over rest/v1', () => {
    it('are those of the configured authors for visitors, all published ones for people who are signed in, and all for admin_master', async () => {
      const mine = await create({ author: 'Fulana, de Tal' });
      const foreign = await create({ author: 'Outra pessoa' });
      const draft = await create({ published: false });
      const ids = [mine.id, foreign.id, draft.id];
      const seen = async (client: SupabaseClient) =>
        ((await client.from('blog_articles').select('id').in('id', ids)).data ?? []).map(({ id }) => ids.indexOf(String(id))).sort();
      expect(await seen(as(null))).toEqual([0]);
      expect(await seen(as(randomUUID()))).toEqual([0, 1]);
      expect(await seen(as(randomUUID(), ['admin']))).toEqual([0, 1]);
      expect(await seen(as(randomUUID(), ['admin_master']))).toEqual([0, 1, 2]);
      const listed = await as(null)
        .from('blog_articles')
        .select('*')
        .eq('published', true)
        .in('author', [author, 'Fulana, de Tal', 'Outra pessoa'])
        .in('id', ids);
      expect(listed.data).toHaveLength(1);
    });
  });

  describe('announced', () => {
    it('when they are published, changed, renamed, withdrawn, published again and deleted', async () => {
      const slug = randomUUID();
      const { id } = await create({ slug, published: false });
      await change(id, { title: 'Rascunho' });
      expect(await newsOf(id)).toEqual([]);
      await change(id, { published: true });
      await change(id, { title: 'Outro título' });
      await change(id, { slug: `${slug}-b` });
      await change(id, { published: false });
      await change(id, { published: true });
      expect((await table().delete().eq('id', id)).error).toBeNull();
      const renamed = `${slug}-b`;
      expect(await newsOf(id)).toEqual([
        [articlePublished.type, { articleId: id, slug, previousSlug: null }],
        [articleUpdated.type, { articleId: id, slug, previousSlug: null }],
        [articleUpdated.type, { articleId: id, slug: renamed, previousSlug: slug }],
        [articleWithdrawn.type, { articleId: id, slug: renamed }],
        [articlePublished.type, { articleId: id, slug: renamed, previousSlug: null }],
        [articleWithdrawn.type, { articleId: id, slug: renamed }],
      ]);
      const payloads = await service.dataSource.query<{ payload: unknown }[]>('select payload from outbox where subject = $1', [id]);
      for (const { payload } of payloads) articlePublished.schema.parse(payload);
    });

    it('not when nothing changed that readers see', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      await change(id, { title: 'Título' });
      await as(null).rpc('increment_article_views', { article_slug: slug });
      await service.app.get(ArticleViews, { strict: false }).count();
      expect(await rowOf(id)).toMatchObject({ view_count: 1 });
      expect((await newsOf(id)).map(([type]) => type)).toEqual([articlePublished.type]);
    });

    it('whoever writes the row, and together with it or not at all', async () => {
      const { id } = await create({});
      const failed = service.dataSource.transaction(async (manager) => {
        await manager.query(`update blog_articles set title = 'nunca' where id = $1`, [id]);
        throw new Error('rolled back');
      });
      await expect(failed).rejects.toThrow('rolled back');
      expect(await newsOf(id)).toHaveLength(1);
      await service.dataSource.query(`update blog_articles set title = 'sim' where id = $1`, [id]);
      expect((await newsOf(id)).map(([type]) => type)).toEqual([articlePublished.type, articleUpdated.type]);
    });

    it('with the time of their first publication, and of the last withdrawal', async () => {
      const { id, published_at } = await create({});
      await change(id, { published: false });
      const withdrawn = await rowOf(id);
      expect(withdrawn).toMatchObject({ published: false, published_at });
      expect(withdrawn['withdrawn_at']).not.toBeNull();
      await change(id, { published: true });
      expect(await rowOf(id)).toMatchObject({ published: true, published_at, withdrawn_at: null });
    });
  });

  describe('at an address', () => {
    it('are found, or not yet, not any more, or somewhere else', async () => {
      const slug = randomUUID();
      expect(await at(slug)).toEqual({ state: 'unknown' });
      const { id } = await create({ slug, published: false });
      expect(await at(slug)).toEqual({ state: 'unknown' });
      await change(id, {
        published: true,
        meta_title: 'Meta',
        tags: ['um'],
        category: 'SEO',
        featured_image: 'https://site.example/a.jpg',
      });
      expect(await at(slug)).toMatchObject({
        state: 'found',
        article: {
          ...{ id, slug, title: 'Título', content: '<p>Olá</p>', excerpt: 'Olá', author, category: 'SEO', tags: ['um'] },
          ...{ metaTitle: 'Meta', metaDescription: null, viewCount: 0, wordCount: 1, readTime: 1 },
          picture: { src: 'https://site.example/a.jpg', alt: 'Título' },
        },
      });
      await change(id, { slug: `${slug}-b` });
      expect(await at(slug)).toEqual({ state: 'moved', slug: `${slug}-b` });
      await change(id, { slug: `${slug}-c` });
      expect(await at(slug)).toEqual({ state: 'moved', slug: `${slug}-c` });
      await change(id, { published: false });
      expect(await at(`${slug}-c`)).toEqual({ state: 'withdrawn' });
      expect(await at(slug)).toEqual({ state: 'withdrawn' });
      expect((await table().delete().eq('id', id)).error).toBeNull();
      expect(await at(`${slug}-c`)).toEqual({ state: 'withdrawn' });
      // A new article takes the address of an old one.
      await create({ slug });
      expect(await at(slug)).toMatchObject({ state: 'found' });
      expect(await at(`${slug}-b`)).toEqual({ state: 'withdrawn' });
    });

    it('are unknown when their author is none of the configured ones, or when the slug is odd', async () => {
      const { slug } = await create({ slug: randomUUID(), author: 'Outra pessoa' });
      expect(await at(slug)).toEqual({ state: 'unknown' });
      for (const odd of ['%', "'; drop table blog_articles", 'A'.repeat(400), '\u{1F600}', '\0'])
        expect(await at(odd)).toEqual({ state: 'unknown' });
    });

    it('lead to others of the same subject', async () => {
      const [category, tag] = [word(), word()];
      const near = await create({ category, title: 'Mesma categoria' });
      const nearer = await create({ category, tags: [tag], title: 'Mesma categoria e etiqueta' });
      const { slug } = await create({ category, tags: [tag] });
      const answer = await at(slug);
      expect(answer.state === 'found' && answer.related.slice(0, 2).map(({ id }) => id)).toEqual([nearer.id, near.id]);
      expect(answer.state === 'found' && answer.related).toHaveLength(3);
    });
  });

  describe('listed', () => {
    it('are found by words of title, excerpt and tags, with and without accents, in other forms and by parts', async () => {
      const mark = word();
      const { id } = await create({
        title: `Automações que cabem na rotina ${mark}`,
        excerpt: 'Curtir menos, no lugar certo',
        tags: ['promoção', mark],
        content: '<p>escondido</p>',
      });
      for (const search of ['automações', 'automacoes', 'AUTOMAÇÃO', 'rotinas', 'curtindo', 'promocao', 'utomaç', mark.slice(3, 20)]) {
        const { articles } = await found({ search: `${search}`, tag: mark });
        expect([search, articles.map((each) => each.id)]).toEqual([search, [id]]);
      }
      expect((await found({ search: 'escondido', tag: mark })).articles).toEqual([]);
      expect((await found({ search: 'automacoes', tag: mark })).articles[0]).toMatchObject({
        title: `${foundMarks.start}Automações${foundMarks.end} que cabem na rotina ${mark}`,
      });
    });

    it('are found although a letter of the search is wrong, when nothing else is', async () => {
      const mark = word();
      const { id } = await create({ title: 'Roleta de prêmios', tags: [mark] });
      expect((await found({ search: 'roletta', tag: mark })).articles.map((each) => each.id)).toEqual([id]);
      expect((await found({ search: 'xilofone', tag: mark })).articles).toEqual([]);
    });

    it.each(['%', '_', '\\', '"', "' or 1=1", '((', ':*', '!', '<->', '\u0000', '-- ', 'a & b | !c', 'de'])(
      'survive the search %j',
      async (search) => {
        expect(Array.isArray((await found({ search })).articles)).toBe(true);
      },
    );

    it('come twelve at a time, newest first, with their number and categories', async () => {
      const mark = word();
      for (let number = 1; number <= 14; number += 1) await create({ title: `Número ${number}`, category: mark });
      await create({ category: mark, published: false });
      await create({ category: mark, author: 'Outra pessoa' });
      const first = await found({ categoria: mark.toUpperCase() });
      expect(first.articles.map(({ title }) => title)).toEqual(Array.from({ length: 12 }, (_, index) => `Número ${14 - index}`));
      expect(first.total).toBe(14);
      expect(first.categories).toContain(mark);
      const second = await found({ categoria: mark, page: '2' });
      expect(second.articles.map(({ title }) => title)).toEqual(['Número 2', 'Número 1']);
      expect(second.total).toBe(14);
      expect(await found({ categoria: mark, page: '9' })).toMatchObject({ articles: [], total: 14 });
    });

    it('carry no picture that lies inside their row', async () => {
      const mark = word();
      await create({ tags: [mark], featured_image: `data:image/png;base64,${'A'.repeat(10_000)}` });
      expect((await found({ tag: mark })).articles).toMatchObject([{ picture: null }]);
    });

    it('are in the feed, for readers and search engines', async () => {
      const { slug } = await create({ title: 'Mais novo' });
      const hidden = await create({ author: 'Outra pessoa' });
      const feed = await site<SiteFeed>('feed');
      expect(feed.recent[0]).toMatchObject({ slug });
      expect(feed.recent.length).toBeLessThanOrEqual(30);
      expect(feed.slugs[0]).toEqual({ slug, updatedAt: expect.stringMatching(/Z$/) });
      expect(feed.slugs.map((each) => each.slug)).not.toContain(hidden.slug);
    });

    it('are answered with a tag, and with nothing while they stay the same', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      for (const path of ['articles?search=zzzz', `articles/${slug}`, 'feed']) {
        const first = await fetch(`${service.url}/internal/site/${path}`);
        const tag = first.headers.get('etag') ?? '';
        expect(tag).toMatch(/^"[\w-]{20,}"$/);
        const again = await fetch(`${service.url}/internal/site/${path}`, { headers: { 'if-none-match': tag } });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
      const before = (await fetch(`${service.url}/internal/site/articles/${slug}`)).headers.get('etag')!;
      await change(id, { title: 'Mudou' });
      const after = await fetch(`${service.url}/internal/site/articles/${slug}`, { headers: { 'if-none-match': before } });
      expect(after.status).toBe(200);
    });
  });

  describe('viewed', () => {
    const view = async (
      slug: string | null,
      { address, program = phone, caller = {} }: { address?: string; program?: string; caller?: object },
    ) => {
      const answer = await fetch(`${service.url}/rest/v1/rpc/increment_article_views`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': program,
          ...(address === undefined ? {} : clientAddressHeaders(address, testSigningKey)),
          ...caller,
        },
        body: JSON.stringify({ article_slug: slug }),
      });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    };
    const views = () => service.app.get(ArticleViews, { strict: false });
    const countOf = async (id: string) => (await rowOf(id))['view_count'];
    const stored = async (id: string) =>
      (await service.dataSource.query<{ view_count: number }[]>('select view_count from blog_articles where id = $1', [id]))[0]?.view_count;
    afterEach(() => jest.restoreAllMocks());

    it('count each network and program once a day', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      const now = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date('2026-11-22T14:00:00.000Z'));
      await view(slug, { address: '203.0.113.7' });
      await view(slug, { address: '203.0.113.7' });
      await view(slug, { address: '2001:db8:1:2::1' });
      await view(slug, { address: '2001:db8:1:2:ffff::9' });
      expect(await countOf(id)).toBe(2);
      await view(slug, { address: '203.0.113.7', program: phone.replace('142', '141') });
      expect(await countOf(id)).toBe(3);
      // In Brasília it is still the same day at 23:59, and another one two minutes later.
      now.mockReturnValue(new Date('2026-11-23T02:59:00.000Z'));
      await view(slug, { address: '203.0.113.7' });
      expect(await countOf(id)).toBe(3);
      now.mockReturnValue(new Date('2026-11-23T03:01:00.000Z'));
      await view(slug, { address: '203.0.113.7' });
      expect(await countOf(id)).toBe(4);
      await views().count();
      expect([await countOf(id), await stored(id)]).toEqual([4, 4]);
      const answer = await at(slug);
      expect(answer.state === 'found' && answer.article.viewCount).toBe(4);
    });

    it('do not count crawlers, those who write the blog, drafts and unknown slugs', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      const draft = await create({ slug: randomUUID(), published: false });
      await view(slug, { address: '203.0.113.8', program: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
      await view(slug, { address: '203.0.113.8', caller: authenticated(randomUUID(), { roles: ['admin_master'] }) });
      await view(draft.slug, { address: '203.0.113.8' });
      for (const odd of ['nenhum', '\0', "'", null]) await view(odd, { address: '203.0.113.8' });
      expect([await countOf(id), await countOf(draft.id)]).toEqual([0, 0]);
      await view(slug, { address: '203.0.113.8', caller: authenticated(randomUUID(), { roles: ['admin'] }) });
      expect(await countOf(id)).toBe(1);
    });

    it('are added exactly once, whoever counts at the same time', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      await Promise.all(Array.from({ length: 20 }, (_, index) => view(slug, { address: `198.51.100.${index + 1}` })));
      await Promise.all([views().count(), views().count(), views().count()]);
      await views().count();
      expect([await countOf(id), await stored(id)]).toEqual([20, 20]);
    });

    it('keep no address, and neither mark nor salt for longer than 48 hours', async () => {
      const { id, slug } = await create({ slug: randomUUID() });
      const now = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date('2026-12-01T15:00:00.000Z'));
      await view(slug, { address: '203.0.113.77' });
      const marks = async () =>
        (await service.dataSource.query<unknown[]>(`select 1 from article_view_marks where article_id = $1`, [id])).length;
      const salts = async () => (await service.dataSource.query<unknown[]>(`select 1 from view_salts where day = '2026-12-01'`)).length;
      const rows = await service.dataSource.query<{ row: string }[]>(
        'select m::text as row from article_view_marks m union all select s::text from view_salts s',
      );
      expect(rows.map(({ row }) => row).join()).not.toContain('203.0.113');
      now.mockReturnValue(new Date('2026-12-02T15:00:00.000Z'));
      await views().forget();
      expect([await marks(), await salts()]).toEqual([1, 1]);
      now.mockReturnValue(new Date('2026-12-03T03:00:00.000Z'));
      await views().forget();
      expect([await marks(), await salts(), await stored(id)]).toEqual([0, 0, 1]);
    });
  });
});
