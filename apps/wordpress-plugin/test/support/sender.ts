import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WordPress } from '../../testing/wordpress.js';

/** The addresses of the plugin, below a site's origin. */
export const doors = {
  pretty: '/wp-json/decola/v1/events',
  plain: '/?rest_route=/decola/v1/events',
  beside: '/?decola-webhook=1',
} as const;

export interface Answer {
  status: number;
  /** What stands before the plugin's JSON. */
  before: string;
  json: Record<string, unknown>;
  headers: Headers;
}

export interface Sending {
  door?: keyof typeof doors;
  token?: string;
  /** Instant of the signature. Default: now. */
  at?: Date;
  /** Message id. Default: a new one. */
  id?: string;
  /** Host in the event. Default: the site's. */
  host?: string | null;
  /** Sent as a form with this file. */
  file?: Buffer;
  headers?: Record<string, string>;
}

export const newToken = () => randomBytes(32).toString('base64url');
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
export const newMessageId = () => `msg_${randomBytes(16).toString('hex')}`;

/** Signatures by the published library: the key is the bytes of the token. */
export const webhookOf = (token: string) => new Webhook(Buffer.from(token, 'utf8'), { format: 'raw' });

/** Sends events as the service does. */
export class Sender {
  constructor(
    private readonly site: WordPress,
    readonly token: string,
  ) {}

  async send(type: string, data: Record<string, unknown>, sending: Sending = {}): Promise<Answer> {
    const host = sending.host === undefined ? '127.0.0.1' : sending.host;
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data: { ...(host === null ? {} : { host }), ...data } });
    return this.post(body, sending);
  }

  /** Sends a text as it is. */
  async post(
    body: string,
    { door = 'pretty', token = this.token, at = new Date(), id = newMessageId(), file, headers }: Sending = {},
  ): Promise<Answer> {
    const form = new FormData();
    if (file) {
      form.set('event', body);
      form.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'capa.png');
    }
    const response = await fetch(this.site.origin + doors[door], {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...(file ? {} : { 'content-type': 'application/json' }),
        'user-agent': 'Decola-Webhook/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': webhookOf(token).sign(id, at, body),
        ...headers,
      },
      body: file ? form : body,
    });
    const text = await response.text();
    const start = text.indexOf('{"decola"');
    if (start < 0) throw new Error(`no answer of the plugin, but ${response.status}: ${text.slice(0, 600)}`);
    return {
      status: response.status,
      before: text.slice(0, start),
      json: JSON.parse(text.slice(start)) as Record<string, unknown>,
      headers: response.headers,
    };
  }

  ping(sending: Sending = {}, challenge = randomBytes(32).toString('hex')): Promise<Answer> {
    return this.send('ping', { challenge }, sending);
  }

  prepare(article: Article, sending: Sending = {}): Promise<Answer> {
    return this.send('article.prepare', eventOf(article), sending);
  }

  publish(article: Article, more: Record<string, unknown> = {}, sending: Sending = {}): Promise<Answer> {
    return this.send('article.publish', { article_id: article.id, revision: article.revision, status: 'publish', ...more }, sending);
  }

  /** Prepares and publishes. @returns the id of the post */
  async deliver(article: Article): Promise<number> {
    await this.prepare(article);
    const { status, json } = await this.publish(article);
    if (status !== 200) throw new Error(JSON.stringify(json));
    return Number(json['post_id']);
  }
}

export interface Article {
  id: string;
  revision: number;
  title: string;
  slug: string;
  html: string;
  excerpt: string;
  category: string;
  tags: string[];
  metaTitle: string | null;
  metaDescription: string | null;
  focusKeyword: string | null;
  force?: boolean;
}

let count = 0;

/** An article that no other test has. */
export function anArticle(changes: Partial<Article> = {}): Article {
  const number = ++count;
  return {
    id: randomUUID(),
    revision: 1,
    title: `Pão de fermentação natural nº ${number}`,
    slug: `pao-de-fermentacao-natural-${number}`,
    html: '<h2 id="massa">A massa</h2>\n<p>Farinha, água e <strong>tempo</strong>: “sem pressa”.</p>',
    excerpt: 'Como fazer pão em casa.',
    category: 'Receitas',
    tags: ['pão', 'forno'],
    metaTitle: 'Pão em casa: guia completo',
    metaDescription: 'Aprenda a fazer pão de fermentação natural em casa.',
    focusKeyword: 'pão de fermentação natural',
    ...changes,
  };
}

export function eventOf(article: Article): Record<string, unknown> {
  return {
    article_id: article.id,
    revision: article.revision,
    title: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    content_base64: Buffer.from(article.html, 'utf8').toString('base64'),
    category: article.category,
    tags: article.tags,
    meta_title: article.metaTitle,
    meta_description: article.metaDescription,
    focus_keyword: article.focusKeyword,
    ...(article.force ? { force: true } : {}),
  };
}
