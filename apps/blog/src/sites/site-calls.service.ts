import { OutgoingCallError, OutgoingHttp } from '@decola/outgoing-http';
import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { BlogConfig } from '../config/config.js';
import type { SignedMessage } from '../signatures/sign.js';
import { type Judgement, judgeReply } from './judge-reply.js';
import type { SiteReply } from './site-answer.js';
import { siteMessages } from './site-call-metrics.js';

const excerptBytes = 500;

/** A call to a site, with what its owner may read of it. */
export interface SiteCall {
  judgement: Judgement;
  reply: SiteReply;
  log: { status: number | null; code: string | null; ms: number; excerpt: string | null };
}

/** Every call to customers' sites. */
@Injectable()
export class SiteCalls implements OnApplicationShutdown {
  private readonly http: OutgoingHttp;

  constructor(
    @Inject(CONFIG) { OUTGOING_HTTP_HOSTS }: Pick<BlogConfig, 'OUTGOING_HTTP_HOSTS'>,
    private readonly clock: Clock,
  ) {
    this.http = new OutgoingHttp({ plainHosts: OUTGOING_HTTP_HOSTS });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  isCallable(address: string): boolean {
    return this.http.problemOf(address) === null;
  }

  /** Sends a message. @param file sent along: the message is then a part of a form */
  async post(
    address: string,
    { headers, body }: SignedMessage,
    options: { signal?: AbortSignal; file?: FormFile } = {},
  ): Promise<SiteCall> {
    const form = options.file ? await formOf(body, options.file) : null;
    return this.judged(() =>
      this.http.call(address, {
        method: 'POST',
        headers: form ? { ...headers, 'content-type': form.type } : headers,
        body: form?.bytes ?? body,
        followsSameSite: true,
        ...(options.signal ? { signal: options.signal } : {}),
      }),
    );
  }

  /** Reads a page or a list, as any visitor does. */
  async get(address: string, accept: string): Promise<SiteReply> {
    return this.replyOf(() =>
      this.http.call(address, { method: 'GET', headers: { accept, 'user-agent': 'Decola-Webhook/1' }, followsSameSite: true }),
    );
  }

  private async judged(call: () => Promise<SiteReply>): Promise<SiteCall> {
    const begun = performance.now();
    const reply = await this.replyOf(call);
    const ms = Math.round(performance.now() - begun);
    const judgement = judgeReply(reply, this.clock.now());
    siteMessages.inc({ problem: judgement.ok ? 'none' : judgement.code });
    const answered = 'failure' in reply ? null : reply;
    return {
      judgement,
      reply,
      log: {
        ...{ status: answered?.status ?? null, code: judgement.ok ? null : judgement.code, ms },
        excerpt: answered ? excerptOf(answered.body) : null,
      },
    };
  }

  private async replyOf(call: () => Promise<SiteReply>): Promise<SiteReply> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof OutgoingCallError) return { failure: error.failure };
      throw error;
    }
  }
}

/** The first bytes of an answer, without half characters and without what PostgreSQL cannot store. */
const excerptOf = (body: string): string =>
  Buffer.from(body.replaceAll('\0', ''), 'utf8')
    .subarray(0, excerptBytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');

export interface FormFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** A form with the message in `event` and the file in `file`. The signature covers the message, which names the file's hash. */
async function formOf(event: string, { name, type, bytes }: FormFile): Promise<{ type: string; bytes: Buffer }> {
  const form = new FormData();
  form.set('event', event);
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}
