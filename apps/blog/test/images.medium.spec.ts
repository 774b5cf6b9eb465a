import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { articleImage, pictureOf, srcsetOf } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { authenticated, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import sharp from 'sharp';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { ImageMigration } from '../src/images/image-migration.service.js';
import { Pictures } from '../src/images/pictures.service.js';
import { migrations } from '../src/migrations/index.js';
import { articleImageTexts, imageMigrationTexts, pictureRefusalTexts } from '../src/texts/images-texts.js';

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .jpeg()
    .toBuffer();
const screenshot = readFileSync(path.resolve(__dirname, '../../../docs/wizard.png'));

interface ArticleRow {
  id: string;
  content: string;
  featured_image: string | null;
  image: unknown;
}

describe('pictures of articles', () => {
  let service: ServiceUnderTest;
  let elsewhere: Server;
  let site: string;
  let folder: string;
  /** Requests to the other site. */
  let asked: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** What the model's server gives for a picture. */
  let model: (response: ServerResponse) => void;
  const modelPrompts: string[] = [];

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      if (request.url?.startsWith('/v1/')) {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          modelPrompts.push((JSON.parse(body) as { prompt: string }).prompt);
          response.setHeader('content-type', 'application/json');
          model(response);
        });
        return;
      }
      asked.push(request.url ?? '');
      answer(request, response);
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    site = `http://${host}`;
    folder = await mkdtemp(path.join(tmpdir(), 'decola-images-'));
    service = await start({ AI_BASE_URL: `${site}/v1`, AI_MODEL: 'm', AI_IMAGE_MODEL: 'pictures', AI_RETRY_SECONDS: '0' });
  });
  const start = (environment: Record<string, string>) =>
    serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations, environment: { IMAGES_DIR: folder, OUTGOING_HTTP_HOSTS: new URL(site).host, ...environment } },
    );
  beforeEach(async () => {
    asked = [];
    answer = (_, response) => response.writeHead(404).end();
    model = (response) => response.writeHead(500).end('{}');
    await service.dataSource.query('delete from blog_articles');
  });
  afterAll(async () => {
    await service?.dispose();
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
    await rm(folder, { recursive: true });
  });

  const admin = () => authenticated(randomUUID(), { roles: ['admin_master'] });
  const call = async (name: string, body?: unknown, headers: Record<string, string> = admin(), url = service.url) => {
    const response = await fetch(`${url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const addArticle = async (over: Partial<{ content: string; featured_image: string; title: string }> = {}, db = service.dataSource) => {
    const { content = '<p>Olá</p>', featured_image = null, title = 'Roleta no balcão' } = over;
    const [row] = await db.query<[{ id: string }]>(
      'insert into blog_articles (slug, title, content, featured_image, published) values ($1, $2, $3, $4, true) returning id',
      [randomUUID(), title, content, featured_image],
    );
    return row.id;
  };
  const articleOf = async (id: string, db = service.dataSource) =>
    (await db.query<[ArticleRow]>('select id, content, featured_image, image from blog_articles where id = $1', [id]))[0];
  const sends = (files: Record<string, Buffer>) => {
    answer = ({ url = '' }, response) => {
      const file = files[url];
      if (file) response.setHeader('content-type', 'text/plain').end(file);
      else response.writeHead(404).end();
    };
  };

  describe('at their addresses', () => {
    it('are shown to everybody, for ever, and to nobody who knows them already', async () => {
      const { featured_image: address } = await service.app.get(Pictures).draw('cover');
      const response = await fetch(service.url + address);
      const etag = response.headers.get('etag');
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 675 });

      const head = await fetch(service.url + address, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, String(bytes.length), etag]);
      for (const known of [etag!, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await fetch(service.url + address, { headers: { 'if-none-match': known } });
        expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=31536000, immutable']);
      }
      const file = await fetch(`${service.url}${address}?download`);
      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${path.basename(address)}"`);
      const share = await fetch(`${service.url}${address.replace('-1200.webp', '-share.jpg')}`);
      expect(share.headers.get('content-type')).toBe('image/jpeg');
      expect(await sharp(Buffer.from(await share.arrayBuffer())).metadata()).toMatchObject({ width: 1200, height: 630 });
      for (const each of srcsetOf(address)!.split(', ')) expect((await fetch(service.url + each.split(' ')[0]!)).status).toBe(200);
    });

    it.each([
      '0123456789abcdef0123456789abcdef-1200.webp',
      '0123456789abcdef0123456789abcdef-1200.png',
      '..%2f..%2fetc%2fpasswd',
      'a%00.webp',
      'index.html',
    ])('are not found by another name: %s', async (name) => {
      const response = await fetch(`${service.url}/storage/v1/object/public/blog-images/${name}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await response.json()).toMatchObject({ code: 'NoSuchKey' });
    });

    it('are stored as whole files under their names only', async () => {
      await Promise.all([1, 2, 3].map(() => service.app.get(Pictures).draw('at once')));
      const names = await readdir(path.join(folder, 'blog-images'));
      expect(names.filter((name) => !/^[0-9a-f]{32}-(\d+\.webp|share\.jpg)$/.test(name))).toEqual([]);
    });
  });

  describe('the migration', () => {
    it('brings pictures of other sites and those inside the text here, with sizes and texts, and does nothing a second time', async () => {
      sends({ '/capa.jpg': await photo(2_000, 1_200), '/dentro.png?v=2': screenshot });
      const inText = `data:image/jpeg;base64,${(await photo(300, 200)).toString('base64')}`;
      const id = await addArticle({
        featured_image: `${site}/capa.jpg`,
        content:
          `<p>Olá</p><figure><img src="${site}/dentro.png?v=2"><figcaption>O assistente</figcaption></figure>` +
          `<img src="${inText}" alt="Um balcão"><img src="${site}/dentro.png?v=2" alt="">`,
      });
      const untouched = await addArticle({ content: '<p>sem imagem</p>' });
      expect(await call('migrate-blog-images')).toEqual({
        status: 200,
        body: { success: true, migrated: 4, errors: 0, total: 4, left: [] },
      });
      // The same picture is downloaded once.
      expect(asked.sort()).toEqual(['/capa.jpg', '/dentro.png?v=2']);
      const { content, featured_image: cover, image } = await articleOf(id);
      expect(articleImage.parse(image)).toEqual({ src: cover, width: 1200, height: 720, alt: 'Roleta no balcão', origin: 'stored' });
      expect(pictureOf(cover!)).not.toBeNull();
      const tags = content.match(/<img [^>]*>/g) ?? [];
      expect(tags.map((tag) => /alt="([^"]*)"/.exec(tag)?.[1])).toEqual(['O assistente', 'Um balcão', '']);
      for (const tag of tags) {
        const src = / src="([^"]+)"/.exec(tag)![1]!;
        const { width, height } = await sharp(Buffer.from(await (await fetch(service.url + src)).arrayBuffer())).metadata();
        expect(tag).toContain(`width="${width}"`);
        expect(tag).toContain(`height="${height}"`);
      }
      expect(content).not.toMatch(/127\.0\.0\.1|data:/);
      expect(content).toMatch(/^<p>Olá<\/p><figure>.*<figcaption>O assistente<\/figcaption><\/figure>/);
      expect((await articleOf(untouched)).content).toBe('<p>sem imagem</p>');

      expect((await call('migrate-blog-images', {})).body).toEqual({ success: true, migrated: 0, errors: 0, total: 0, left: [] });
      expect(await articleOf(id)).toEqual({ id, content, featured_image: cover, image });
      expect(asked).toHaveLength(2);
    });

    it('keeps what it cannot have as it was, says why, and tries it again the next time', async () => {
      sends({ '/page.png': Buffer.from('<html>'), '/boa.jpg': await photo(500, 400) });
      const content = `<img src="${site}/calendario.png" alt="a"><img src="${site}/boa.jpg" alt="b"><img src="${site}/page.png" alt="c">`;
      const id = await addArticle({ content, featured_image: 'https://10.0.0.1/interno.png', title: 'Calendário' });
      const { body } = await call('migrate-blog-images');
      expect(body).toMatchObject({ success: true, migrated: 1, errors: 3, total: 4 });
      expect(body['left']).toEqual(
        [
          ['interno.png', pictureRefusalTexts.address],
          ['calendario.png', pictureRefusalTexts.gone],
          ['page.png', pictureRefusalTexts.type],
        ].map(([name, reason]) => ({ articleId: id, title: 'Calendário', name, reason })),
      );
      const left = await articleOf(id);
      expect(left.featured_image).toBe('https://10.0.0.1/interno.png');
      expect(left.content).toContain(`${site}/calendario.png`);
      expect(left.content).toContain(`${site}/page.png`);
      expect(left.content).not.toContain('boa.jpg');

      sends({ '/calendario.png': screenshot });
      expect((await call('migrate-blog-images')).body).toMatchObject({ migrated: 1, errors: 2, total: 3 });
    });

    it('gives pictures of ours the size and the text that they lack', async () => {
      const { featured_image: src } = await service.app.get(Pictures).draw('ours');
      const id = await addArticle({ content: `<img src="https://decola.example${src}"><img src="${src}" alt="x">`, featured_image: src });
      expect((await call('migrate-blog-images')).body).toMatchObject({ migrated: 3, errors: 0, total: 3 });
      expect(asked).toEqual([]);
      const article = await articleOf(id);
      expect(articleImage.parse(article.image)).toMatchObject({ src, width: 1200, height: 675 });
      expect(article.content.match(new RegExp(`<img src="${src}" [^>]*width="1200" height="675"`, 'g'))).toHaveLength(2);
    });

    it('stops when its time is over, with the counts so far', async () => {
      sends({ '/a.jpg': await photo(400, 300) });
      await addArticle({ content: `<img src="${site}/a.jpg" alt="">` });
      expect(await service.app.get(ImageMigration).migrate({ budgetMs: 0 })).toEqual({
        success: true,
        migrated: 0,
        errors: 0,
        total: 1,
        left: [],
      });
      expect(asked).toEqual([]);
      expect((await call('migrate-blog-images')).body).toMatchObject({ migrated: 1, total: 1 });
    });

    it('runs once at a time, and overwrites nothing that somebody changed meanwhile', async () => {
      const file = await photo(400, 300);
      let release: () => void = () => undefined;
      const reached = new Promise<void>((resolve) => {
        answer = (_, response) => {
          release = () => response.end(file);
          resolve();
        };
      });
      const id = await addArticle({ content: `<img src="${site}/a.jpg" alt="">` });
      const first = call('migrate-blog-images');
      await reached;
      expect((await call('migrate-blog-images')).body).toEqual({ success: false, error: imageMigrationTexts.isRunning });
      await service.dataSource.query('update blog_articles set content = $2 where id = $1', [id, '<p>novo</p>']);
      release();
      expect((await first).body).toMatchObject({ success: true, migrated: 0, errors: 0, total: 1 });
      expect((await articleOf(id)).content).toBe('<p>novo</p>');
      expect((await call('migrate-blog-images')).body).toMatchObject({ success: true, total: 0 });
    });
  });

  describe('a new cover', () => {
    it('is made by the model, from its bytes or from an address of its server', async () => {
      const id = await addArticle();
      model = (response) => response.end(JSON.stringify({ created: 1, data: [{ b64_json: screenshot.toString('base64') }] }));
      const made = await call('generate-article-image', { articleId: id, title: 'x', more: 1 });
      expect(made).toEqual({
        status: 200,
        body: { success: true, imageUrl: expect.stringMatching(/^\/storage\/v1\/object\/public\/blog-images\//) },
      });
      const first = await articleOf(id);
      expect(first.featured_image).toBe(made.body['imageUrl']);
      expect(articleImage.parse(first.image)).toMatchObject({ src: first.featured_image, alt: 'Roleta no balcão', origin: 'generated' });
      expect(modelPrompts.at(-1)).toContain('{"title":"Roleta no balcão"}');

      sends({ '/gerada.png': await photo(1_536, 1_024) });
      model = (response) => response.end(JSON.stringify({ created: 1, data: [{ url: `${site}/gerada.png` }] }));
      const again = await call('generate-article-image', { articleId: id, title: 'x' });
      expect(again.body).toMatchObject({ success: true });
      expect(again.body['imageUrl']).not.toBe(first.featured_image);
      expect(asked).toEqual(['/gerada.png']);
      expect(await articleOf(id)).toMatchObject({ image: { width: 1200, height: 800 } });
    });

    it('is drawn when the model gives none, but does not take the place of a picture', async () => {
      const bare = await addArticle();
      const pictured = await addArticle({ featured_image: 'https://images.example/a.png' });
      for (const failure of [
        (response: ServerResponse) => response.writeHead(400).end('{"error":{"code":"content_policy_violation","message":"no"}}'),
        (response: ServerResponse) =>
          response.end(JSON.stringify({ created: 1, data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] })),
      ]) {
        model = failure;
        expect((await call('generate-article-image', { articleId: bare, title: 'x' })).body).toMatchObject({ success: true });
        expect((await articleOf(bare)).image).toMatchObject({ origin: 'drawn', alt: '', width: 1200, height: 675 });
        expect((await call('generate-article-image', { articleId: pictured, title: 'x' })).body).toEqual({
          success: false,
          error: articleImageTexts.notGenerated,
        });
        await service.dataSource.query('update blog_articles set featured_image = null, image = null where id = $1', [bare]);
      }
      expect((await articleOf(pictured)).featured_image).toBe('https://images.example/a.png');
    });

    it('is made once for two presses at the same time', async () => {
      const id = await addArticle();
      const before = modelPrompts.length;
      model = (response) =>
        void setTimeout(() => response.end(JSON.stringify({ created: 1, data: [{ b64_json: screenshot.toString('base64') }] })), 200);
      const answers = await Promise.all([1, 2].map(() => call('generate-article-image', { articleId: id, title: 'x' })));
      expect(answers[0]).toEqual(answers[1]);
      expect(modelPrompts.length - before).toBe(1);
    });

    it('is another drawing at each press when there is no model for pictures; the first one follows from the article', async () => {
      const other = await start({});
      try {
        const id = await addArticle({}, other.dataSource);
        const press = async () =>
          (await call('generate-article-image', { articleId: id, title: 'x' }, admin(), other.url)).body['imageUrl'];
        const [first, second, third] = [await press(), await press(), await press()];
        expect(new Set([first, second, third]).size).toBe(3);
        expect(first).toBe((await other.app.get(Pictures).draw(id)).featured_image);
        const cover = await other.app.get(Pictures).coverFor({ title: 't', brief: null, alt: 'a', runId: id, userId: randomUUID() });
        expect(cover).toEqual({ featured_image: first, image: { src: first, width: 1200, height: 675, alt: '', origin: 'drawn' } });
      } finally {
        await other.dispose();
      }
    });

    it('of an article that does not exist is refused in words', async () => {
      expect((await call('generate-article-image', { articleId: randomUUID(), title: 'x' })).body).toEqual({
        success: false,
        error: articleImageTexts.unknownArticle,
      });
      expect((await call('generate-article-image', { articleId: 'x', title: 'x' })).status).toBe(400);
    });
  });

  it('both functions are refused to everybody but admin_master', async () => {
    const id = await addArticle();
    for (const name of ['generate-article-image', 'migrate-blog-images']) {
      const body = { articleId: id, title: 'x' };
      expect((await call(name, body, {})).status).toBe(401);
      for (const roles of [[], ['admin']]) {
        const refused = await call(name, body, authenticated(randomUUID(), { roles }));
        expect([refused.status, refused.body['code']]).toEqual([403, 'not_admin']);
      }
    }
    expect((await articleOf(id)).featured_image).toBeNull();
  });
});
