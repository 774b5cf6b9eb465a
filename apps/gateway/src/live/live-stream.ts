import { Readable } from 'node:stream';
import type { LiveByeReason, LiveChange } from '@decola/contracts';
import { metrics } from '@decola/service-kit';
import { Counter } from 'prom-client';
import type { TokenVerdict } from '../tokens/token-verifier.js';

const sent = new Counter({ name: 'live_changes_sent_total', help: 'Changes that were sent to pages', registers: [metrics] });
const ended = new Counter({
  name: 'live_streams_ended_total',
  help: 'Streams of live changes that ended, by reason',
  labelNames: ['reason'],
  registers: [metrics],
});

/** Bytes that may wait for a client that does not read; then it is disconnected. */
const maxWaitingBytes = 16 * 1024;

const heartbeatMs = 20_000;

/** Changes that follow a sent one within this time are sent together. */
const gatherMs = 1_000;

/** Longest delay that a timer takes. */
const maxTimerMs = 2 ** 31 - 1;

export interface LiveStreamOptions {
  /** Verifies the access token and its session again (decision 0002). */
  verify: () => Promise<TokenVerdict>;
  /** When the access token expires; seconds since 1970. */
  expiresAt: number;
  onEnd: () => void;
}

/** One open page: what the gateway writes to it, and when it stops. */
export class LiveStream {
  /** Body of the response. */
  readonly body = new Readable({ highWaterMark: maxWaitingBytes, read: () => undefined });
  private pending: LiveChange | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly expiry: NodeJS.Timeout;
  private isEnded = false;

  constructor(private readonly options: LiveStreamOptions) {
    this.body.on('error', () => undefined);
    this.body.once('close', () => this.finish('client'));
    this.heartbeat = setInterval(() => void this.beat(), heartbeatMs);
    this.expiry = setTimeout(() => this.end('token'), Math.min(Math.max(0, options.expiresAt * 1_000 - Date.now()), maxTimerMs));
    // The first bytes make the client and every proxy between see the headers.
    this.write(': open\n\n');
  }

  /** Sends the change, together with others that came shortly before. */
  change(change: LiveChange): void {
    if (this.isEnded) return;
    this.pending = this.pending ? together(this.pending, change) : change;
    if (!this.gathering) void this.flush();
  }

  /** Tells the page that changes may have been missed. */
  async resync(): Promise<void> {
    if (await this.isAllowed()) this.write('event: resync\ndata: {}\n\n');
  }

  /** Tells the page why, and closes. */
  end(reason: LiveByeReason): void {
    if (this.isEnded) return;
    this.write(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);
    if (!this.body.destroyed) this.body.push(null);
    this.finish(reason);
  }

  private async flush(): Promise<void> {
    this.gathering = setTimeout(() => {
      this.gathering = undefined;
      if (this.pending) void this.flush();
    }, gatherMs);
    if (!(await this.isAllowed()) || !this.pending) return;
    const change = this.pending;
    this.pending = undefined;
    this.write(`event: changed\ndata: ${JSON.stringify(change)}\n\n`);
    sent.inc();
  }

  private async beat(): Promise<void> {
    if (await this.isAllowed()) this.write(':\n\n');
  }

  /** Whether the session still allows to read. Otherwise the stream ends. */
  private async isAllowed(): Promise<boolean> {
    if (this.isEnded) return false;
    const verdict = await this.options.verify();
    if (!verdict.ok) this.end(verdict.reason === 'expired' ? 'token' : 'session');
    return !this.isEnded;
  }

  private write(text: string): void {
    if (this.isEnded || this.body.push(text)) return;
    this.finish('slow');
    this.body.destroy();
  }

  private finish(reason: LiveByeReason | 'client' | 'slow'): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.expiry);
    clearTimeout(this.gathering);
    ended.inc({ reason });
    this.options.onEnd();
  }
}

/** Two changes as one. */
function together(one: LiveChange, two: LiveChange): LiveChange {
  return {
    tables: [...new Set([...one.tables, ...two.tables])],
    automation_id: one.automation_id === two.automation_id ? one.automation_id : null,
    account_id: one.account_id === two.account_id ? one.account_id : null,
  };
}
