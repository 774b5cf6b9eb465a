import { type Redis, redisClient } from '@decola/service-kit';
import { AccountLease, clocksNow } from './account-lease.js';

export interface LeaseStoreOptions {
  readonly url: string;
  /** Beginning of every key. */
  readonly prefix: string;
  /** How long a lease is valid without renewal; the account of a worker that died is free after this. */
  readonly ttlMs: number;
}

/** How far a run got: `begun` by some worker, which may have died since, or `finished`. */
export type RunMark = 'begun' | 'finished';

/** How long a run's mark is stored: longer than a message can wait in the broker and its retry queues. */
const markSeconds = 7 * 24 * 3600;

/**
 * Acquires the account's lease when it is free. The fencing token is larger than every earlier one, even when Redis lost its data, because it
 * is never below the clock in microseconds.
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

/** The state of accounts and runs that all workers share, in Redis: leases (one run per account at a time), cooldowns, and marks of runs. */
export class LeaseStore {
  private readonly client: Redis;

  constructor(private readonly options: LeaseStoreOptions) {
    this.client = redisClient({
      url: options.url,
      // While Redis is away a command must fail instead of waiting: a late renewal renews nothing.
      disableOfflineQueue: true,
      socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
    });
    this.client.on('error', () => undefined); // every command reports its own failure, and readiness reports the connection
  }

  get ttlMs(): number {
    return this.options.ttlMs;
  }

  /** Starts to connect in the background and keeps trying; until connected, every call fails and the worker is not ready. */
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
    const askedAt = clocksNow();
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

  /** For how long the account has been leased; null when it is free. Read from the token, which is the time of the lease in µs. */
  async heldForMs(accountKey: string): Promise<number | null> {
    const value = await this.client.get(`${this.options.prefix}lease:${accountKey}`);
    const token = Number(value?.split(':').at(-1));
    return value === null ? null : Math.max(0, Date.now() - token / 1000);
  }

  /** How far a run got; null when no worker ever began it. */
  async markOf(runId: string): Promise<RunMark | null> {
    const mark = await this.client.get(this.markKey(runId));
    return mark === 'begun' || mark === 'finished' ? mark : null;
  }

  /** Marks a run as begun: a worker that gets its job again must not carry it out again. */
  async markBegun(runId: string): Promise<void> {
    await this.client.set(this.markKey(runId), 'begun', { EX: markSeconds });
  }

  /** Marks that `run.finished` of a run was published, so that a second delivery of its job is ignored. */
  async markFinished(runId: string): Promise<void> {
    await this.client.set(this.markKey(runId), 'finished', { EX: markSeconds });
  }

  /** The account's cooldown after an action; it outlives runs and holds for all workers. */
  cooldownOf(accountKey: string): AccountCooldown {
    const key = `${this.options.prefix}rest:${accountKey}`;
    return {
      remainingMs: async () => Math.max(0, await this.client.pTTL(key)),
      start: async (ms) => {
        if (ms >= 1) await this.client.set(key, '1', { PX: Math.ceil(ms) });
        else await this.client.del(key);
      },
    };
  }

  private markKey(runId: string): string {
    return `${this.options.prefix}run:${runId}`;
  }
}

/** The time during which an account must not act. Every method fails when Redis does not answer. */
export interface AccountCooldown {
  /** Milliseconds; 0 when the account may act. */
  remainingMs(): Promise<number>;
  /** Starts anew, now, for `ms` milliseconds; 0 ends the cooldown. */
  start(ms: number): Promise<void>;
}
