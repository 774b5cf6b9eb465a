import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that a site received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Of a signed message. */
  type: string | null;
  data: Record<string, unknown>;
  messageId: string | null;
  /** The answer was sent. */
  isAnswered?: boolean;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
  /** The work is done, and the connection ends without an answer. */
  lost?: boolean;
  /** Answered when this resolves. */
  after?: Promise<unknown>;
  /** The site does its work and gives its own answer, after `after`. */
  isHeld?: boolean;
}

interface Post {
  id: number;
  articleId: string;
  title: string;
  status: string;
  isEdited: boolean;
}

/** Answers a request instead of the site; undefined: the site answers. */
export type Fault = (request: Received) => Answer | undefined;

/**
 * A site with a stand-in of our plugin, for faults that a real WordPress does not have on demand. It checks signatures with the published library, keeps one
 * post for each article, and does what an answer is replaced for (`lost`) or not (every other fault).
 */
export class SiteReceiver {
  readonly received: Received[] = [];
  readonly posts: Post[] = [];
  token = '';
  /** The path of the plugin's door; other paths are pages. */
  door = '/wp-json/decola/v1/events';
  isPlugin = true;
  fault: Fault = () => undefined;
  /** The public page of a post. */
  page: (title: string, path: string) => Answer = (title) => ({
    headers: { 'content-type': 'text/html' },
    body: `<title>${title} – Loja</title><h1>${title}</h1>`,
  });
  /** Most requests that were handled at the same time. */
  mostAtOnce = 0;
  private atOnce = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<SiteReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new SiteReceiver(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => void receiver.handle(request, response));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The signed messages of a type. */
  messages(type: string): Received[] {
    return this.received.filter((each) => each.type === type);
  }

  reset(): void {
    this.received.length = 0;
    this.posts.length = 0;
    this.mostAtOnce = 0;
    this.isPlugin = true;
    this.door = '/wp-json/decola/v1/events';
    this.fault = () => undefined;
    this.page = (title) => ({ headers: { 'content-type': 'text/html' }, body: `<title>${title} – Loja</title><h1>${title}</h1>` });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    try {
      const received = await read(request);
      this.received.push(received);
      const fault = this.fault(received);
      const answer = fault && !fault.lost && !fault.isHeld ? fault : { ...this.answer(received), ...fault };
      await answer.after;
      if (answer.lost) return void request.socket.destroy();
      const { status = 200, headers = {}, body = '' } = answer;
      response.writeHead(status, typeof body === 'string' ? headers : { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      received.isAnswered = true;
    } finally {
      this.atOnce--;
    }
  }

  private answer(request: Received): Answer {
    if (request.method === 'GET') return this.publicPage(request);
    if (!this.isPlugin) return { body: { ok: true } };
    if (request.path !== this.door) return { status: 404, body: { code: 'rest_no_route' } };
    const versions = { decola: 1, plugin: '1.0.0', wp: '6.6', php: '8.2' };
    if (!this.isSigned(request)) return { status: 401, body: { decola: 1, ok: false, code: 'token', message: 'O token não confere.' } };
    return { body: { ...versions, ok: true, ...this.carryOut(request) } };
  }

  /** Whatever the time is: tests move the sender's clock. */
  private isSigned({ headers, body }: Received): boolean {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signature = new Webhook(Buffer.from(this.token), { format: 'raw' }).sign(String(headers['webhook-id']), at, body);
    return String(headers['webhook-signature']).split(' ').includes(signature);
  }

  private carryOut({ type, data }: Received): object {
    const articleId = String(data['article_id']);
    const post = this.posts.find((each) => each.articleId === articleId);
    switch (type) {
      case 'ping':
        return {
          proof: createHmac('sha256', this.token)
            .update(`${String(data['challenge'])}${String(data['host'])}`)
            .digest('hex'),
          ...{
            categories: ['Notícias', 'Receitas'],
            authors: [{ id: 1, name: 'Ana' }],
            seo_plugin: 'yoast',
            blog_public: true,
            warnings: [],
          },
        };
      case 'article.prepare': {
        const title = String(data['title']);
        if (post) post.title = title;
        else this.posts.push({ id: this.posts.length + 1, articleId, title, status: 'draft', isEdited: false });
        return this.factsOf(articleId);
      }
      case 'article.media':
        return { attachment_id: 7 };
      case 'article.publish':
        post!.status = String(data['status']);
        return this.factsOf(articleId);
      case 'article.withdraw':
        if (post) post.status = 'draft';
        return this.factsOf(articleId);
      case 'article.status':
        return {
          articles: (data['article_ids'] as string[]).map((id) => {
            const found = this.posts.find((each) => each.articleId === id);
            return { article_id: id, state: found?.status ?? 'absent', edited: found?.isEdited ?? false, url: found && this.urlOf(found) };
          }),
        };
      case 'site.inventory':
        return {
          posts: [
            { slug: 'ola-mundo', title: 'Olá, mundo', link: `${this.origin}/ola-mundo` },
            { slug: 'x', title: 'Fora', link: 'https://fora.example/x' },
          ],
        };
      default:
        return {};
    }
  }

  private factsOf(articleId: string): object {
    const post = this.posts.find((each) => each.articleId === articleId);
    if (!post) return {};
    return {
      ...{ post_id: post.id, status: post.status, state: post.status, url: this.urlOf(post) },
      edit_url: `${this.origin}/wp-admin/post.php?post=${post.id}`,
      content_hash: createHash('sha256').update(post.title).digest('hex'),
    };
  }

  private urlOf = ({ id }: Post): string => `${this.origin}/artigo-${id}/`;

  private publicPage({ path }: Received): Answer {
    const id = Number(/^\/artigo-(\d+)\//.exec(path)?.[1]);
    const post = this.posts.find((each) => each.id === id && each.status === 'publish');
    return post ? this.page(post.title, path) : { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Não encontrado</h1>' };
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const { type = null, data = {} } = parsed(
    /multipart/.test(request.headers['content-type'] ?? '') ? (/\{"type".*\}/.exec(body)?.[0] ?? '') : body,
  );
  return {
    ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, type, data },
    messageId: (request.headers['webhook-id'] as string | undefined) ?? null,
  };
}

function parsed(text: string): { type?: string; data?: Record<string, unknown> } {
  try {
    return JSON.parse(text) as { type?: string; data?: Record<string, unknown> };
  } catch {
    return {};
  }
}
