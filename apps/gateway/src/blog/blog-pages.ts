import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../limits/rate-limits.js';
import type { CachedPage, PageCache } from './page-cache.js';
import type { MadePage, PageMaker } from './page-maker.js';
import { addressOf, blogTargetOf, type Target } from './targets.js';

const compress = promisify(gzip);

/** How long an old page is sent before blog is asked again, when blog has failed. */
const oldPageMs = 5_000;

export interface BlogVisit {
  /** Decoded. */
  pathname: string;
  /** Without its question mark. */
  query: string;
  clientAddress: string;
}

interface BlogPagesOptions {
  maker: PageMaker;
  cache: PageCache;
  limits: RateLimits;
  logger: Logger;
}

/** Sends the pages of the blog and its feed, rendered on the server: everybody gets the same bytes (docs/decisions/0051-pages-of-the-blog.md). */
export class BlogPages {
  private readonly maker: PageMaker;
  private readonly cache: PageCache;
  private readonly limits: RateLimits;
  private readonly logger: Logger;

  constructor({ maker, cache, limits, logger }: BlogPagesOptions) {
    this.maker = maker;
    this.cache = cache;
    this.limits = limits;
    this.logger = logger;
  }

  /** @returns whether the address is one of the blog's, and was answered */
  async send({ pathname, query, clientAddress }: BlogVisit, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const target = blogTargetOf(pathname, query);
    if (target) await this.answer(target, clientAddress, request, reply);
    return target !== null;
  }

  /** Answers `/sitemap.xml` as XML. */
  sendSitemap(clientAddress: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.answer({ kind: 'sitemap' }, clientAddress, request, reply);
  }

  private async answer(target: Target, clientAddress: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isFresh = asksForFreshPage(request);
    const kept = isFresh ? null : this.cache.get(addressOf(target));
    if (kept) return send(kept, request, reply);
    // Only what has to be asked of blog counts towards the limit of the visitor's address.
    const wait = await this.limits.countRequest(clientAddress, 'rest', 'GET', '/internal/site');
    if (wait === null) return send(await this.load(target, isFresh), request, reply);
    void reply.header('retry-after', String(wait));
    return send(await finished(this.maker.tooMany(target)), request, reply);
  }

  /** The page of an address, made with what blog answers; the old one when blog fails. */
  private load(target: Target, isFresh: boolean): Promise<CachedPage> {
    const make = async (old: CachedPage | null) => {
      try {
        const made = await this.maker.make(target, old?.sourceEtag ?? null);
        return { page: made ? await finished(made.page, made.etag) : old! };
      } catch (error) {
        this.logger.error({ err: error, old: old !== null }, 'could not make a page of the blog');
        return old ? { page: old, validMs: oldPageMs } : { page: await finished(this.maker.failed(target)), validMs: 0 };
      }
    };
    return isFresh ? this.cache.reload(addressOf(target), make) : this.cache.load(addressOf(target), make);
  }
}

/** The panel of administrators reads the list again after a change, and must not get a page that is older: its event may still be on its way. */
const asksForFreshPage = ({ headers }: FastifyRequest) => /\bno-cache\b/i.test(headers['cache-control'] ?? '');

async function finished({ status, headers, text, about }: MadePage, sourceEtag: string | null = null): Promise<CachedPage> {
  const body = Buffer.from(text);
  // Weak: the compressed page has the same.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return {
    status,
    headers: { ...headers, vary: 'accept-encoding', etag },
    body,
    gzipped: await compress(body, { level: 6 }),
    sourceEtag,
    about: new Set(about),
  };
}

async function send({ status, headers, body, gzipped }: CachedPage, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.headers(headers);
  const known = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim());
  if (status === 200 && known.includes(headers['etag'] ?? '')) {
    await reply.status(304).send();
    return;
  }
  void reply.status(status);
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) await reply.header('content-encoding', 'gzip').send(gzipped);
  else await reply.send(body);
}
