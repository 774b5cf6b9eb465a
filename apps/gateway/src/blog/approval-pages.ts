import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  approvalAddress,
  type ApprovalAnswer,
  type ApprovalPage,
  type DoneAnswer,
  isApprovalToken,
  readDecision,
  type SentDecision,
} from '@decola/contracts';
import type { Logger } from '@decola/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
import type { GatewayConfig } from '../config/config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { ServiceAgent } from '../proxy/service-agent.js';
import { serviceUrl } from '../routing/routes.js';
import { type Site, withMetadata } from '../site/metadata.js';
import { publicConfiguration } from '../site/public-configuration.js';
import type { SetPageHeaders } from '../site/security-headers.js';
import { serverFolder } from '../site/wheel-pages.js';
import { approvalPageTexts as texts, defaultPageDescription } from '../texts/texts.js';

/** What `blog-pages.cjs` exports (`apps/web/src/blog-pages/server.tsx`). */
interface ApprovalModule {
  renderApprovalPage: (page: ApprovalPage, configuration: Record<string, string>) => string;
}

/** After this time the page says that the article could not be loaded. */
const patienceMs = 4_000;
/** A form has a note of at most 1,000 characters, each of which takes up to 12 bytes. */
const largestForm = 16 * 1024;
const formType = 'application/x-www-form-urlencoded';

interface ApprovalPagesOptions {
  /** Folder of the built web app. */
  root: string;
  config: GatewayConfig;
  site: Site;
  agent: ServiceAgent;
  limits: RateLimits;
  logger: Logger;
  setPageHeaders: SetPageHeaders;
}

export interface ApprovalVisit {
  /** Decoded. */
  pathname: string;
  clientAddress: string;
}

const statusOf: Record<ApprovalAnswer['state'], number> = { open: 200, decided: 200, expired: 410, unknown: 404 };

/**
 * The page that a mail about an article leads to. Its address is a secret, so it is kept nowhere and told to no other page. Reading it changes nothing, since
 * scanners of mail open every link; only a form that carries the page's nonce decides.
 */
export class ApprovalPages {
  private readonly options: ApprovalPagesOptions;
  private readonly shell: string;
  private readonly renderPage: ApprovalModule['renderApprovalPage'];
  private readonly configuration: Record<string, string>;

  constructor(options: ApprovalPagesOptions) {
    const file = path.join(options.root, serverFolder, 'blog.html');
    if (!existsSync(file)) throw new Error(`WEB_DIST: no ${serverFolder}/blog.html in ${options.root}; build the web app first`);
    this.options = options;
    // The page needs no script, and none may learn its address.
    this.shell = readFileSync(file, 'utf8').replace(/<script\b[^>]*><\/script>\s*/g, '');
    this.renderPage = (createRequire(file)('./blog-pages.cjs') as ApprovalModule).renderApprovalPage;
    this.configuration = publicConfiguration(options.config);
  }

  /** @returns whether the address is one of these pages, and was answered */
  async send(visit: ApprovalVisit, _request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    return this.answer(visit, reply, (token) => this.show(token, reply));
  }

  /** Answers a form of the page. @returns whether the address is one of these pages, and was answered */
  async decide(visit: ApprovalVisit, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    return this.answer(visit, reply, async (token) => {
      const form = await readForm(request);
      const sent = form && readDecision(form);
      const address = approvalAddress(token);
      // What is no form of ours decides nothing.
      const refusal = sent ? await this.tell(token, sent) : null;
      if (refusal === null) return void (await reply.status(303).header('location', address).send());
      await this.show(token, reply, { decision: sent!.decision, note: sent!.note, error: refusal });
    });
  }

  private async answer(
    { pathname, clientAddress }: ApprovalVisit,
    reply: FastifyReply,
    work: (token: string) => Promise<void>,
  ): Promise<boolean> {
    const token = /^\/aprovar\/+([^/]+)\/*$/i.exec(pathname)?.[1];
    if (token === undefined) return false;
    const { limits, logger, setPageHeaders } = this.options;
    setPageHeaders(reply, { hidesAddress: true });
    void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex, nofollow');
    const address = approvalAddress(token);
    const wait = await limits.countRequest(clientAddress, 'rest', 'GET', '/internal/site');
    if (wait !== null) {
      void reply.header('retry-after', String(wait));
      await this.sendPage({ kind: 'too-many', address }, 429, reply);
      return true;
    }
    try {
      if (isApprovalToken(token)) await work(token);
      else await this.sendPage({ kind: 'answer', answer: { state: 'unknown' }, address, refused: null }, 404, reply);
    } catch (error) {
      logger.error({ err: error }, 'could not answer a page of approval');
      await this.sendPage({ kind: 'failed', address }, 503, reply);
    }
    return true;
  }

  private async show(
    token: string,
    reply: FastifyReply,
    refused: Extract<ApprovalPage, { kind: 'answer' }>['refused'] = null,
  ): Promise<void> {
    const answer = (await this.ask(token, 'GET')) as ApprovalAnswer;
    const isRefused = refused !== null && answer.state === 'open';
    const page: ApprovalPage = { kind: 'answer', answer, address: approvalAddress(token), refused: isRefused ? refused : null };
    await this.sendPage(page, isRefused ? 422 : statusOf[answer.state], reply);
  }

  /** Tells blog a decision. @returns the sentence why it was refused; null when it was taken */
  private async tell(token: string, { decision, nonce, note }: SentDecision): Promise<string | null> {
    const answer = (await this.ask(token, 'POST', { decision, nonce, ...(note === '' ? {} : { note }) })) as DoneAnswer;
    return answer.success ? null : answer.error;
  }

  /** @throws Error when blog does not answer in time, or not with 200 */
  private async ask(token: string, method: 'GET' | 'POST', body?: object): Promise<ApprovalAnswer | DoneAnswer> {
    const { config, agent } = this.options;
    const request = async () => {
      const { statusCode, body: answer } = await agent.request({
        origin: serviceUrl(config, 'blog'),
        path: `/internal/site/approval/${encodeURIComponent(token)}`,
        method,
        isRepeatable: method === 'GET', // opening the page changes nothing
        headers: body ? { 'content-type': 'application/json' } : {},
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await answer.text();
      if (statusCode < 200 || statusCode > 299) throw new Error(`blog answered ${statusCode}`);
      return JSON.parse(text) as ApprovalAnswer | DoneAnswer;
    };
    // The request cannot be aborted while it waits for a free connection.
    return pTimeout(request(), { milliseconds: patienceMs });
  }

  private async sendPage(page: ApprovalPage, status: number, reply: FastifyReply): Promise<void> {
    const { site } = this.options;
    const title = page.kind === 'answer' && page.answer.state === 'open' ? page.answer.article.title : texts.title;
    const metadata = { title: `${title} · ${site.productName}`, description: defaultPageDescription, canonicalPath: null };
    const html = withMetadata(this.shell, metadata, site).replace(
      '<div id="root"></div>',
      () => `<div id="root">${this.renderPage(page, this.configuration)}</div>`,
    );
    await reply.status(status).type('text/html; charset=utf-8').send(html);
  }
}

/** A form as browsers send it; null for anything else, and for one that is too large. */
async function readForm({ raw }: FastifyRequest): Promise<URLSearchParams | null> {
  if (!(raw.headers['content-type'] ?? '').toLowerCase().startsWith(formType)) return null;
  const body = await readUpTo(raw, largestForm);
  return body && new URLSearchParams(body.toString('utf8'));
}

async function readUpTo(stream: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
