import { randomUUID } from 'node:crypto';
import { articleUpdated, articleWithdrawn, type SiteArticle, type SiteArticleAnswer, type SiteArticleCard } from '@decola/contracts';
import { eventually, publishTestEvent, testBroker, type TestBroker } from '@decola/testing';
import { fakeService, type GatewayBench, gatewayBench, publishableKey, type Seen } from './support.js';

const card = (slug: string, changes: Partial<SiteArticleCard> = {}): SiteArticleCard => ({
  id: randomUUID(),
  slug,
  title: `Título de ${slug}`,
  excerpt: 'Resumo.',
  category: 'Dados',
  tags: ['seo'],
  author: 'Decola',
  readTime: 4,
  publishedAt: '2026-11-18T12:00:00.000Z',
  updatedAt: '2026-11-18T12:00:00.000Z',
  picture: null,
  ...changes,
});
const articleOf = (slug: string, changes: Partial<SiteArticle> = {}): SiteArticle => ({
  ...card(slug),
  content: '<p>O texto do artigo.</p>',
  metaTitle: null,
  metaDescription: null,
  viewCount: 0,
  wordCount: 900,
  preview: null,
  ...changes,
});

const found = (article: SiteArticle, related: SiteArticleCard[] = []): SiteArticleAnswer => ({ state: 'found', article, related });

describe('the pages of the blog', () => {
  let broker: TestBroker;
  let bench: GatewayBench;
  /** What blog answers, by the path below `/internal/site`; anything else is 500. The ETag is made from the answer. */
  let answers: Record<string, unknown>;
  beforeAll(async () => {
    broker = await testBroker();
    bench = await gatewayBench({ RABBITMQ_URL: broker.url });
    // Until its queue is there, the gateway keeps pages that no event can reach.
    await eventually(async () => expect(await broker.api<unknown[]>('GET', '/queues/{vhost}')).toHaveLength(2));
  });
  afterAll(async () => {
    await bench?.dispose();
    await broker?.dispose();
  });
  beforeEach(() => {
    bench.reset();
    answers = {};
    bench.services.blog.answer = ({ url, headers }: Seen) => {
      const found = answers[url.replace('/internal/site', '')];
      if (found === undefined) return { status: 500, body: '{}' };
      const body = JSON.stringify(found);
      const etag = `"${Buffer.from(body).toString('base64url').slice(-30)}"`;
      return headers['if-none-match'] === etag ? { status: 304 } : { headers: { 'content-type': 'application/json', etag }, body };
    };
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${bench.url}${path}`, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const asked = () => bench.services.blog.seen.map(({ url }) => url);
  it('are rendered with what blog answers, and the same for people and crawlers', async () => {
    const slug = randomUUID();
    answers[`/articles/${slug}`] = found(articleOf(slug));
    const browser = await get(`/blog/${slug}?utm_source=carta`, { accept: 'text/html', 'user-agent': 'Mozilla/5.0' });
    const crawler = await get(`/blog/${slug}/`, { 'user-agent': 'curl/8', 'accept-encoding': 'identity' });
    expect(browser.status).toBe(200);
    expect(browser.text).toContain('<div id="root"><h1>article</h1><p>O texto do artigo.</p></div>');
    expect(browser.text).toContain(`<title>Título de ${slug} · Decola</title>`);
    expect(browser.text).toContain(`<link rel="canonical" href="http://decola.test/blog/${slug}">`);
    expect(browser.text).toContain(`<meta name="publishable-key" content="${publishableKey}">`);
    expect(crawler.text).toBe(browser.text);
    expect([browser.headers.get('content-encoding'), crawler.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(browser.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=600');
    expect(browser.headers.get('content-security-policy')).toContain(`default-src 'self'`);
    expect(asked()).toEqual([`/internal/site/articles/${slug}`]);
  });

  it('show the list that its address asks for', async () => {
    const tag = randomUUID();
    answers[`/articles?search=caf%C3%A9&tag=${tag}&page=2`] = { articles: [card('um')], total: 13, categories: ['Dados'] };
    const page = await get(`/blog?page=2&tag=${tag}&search=caf%C3%A9`);
    expect([page.status, page.text.includes('<h1>list</h1><h2>Título de um</h2>')]).toEqual([200, true]);
    expect(page.text).toContain('<meta name="robots" content="noindex, follow">');
    answers[`/articles?tag=${tag}&page=3`] = { articles: [], total: 13, categories: [] };
    expect((await get(`/blog?tag=${tag}&page=3`)).status).toBe(404);
  });

  it('answer 304 to who has the page already', async () => {
    const slug = randomUUID();
    answers[`/articles/${slug}`] = found(articleOf(slug));
    const etag = (await get(`/blog/${slug}`)).headers.get('etag')!;
    expect(await get(`/blog/${slug}`, { 'if-none-match': `"x", ${etag}` })).toMatchObject({ status: 304, text: '' });
    expect(await get(`/blog/${slug}`, { 'if-none-match': '"x"' })).toMatchObject({ status: 200 });
  });

  it('answer 404 for a slug that is longer than any, without asking blog', async () => {
    for (const length of [501, 3_000]) expect([length, (await get(`/blog/${'a'.repeat(length)}`)).status]).toEqual([length, 404]);
    expect(asked()).toEqual([]);
  });

  it('answer 404 for an unknown slug and 410 for a withdrawn article, and lead people to the list', async () => {
    for (const [state, status] of [
      ['unknown', 404],
      ['withdrawn', 410],
    ] as const) {
      const slug = randomUUID();
      answers[`/articles/${slug}`] = { state };
      const page = await get(`/blog/${slug}`);
      expect([state, page.status]).toEqual([state, status]);
      expect(page.text).toContain('<meta http-equiv="refresh" content="0;url=/blog">');
      expect(page.text).toContain('<meta name="robots" content="noindex">');
      expect(page.text).toContain('<h1>missing</h1>');
    }
    expect((await get('/blog/a/b')).text).not.toContain('refresh');
  });

  it('lead from an old slug to the new one', async () => {
    const slug = randomUUID();
    answers[`/articles/${slug}`] = { state: 'moved', slug: 'novo' };
    const page = await get(`/blog/${slug}`);
    expect([page.status, page.headers.get('location')]).toEqual([301, '/blog/novo']);
  });

  it('say that articles cannot be loaded, with status 503, and try again at the next visit', async () => {
    const slug = randomUUID();
    for (const path of [`/blog?tag=${slug}`, `/blog/${slug}`]) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('cache-control')]).toEqual([path, 503, 'no-store']);
      expect(page.text).toContain('<h1>failed</h1>');
    }
    answers[`/articles/${slug}`] = found(articleOf(slug, { title: 'cannot be rendered' }));
    expect((await get(`/blog/${slug}`)).status).toBe(503);
    answers[`/articles/${slug}`] = found(articleOf(slug));
    expect((await get(`/blog/${slug}`)).status).toBe(200);
  });

  it('are asked of blog once, until an event is about an article in them', async () => {
    const [own, other] = [articleOf(randomUUID()), articleOf(randomUUID())];
    const list = `/articles?tag=${own.slug}`;
    answers[`/articles/${own.slug}`] = found(own);
    answers[`/articles/${other.slug}`] = found(other);
    answers[list] = { articles: [own], total: 1, categories: [] };
    const paths = [`/blog/${own.slug}`, `/blog/${other.slug}`, `/blog?tag=${own.slug}`];
    await Promise.all([...paths, ...paths].map((path) => get(path)));
    expect(asked()).toHaveLength(3);
    const at = new Date().toISOString();
    answers[`/articles/${own.slug}`] = found({ ...own, content: '<p>Um texto novo.</p>' });
    await publishTestEvent(broker.url, articleUpdated, { articleId: own.id, slug: own.slug, at });
    await eventually(async () => expect((await get(paths[0]!)).text).toContain('Um texto novo.'));
    expect((await get(paths[2]!)).status).toBe(200);
    await get(paths[1]!);
    // The list was asked for again and is the same (304); the other article was not.
    expect(asked().slice(3).toSorted()).toEqual([`/internal/site/articles/${own.slug}`, `/internal/site${list}`].toSorted());

    answers[`/articles/${own.slug}`] = { state: 'withdrawn' };
    await publishTestEvent(broker.url, articleWithdrawn, { articleId: own.id, slug: own.slug, at });
    await eventually(async () => expect((await get(paths[0]!)).status).toBe(410));
  });

  it('are asked of blog again for who wants no kept page, and then kept for all', async () => {
    const { slug, ...article } = articleOf(randomUUID());
    answers[`/articles/${slug}`] = found({ ...article, slug });
    const address = `/blog/${slug}`;
    await get(address);
    answers[`/articles/${slug}`] = found({ ...article, slug, content: '<p>Um texto novo.</p>' });
    expect((await get(address)).text).not.toContain('Um texto novo.');
    expect((await get(address, { 'cache-control': 'no-cache' })).text).toContain('Um texto novo.');
    expect((await get(address)).text).toContain('Um texto novo.');
    expect(asked()).toHaveLength(2);
  });

  it('stay as they were while blog is down', async () => {
    const article = articleOf(randomUUID());
    answers[`/articles/${article.slug}`] = found(article);
    await get(`/blog/${article.slug}`);
    answers = {};
    await publishTestEvent(broker.url, articleUpdated, { articleId: article.id, slug: article.slug, at: new Date().toISOString() });
    await eventually(async () => {
      await get(`/blog/${article.slug}`);
      expect(asked()).toHaveLength(2);
    });
    expect(await get(`/blog/${article.slug}`)).toMatchObject({ status: 200, text: expect.stringContaining('O texto do artigo.') });
  });

  it('have a feed, and the sitemap has their addresses', async () => {
    answers['/feed'] = { recent: [card('um')], slugs: [{ slug: 'um', updatedAt: '2026-11-18T12:00:00.000Z' }] };
    const feed = await get('/blog/rss.xml');
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(feed.text).toContain('<link>http://decola.test/blog/um</link>');
    const sitemap = await get('/sitemap.xml', { accept: '*/*' });
    expect(sitemap.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(sitemap.text).toContain(
      '<loc>http://decola.test/blog/um</loc><lastmod>2026-11-18T12:00:00.000Z</lastmod><changefreq>weekly</changefreq><priority>0.7</priority>',
    );
    expect((await get('/sitemap.xml', { accept: 'text/html' })).text).toContain('<h1>sitemap</h1>');
    expect((await get('/sitemap')).text).toContain('<h1>sitemap</h1>');
    const file = await get('/sitemap.xml?download', { accept: 'text/html' });
    expect([file.text, file.headers.get('content-disposition')]).toEqual([sitemap.text, 'attachment; filename="sitemap.xml"']);
  });
});

it('count what is asked of blog towards the limit of the visitor’s address, and nothing that is kept', async () => {
  const bench = await gatewayBench({ RATE_LIMIT_REQUESTS_PER_MINUTE: '20' });
  try {
    bench.services.blog.answer = () => ({ body: JSON.stringify({ articles: [], total: 0, categories: [] }) });
    const get = async (path: string) => fetch(`${bench.url}${path}`);
    for (let visit = 0; visit < 30; visit += 1) expect((await get('/blog')).status).toBe(200);
    const answers = [];
    for (let tag = 0; tag < 25; tag += 1) answers.push(await get(`/blog?tag=${tag}`));
    const refused = answers.at(-1)!;
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('<h1>too-many</h1>');
    expect((await get('/blog')).status).toBe(200);
    expect(bench.services.blog.seen.length).toBeLessThanOrEqual(20);
  } finally {
    await bench.dispose();
  }
});

it('tell search engines of an article once for all replicas, and show them the key', async () => {
  const [broker, engines] = [await testBroker(), await fakeService()];
  const key = 'chave-1a2b3c4d';
  const environment = {
    RABBITMQ_URL: broker.url,
    INDEXNOW_KEY: key,
    INDEXNOW_URL: `${engines.url}/indexnow`,
    OUTGOING_HTTP_HOSTS: new URL(engines.url).host,
  };
  const first = await gatewayBench(environment);
  const second = await gatewayBench({ ...environment, REDIS_PREFIX: first.redis.prefix });
  try {
    for (const { services } of [first, second])
      services.blog.answer = () => ({
        body: JSON.stringify(found(articleOf('um-artigo'))),
        headers: { 'content-type': 'application/json' },
      });
    await eventually(async () => expect(await broker.api<unknown[]>('GET', '/queues/{vhost}')).toHaveLength(4));
    const tell = (slug: string) =>
      publishTestEvent(broker.url, articleUpdated, { articleId: randomUUID(), slug, at: new Date().toISOString() });
    await tell('um-artigo');
    await tell('o-ultimo');
    const told = () => engines.seen.map(({ body }) => JSON.parse(body.toString()) as { key: string; urlList: string[] });
    const addresses = ['http://decola.test/blog/o-ultimo', 'http://decola.test/blog/um-artigo'];
    await eventually(() =>
      expect(
        told()
          .map(({ urlList }) => urlList[0])
          .toSorted(),
      ).toEqual(addresses),
    );
    const file = await fetch(`${first.url}/${key}.txt`);
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/plain; charset=utf-8', key]);
    expect((await fetch(`${first.url}/chave-1a2b3c4e.txt`)).status).toBe(404);
  } finally {
    await Promise.all([first.dispose(), second.dispose()]);
    await Promise.all([broker.dispose(), engines.close()]);
  }
});
