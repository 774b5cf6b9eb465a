import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@decola/testing';
import { type ArticleNews, IndexNow } from './index-now.js';

const key = 'a1b2c3d4e5f6';
const news = (slug: string, changes: Partial<ArticleNews> = {}): ArticleNews => ({
  articleId: '00000000-0000-4000-8000-000000000001',
  slug,
  at: '2026-11-21T12:00:00Z',
  ...changes,
});

describe('telling search engines of articles', () => {
  let server: http.Server;
  let received: { headers: http.IncomingHttpHeaders; body: Record<string, unknown> }[];
  let statuses: number[];
  let warnings: string[];
  const claimed = new Set<string>();
  const open: IndexNow[] = [];

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        received.push({ headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
        response.writeHead(statuses.shift() ?? 202).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    [received, statuses, warnings] = [[], [], []];
    claimed.clear();
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** A replica of the gateway; of all replicas one gets a claim. */
  const replica = (changes: { key?: string | undefined; unknown?: string; hosts?: string[] } = {}) => {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const index = new IndexNow({
      config: {
        INDEXNOW_KEY: 'key' in changes ? changes.key : key,
        INDEXNOW_URL: `http://${host}/indexnow`,
        OUTGOING_HTTP_HOSTS: changes.hosts ?? [host],
        SITE_URL: 'https://decola.example/',
      },
      limits: {
        claimNews: (id) => {
          const isFirst = !claimed.has(id);
          claimed.add(id);
          return Promise.resolve(isFirst);
        },
      },
      askBlog: ((_kind: string, path: string) =>
        Promise.resolve({
          isUnchanged: false,
          data: { state: path === `/articles/${changes.unknown}` ? 'unknown' : 'withdrawn' },
          etag: null,
        })) as never,
      logger: { warn: (_: object, message: string) => warnings.push(message) } as never,
      pausesMs: [0, 0],
    });
    open.push(index);
    return index;
  };

  it('sends the address with the key, once for all replicas', async () => {
    const replicas = [replica(), replica(), replica()];
    for (const each of replicas) each.tell(news('um-artigo'));
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]!.body).toEqual({
      host: 'decola.example',
      key,
      keyLocation: `https://decola.example/${key}.txt`,
      urlList: ['https://decola.example/blog/um-artigo'],
    });
    expect(received[0]!.headers['content-type']).toBe('application/json; charset=utf-8');
    // The next change of the same article is other news.
    replicas[1]!.tell(news('outro-endereco', { at: '2026-11-21T12:00:01Z', previousSlug: 'um-artigo' }));
    await eventually(() => expect(received).toHaveLength(2));
    expect(received[1]!.body['urlList']).toEqual(['https://decola.example/blog/outro-endereco', 'https://decola.example/blog/um-artigo']);
  });

  it('says nothing of articles that only people who are signed in may read, and nothing without a key', async () => {
    replica({ unknown: 'de-outra-pessoa' }).tell(news('de-outra-pessoa'));
    replica({ key: undefined }).tell(news('sem-chave', { at: '2026-11-21T12:00:02Z' }));
    replica().tell(news('aberto', { at: '2026-11-21T12:00:03Z' }));
    await eventually(() => expect(received).toHaveLength(1));
    expect(received[0]!.body['urlList']).toEqual(['https://decola.example/blog/aberto']);
    expect(claimed.size).toBe(2);
  });

  it('repeats what was not answered well, and gives up in the end', async () => {
    statuses = [503, 429, 200];
    replica().tell(news('um'));
    await eventually(() => expect(received).toHaveLength(3));
    expect(warnings).toEqual([]);
    statuses = [500, 500, 500, 500];
    replica().tell(news('dois', { at: '2026-11-21T12:00:04Z' }));
    await eventually(() => expect(warnings).toHaveLength(1));
    expect(received).toHaveLength(6);
  });

  it('does not repeat a refusal, and calls no address of our own network', async () => {
    statuses = [403];
    replica().tell(news('um'));
    await eventually(() => expect(warnings).toHaveLength(1));
    claimed.clear();
    replica({ hosts: [] }).tell(news('dois'));
    await eventually(() => expect(warnings).toHaveLength(2));
    expect(received).toHaveLength(1);
  });
});
