import { createClient } from 'redis';

/** Where leases are kept. */
export interface LeaseStoreOptions {
  readonly url: string;
  readonly prefix: string;
  /** How long a lease lives without renewal; a dead worker's account is free after this. */
  readonly ttlMs: number;
}

/** What the store remembers of a run: `begun` by somebody (perhaps a worker that died), or `finished` for good. */
export type RunMark = 'begun' | 'finished';

/** How long a run's mark is kept: longer than a message can wait in the broker and its retry queues. */
const markSeconds = 7 * 24 * 3600;

/**
 * Takes the account when it is free. The token is larger than any before it: also than those that Redis forgot, because
 * it is never below the clock in microseconds.
 */
const acquireScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return '' end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local previous = tonumber(redis.call('GET', KEYS[2]) or '0')
local token = string.format('%.0f', math.max(previous + 1, now))
redis.call('SET', KEYS[2], token)
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. token, 'PX', ARGV[2])
return token`;
const renewScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

type Client = ReturnType<typeof createClient>;

/** Leases of accounts in Redis: one run per account at a time, over all workers. */
export class LeaseStore {
  private readonly client: Client;

  constructor(private readonly options: LeaseStoreOptions) {
    this.client = createClient({
      url: options.url,
      // A command must fail rather than wait for a Redis that is away: a renewal that comes late renews nothing.
      disableOfflineQueue: true,
      socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
    });
    this.client.on('error', () => undefined); // every command reports its own failure; readiness tells the state
  }

  get ttlMs(): number {
    return this.options.ttlMs;
  }

  /** Begins to connect, and keeps trying; until then every call is refused and readiness says so. */
  start(): void {
    void this.client.connect().catch(() => undefined);
  }

  async connect(): Promise<void> {
    await this.client.connect();
  }

  async ping(): Promise<void> {
    await this.client.ping();
  }

  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }

  /** @returns null while another run holds the account. @throws Error when Redis does not answer. */
  async acquire(accountKey: string, runId: string, workerId: string): Promise<AccountLease | null> {
    const key = `${this.options.prefix}lease:${accountKey}`;
    const askedAt = performance.now();
    const token = (await this.client.eval(acquireScript, {
      keys: [key, `${this.options.prefix}fence:${accountKey}`],
      arguments: [`${runId}:${workerId}`, String(this.options.ttlMs)],
    })) as string;
    if (token === '') return null;
    const value = `${runId}:${workerId}:${token}`;
    const run = async (script: string, ...more: string[]) =>
      Number(await this.client.eval(script, { keys: [key], arguments: [value, ...more] })) === 1;
    return new AccountLease(Number(token), this.options.ttlMs, askedAt, {
      renew: () => run(renewScript, String(this.options.ttlMs)),
      release: () => run(releaseScript),
    });
  }

  /** For how long somebody has held the account; null when it is free. The token tells: it is the time of the lease in µs. */
  async heldForMs(accountKey: string): Promise<number | null> {
    const value = await this.client.get(`${this.options.prefix}lease:${accountKey}`);
    const token = Number(value?.split(':').at(-1));
    return value === null ? null : Math.max(0, Date.now() - token / 1000);
  }

  /** What is remembered of a run; null when nobody ever began it. */
  async markOf(runId: string): Promise<RunMark | null> {
    const mark = await this.client.get(this.markKey(runId));
    return mark === 'begun' || mark === 'finished' ? mark : null;
  }

  /** Remembers that a worker began this run: whoever finds its job again must not do it again. */
  async markBegun(runId: string): Promise<void> {
    await this.client.set(this.markKey(runId), 'begun', { EX: markSeconds });
  }

  /** Remembers that `run.finished` of this run was published, so that a second delivery of its job ends silently. */
  async markFinished(runId: string): Promise<void> {
    await this.client.set(this.markKey(runId), 'finished', { EX: markSeconds });
  }

  /** The pause of an account after an action, over the ends of runs and over all workers. */
  restOf(accountKey: string): AccountRest {
    const key = `${this.options.prefix}rest:${accountKey}`;
    return {
      leftMs: async () => Math.max(0, await this.client.pTTL(key)),
      begin: async (ms) => {
        if (ms >= 1) await this.client.set(key, '1', { PX: Math.ceil(ms) });
        else await this.client.del(key);
      },
    };
  }

  private markKey(runId: string): string {
    return `${this.options.prefix}run:${runId}`;
  }
}

/** How long an account still has to rest. Every call fails when Redis does not answer. */
export interface AccountRest {
  /** 0 when it may act at once. */
  leftMs(): Promise<number>;
  /** From now on, for so long; 0 ends it. */
  begin(ms: number): Promise<void>;
}

interface LeaseCalls {
  /** True when the lease was still ours and lives on. */
  renew(): Promise<boolean>;
  release(): Promise<boolean>;
}

/**
 * The right to act as one account. It renews itself and knows by the local clock when it can no longer be sure of it; from
 * then on `held` is false for good and `lost` is aborted. Whoever acts asks `held` right before.
 */
export class AccountLease {
  private readonly loss = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private validUntil: number;
  private released = false;

  constructor(
    /** Grows with every lease of the account. */
    readonly fencingToken: number,
    private readonly ttlMs: number,
    grantedAt: number,
    private readonly calls: LeaseCalls,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.validUntil = grantedAt + this.safeMs;
    this.schedule();
  }

  /** A tenth is kept back for the time between asking and acting. */
  private get safeMs(): number {
    return this.ttlMs * 0.9;
  }

  /** Aborted at the moment the lease is lost. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** True while nobody else can hold the account. */
  get held(): boolean {
    if (!this.released && this.now() >= this.validUntil) this.lose();
    return !this.released && !this.loss.signal.aborted;
  }

  /** Renews now. Called by the timer; a failure to reach Redis is no loss until the time that was granted runs out. */
  async renew(): Promise<void> {
    if (!this.held) return;
    const askedAt = this.now();
    try {
      if (await this.calls.renew()) this.validUntil = askedAt + this.safeMs;
      else if (!this.released) this.lose();
    } catch {
      // Redis is away: `held` turns false by itself when the granted time is over
    }
  }

  /** Gives the account back. Never throws: a lease that cannot be given back expires. */
  async release(): Promise<void> {
    if (this.released) return;
    this.released = true;
    clearTimeout(this.timer);
    await this.calls.release().catch(() => undefined);
  }

  private schedule(): void {
    const untilLoss = Math.max(0, this.validUntil - this.now());
    this.timer = setTimeout(() => void this.renew().finally(() => this.held && this.schedule()), Math.min(this.ttlMs / 3, untilLoss));
    this.timer.unref();
  }

  private lose(): void {
    clearTimeout(this.timer);
    this.loss.abort();
  }
}
