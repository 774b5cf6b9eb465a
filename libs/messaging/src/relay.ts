import type { Logger } from '@decola/service-kit';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { type ConfirmedPublisher, JsonText } from './confirmed-publisher.js';
import {
  deleteOldMessages,
  destinationOf,
  type Exclusions,
  loadOldestTo,
  loadPending,
  markSent,
  type PendingMessage,
} from './pending-messages.js';
import { SuspendedDestinations } from './suspended-destinations.js';
import { WakeablePause } from './wakeable-pause.js';

export interface RelayOptions {
  /** URL of the service's database; it leads to the server itself, because the relay needs a session of its own. */
  databaseUrl: string;
  /** Source attribute of the messages: `/automations`. */
  source: string;
  publisher: Pick<ConfirmedPublisher, 'publishEvent' | 'publishJob' | 'isConnected'>;
  logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  /** Maximum number of messages that are loaded at once. Default: 500. */
  batchSize?: number;
  /** Pause between two looks at the outbox when no notification arrives. Default: 1 s. */
  pollMs?: number;
  /**
   * The database ends the relay's session, and with it the lock that makes it the leader, after this time without a query. It must be longer
   * than `pollMs`. Default: 1 minute.
   */
  idleSessionMs?: number;
  /** How long sent messages are kept for operators. Default: 1 hour. */
  keepSentMs?: number;
}

/** Key of the advisory lock of the leading replica; the service's schema is its second key. */
const relayLock = 7_332;

/** How long the relay waits for a destination before it continues with the others. */
const patienceMs = 2_000;

const cleanUpEveryMs = 60_000;

/** Messages of one subject, which are published one after another. */
interface SubjectRun {
  subject: string;
  /** Message that is being published; undefined when the run has ended. */
  current: PendingMessage | undefined;
  /** When the current message was handed to the publisher; ms, monotonic. */
  currentSince: number;
  /** Set when the relay no longer waits for the run: it ends after its current message. */
  isLate: boolean;
}

/**
 * Publishes the outbox, in order per subject. One replica at a time leads (an advisory lock of its database session). A notification wakes it, and a timer
 * in case one is lost. It marks a message as sent only after the broker confirmed it: a relay that dies in between publishes the message again,
 * and the inbox of the listeners drops the duplicate.
 *
 * A destination that does not confirm in time (a quorum queue without a leader, say) is suspended: its messages, and later ones of the same subjects,
 * wait in the outbox and one of them is tried from time to time, while the relay goes on with all others.
 */
export class Relay {
  private client: pg.Client | undefined;
  private isLeader = false;
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();
  private readonly pause = new WakeablePause();
  private cleanedUpAt = 0;
  /** Positions that the broker confirmed and the database does not know as sent yet. */
  private readonly confirmed: string[] = [];
  /** Runs that the relay no longer waits for, by subject. */
  private readonly lateRuns = new Map<string, SubjectRun>();
  private readonly suspended = new SuspendedDestinations();

  constructor(private readonly options: RelayOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves after the batch under way. Messages to suspended destinations stay in the outbox. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.pause.wake();
    await this.running;
    await this.client?.end().catch(() => undefined);
  }

  private async run(): Promise<void> {
    const { pollMs = 1_000, logger } = this.options;
    while (!this.isStopped) {
      let published = 0;
      try {
        const client = await this.connect();
        if (await this.acquireLead(client)) {
          published = await this.publishBatch(client);
          await this.cleanUp(client);
        }
      } catch (error) {
        logger.warn(`outbox: ${messageOf(error)}`);
        await this.disconnect();
      }
      if (published === 0 && !this.isStopped) await this.pause.wait(pollMs);
    }
  }

  private async connect(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.options.databaseUrl,
      application_name: `outbox relay ${this.options.source}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000, // a database that does not answer must not block the relay for ever
      // The session holds the leader's lock: when this process disappears without closing it, the server must notice. Marks of sent messages need not wait
      // for the disk: those that a crash of the server loses are published again, like those of a relay that dies before it marks them.
      options: `-c synchronous_commit=off -c idle_session_timeout=${this.options.idleSessionMs ?? 60_000} -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3`,
    });
    client.on('error', () => void this.disconnect());
    client.on('notification', () => this.pause.wake());
    await client.connect();
    this.client = client;
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
    await client.query(`listen "outbox_${rows[0]?.schema ?? 'public'}"`);
    return client;
  }

  private async disconnect(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.isLeader = false;
    await client?.end().catch(() => undefined);
  }

  private async acquireLead(client: pg.Client): Promise<boolean> {
    if (this.isLeader) return true;
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1, hashtext(current_schema())) as acquired', [
      relayLock,
    ]);
    this.isLeader = rows[0]?.acquired ?? false;
    return this.isLeader;
  }

  /** @returns how many messages were marked as sent */
  private async publishBatch(client: pg.Client): Promise<number> {
    const before = await this.markConfirmed(client);
    await this.retrySuspended(client);
    const messages = await loadPending(client, this.options.batchSize ?? 500, this.exclusions());
    const runs = [...Map.groupBy(messages, ({ subject }) => subject).values()].map((each) => this.publishInOrder(each));
    await this.waitFor(runs);
    return before + (await this.markConfirmed(client));
  }

  private exclusions(): Exclusions {
    return { destinations: this.suspended.names, subjects: [...this.lateRuns.keys()] };
  }

  /** Publishes one message to each suspended destination whose delay is over, without waiting for it. */
  private async retrySuspended(client: pg.Client): Promise<void> {
    for (const destination of this.suspended.due(Date.now())) {
      const { destinations, subjects } = this.exclusions();
      const others = { subjects, destinations: destinations.filter((each) => each !== destination) };
      const message = await loadOldestTo(client, destination, others);
      if (message) this.stopWaitingFor(this.publishInOrder([message]).run);
      else this.suspended.resume(destination);
    }
  }

  /** Begins to publish messages of one subject. The next one leaves only when the broker has confirmed the one before it. */
  private publishInOrder(messages: readonly PendingMessage[]): { run: SubjectRun; ended: Promise<void> } {
    const [first] = messages;
    const run: SubjectRun = { subject: first?.subject ?? '', current: first, currentSince: performance.now(), isLate: false };
    const publishAll = async (): Promise<void> => {
      for (const message of messages) {
        Object.assign(run, { current: message, currentSince: performance.now() });
        if (!(await this.publish(message)) || run.isLate) break;
      }
      run.current = undefined;
      if (run.isLate) this.pause.wake();
    };
    return { run, ended: publishAll() };
  }

  /** @returns whether the broker confirmed the message */
  private async publish(message: PendingMessage): Promise<boolean> {
    const { publisher, logger, source } = this.options;
    const destination = destinationOf(message);
    const { id, type, version, subject, payload } = message;
    const envelope = {
      id,
      source,
      type,
      version,
      subject,
      time: message.created_at.toISOString(),
      traceparent: message.traceparent ?? undefined,
    };
    try {
      if (message.queue === null) await publisher.publishEvent(envelope, new JsonText(payload));
      else await publisher.publishJob(message.queue, envelope, new JsonText(payload));
      this.confirmed.push(message.position);
      if (this.suspended.resume(destination)) logger.info(`outbox: ${destination} accepts messages again`);
      return true;
    } catch (error) {
      // Without a connection no destination can be reached, so the failure says nothing about this one.
      if (publisher.isConnected()) {
        const delayMs = this.suspended.fail(destination, Date.now());
        logger.warn(`outbox: ${destination} accepts no messages (${messageOf(error)}); the next attempt is in ${delayMs / 1_000} s`);
      } else {
        this.suspended.resume(destination);
        logger.warn(`outbox: ${messageOf(error)}`);
      }
      return false;
    }
  }

  /** Resolves when every run has ended or waits for a destination that does not confirm. */
  private async waitFor(runs: readonly { run: SubjectRun; ended: Promise<void> }[]): Promise<void> {
    let waiting = runs;
    while (waiting.length > 0) {
      await pTimeout(Promise.all(waiting.map(({ ended }) => ended)), { milliseconds: patienceMs, message: false });
      // Without a connection no destination can be reached, so there is nothing else to publish.
      if (this.options.publisher.isConnected() || this.isStopped) {
        const stuckSince = performance.now() - patienceMs;
        for (const { run } of waiting) if (run.currentSince <= stuckSince) this.stopWaitingFor(run);
      }
      waiting = waiting.filter(({ run }) => run.current !== undefined && !run.isLate);
    }
  }

  /** Lets a run end by itself; its subject and its destination are left out of batches until then. */
  private stopWaitingFor(run: SubjectRun): void {
    if (!run.current) return;
    run.isLate = true;
    this.lateRuns.set(run.subject, run);
    this.suspended.hold(destinationOf(run.current));
  }

  /** Marks confirmed messages as sent, and forgets late runs that have ended. @returns how many messages were marked */
  private async markConfirmed(client: pg.Client): Promise<number> {
    const ended = [...this.lateRuns.values()].filter(({ current }) => current === undefined);
    const positions = [...this.confirmed];
    if (positions.length > 0) await markSent(client, positions);
    this.confirmed.splice(0, positions.length);
    // Only now: a subject whose message is confirmed but not marked would be published again.
    for (const { subject } of ended) this.lateRuns.delete(subject);
    return positions.length;
  }

  private async cleanUp(client: pg.Client): Promise<void> {
    if (Date.now() - this.cleanedUpAt < cleanUpEveryMs) return;
    this.cleanedUpAt = Date.now();
    await deleteOldMessages(client, this.options.keepSentMs ?? 3_600_000);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
