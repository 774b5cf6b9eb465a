import type { Logger } from '@decola/service-kit';
import pg from 'pg';
import type { Sender } from './sender.js';

interface PendingMessage {
  position: string;
  id: string;
  kind: 'event' | 'job';
  queue: string | null;
  type: string;
  version: number;
  subject: string;
  payload: unknown;
  traceparent: string | null;
  created_at: Date;
}

export interface RelayOptions {
  /** URL of the service's database. */
  databaseUrl: string;
  /** Source attribute of the messages: `/automations`. */
  source: string;
  sender: Pick<Sender, 'event' | 'job'>;
  logger: Pick<Logger, 'error' | 'log' | 'warn'>;
  batchSize?: number;
  /** How often to look without being told. */
  pollMs?: number;
  /** How long sent messages stay, for looking back. */
  keepSentMs?: number;
}

/**
 * Messages of a batch hold no more than this together, unless its first one alone may: large ones must not fill the memory. Of a compressed one only
 * the size that it may have at most is known without unpacking it.
 */
const batchBytes = 8 * 1024 * 1024;
const bytes = `pg_column_size(payload)::bigint * case pg_column_compression(payload) when 'pglz' then 91 when 'lz4' then 255 else 1 end`;

/** Two replicas of a service exclude each other by this lock and their schema. */
const relayLock = 7_332;

/**
 * Publishes what the outbox holds, in order per subject. One replica at a time is active (an advisory lock of its connection); a notification
 * wakes it, and a timer in case one is lost. A message is marked only after the broker confirmed it: a relay that dies in between publishes it again,
 * and the inbox of its listeners drops the second one.
 */
export class Relay {
  private client: pg.Client | undefined;
  private isActive = false;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => (this.isNudged = true);
  /** A notification came while nobody rested: the next rest is none. */
  private isNudged = false;
  private cleanedAt = 0;

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Ends after the batch in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
    await this.client?.end().catch(() => undefined);
  }

  private async run(): Promise<void> {
    const { pollMs = 1_000, logger } = this.options;
    while (!this.stopped) {
      let published = 0;
      try {
        const client = await this.connected();
        if (await this.takeLead(client)) {
          published = await this.publishBatch(client);
          await this.clean(client);
        }
      } catch (error) {
        logger.warn(`outbox: ${error instanceof Error ? error.message : String(error)}`);
        await this.disconnect();
        await this.rest(pollMs);
        continue;
      }
      if (published === 0) await this.rest(pollMs);
    }
  }

  private rest(ms: number): Promise<void> {
    if (this.stopped || this.isNudged) {
      this.isNudged = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => (this.isNudged = true);
        resolve();
      };
    });
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.options.databaseUrl,
      application_name: `outbox relay ${this.options.source}`,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000, // a database that hangs must not hold the relay for ever
    });
    client.on('error', () => void this.disconnect());
    client.on('notification', () => this.wake());
    await client.connect();
    this.client = client;
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
    await client.query(`listen "outbox_${rows[0]?.schema ?? 'public'}"`);
    return client;
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.isActive = false;
    await client?.end().catch(() => undefined);
  }

  private async takeLead(client: pg.Client): Promise<boolean> {
    if (this.isActive) return true;
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, hashtext(current_schema())) as taken', [
      relayLock,
    ]);
    this.isActive = rows[0]?.taken ?? false;
    return this.isActive;
  }

  /** @returns how many were published; 0 when nothing is waiting or nothing went through. */
  private async publishBatch(client: pg.Client): Promise<number> {
    const { rows } = await client.query<PendingMessage>(
      `select position, id, kind, queue, type, version, subject, payload, traceparent, created_at from outbox where position in (
         select position from (
           select position, sum(bytes) over (order by position) - bytes as before
           from (select position, ${bytes} as bytes from outbox where sent_at is null order by position limit $1) waiting) measured
         where before <= $2) order by position`,
      [this.options.batchSize ?? 500, batchBytes],
    );
    if (rows.length === 0) return 0;
    const bySubject = Map.groupBy(rows, ({ subject }) => subject);
    const sent: string[] = [];
    let failure: unknown;
    await Promise.all(
      [...bySubject.values()].map(async (messages) => {
        // One after another: the next message of a subject leaves only when the broker has the one before it.
        for (const message of messages) {
          try {
            await this.publish(message);
            sent.push(message.position);
          } catch (error) {
            failure = error;
            return;
          }
        }
      }),
    );
    if (sent.length > 0) await client.query('update outbox set sent_at = clock_timestamp() where position = any($1::bigint[])', [sent]);
    if (failure !== undefined) throw failure instanceof Error ? failure : new Error('publish failed');
    return sent.length;
  }

  private publish(message: PendingMessage): Promise<void> {
    const envelope = {
      id: message.id,
      source: this.options.source,
      type: message.type,
      version: message.version,
      subject: message.subject,
      time: message.created_at.toISOString(),
      traceparent: message.traceparent ?? undefined,
    };
    return message.kind === 'job' && message.queue !== null
      ? this.options.sender.job(message.queue, envelope, message.payload)
      : this.options.sender.event(envelope, message.payload);
  }

  private async clean(client: pg.Client): Promise<void> {
    const { keepSentMs = 3_600_000 } = this.options;
    if (Date.now() - this.cleanedAt < 60_000) return;
    this.cleanedAt = Date.now();
    await client.query(`delete from outbox where sent_at < now() - $1 * interval '1 millisecond'`, [keepSentMs]);
    // A delivery may come late, never after a week: the ladder's longest way is hours.
    await client.query(`delete from inbox where received_at < now() - interval '7 days'`);
  }
}
