import { customerChanged, type LiveByeReason, maxLiveStreams, type PayloadOf } from '@decola/contracts';
import { type Broadcast, subscribeToBroadcast } from '@decola/messaging';
import { type Logger, metrics } from '@decola/service-kit';
import { Gauge } from 'prom-client';
import type { GatewayConfig } from '../config/config.js';
import { LiveStream, type LiveStreamOptions } from './live-stream.js';

const open = new Gauge({ name: 'live_streams', help: 'Streams of live changes that are open', registers: [metrics] });
const hearing = new Gauge({
  name: 'live_broker_connected',
  help: '1 while this replica hears changes from RabbitMQ',
  registers: [metrics],
});

/** How long streams wait for a lost broker. Then pages must poll: nothing would reach them. */
const brokerGraceMs = 10_000;

/** Why no further stream can be opened: everywhere (`unavailable`), or for this person. */
export type NoStream = 'unavailable' | 'too-many';

/** The open streams of this replica, by person, and the events that they hear (docs/decisions/0035-live-changes.md). */
export class LiveStreams {
  private readonly streams = new Map<string, Set<LiveStream>>();
  private count = 0;
  private broadcast: Broadcast | undefined;
  private brokerGrace: NodeJS.Timeout | undefined;
  private isClosing = false;

  private constructor(private readonly maxStreams: number) {}

  /** Begins to listen. It does not wait for the broker: until it is there, no stream can be opened. */
  static open({ RABBITMQ_URL, LIVE_STREAMS }: GatewayConfig, logger: Logger): LiveStreams {
    const streams = new LiveStreams(LIVE_STREAMS);
    hearing.set(0);
    streams.broadcast = subscribeToBroadcast({
      url: RABBITMQ_URL,
      name: 'gateway live changes',
      event: customerChanged,
      onEvent: (event) => streams.tell(event),
      onSubscribed: () => streams.onSubscribed(),
      onLost: () => streams.onLost(),
      logger,
    });
    return streams;
  }

  /** Opens a stream of a person. */
  add(userId: string, options: Omit<LiveStreamOptions, 'onEnd'>): LiveStream | NoStream {
    if (this.isClosing || !this.broadcast?.isSubscribed() || this.count >= this.maxStreams) return 'unavailable';
    const own = this.streams.get(userId) ?? new Set();
    if (own.size >= maxLiveStreams) return 'too-many';
    const stream: LiveStream = new LiveStream({ ...options, onEnd: () => this.remove(userId, stream) });
    this.streams.set(userId, own.add(stream));
    open.set(++this.count);
    return stream;
  }

  /** Says goodbye to every page, and stops to listen. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.endAll('restart');
    clearTimeout(this.brokerGrace);
    await this.broadcast?.close();
  }

  private tell({ userId, tables, automationId, accountId }: PayloadOf<typeof customerChanged>): void {
    for (const stream of this.streams.get(userId) ?? []) stream.change({ tables, automation_id: automationId, account_id: accountId });
  }

  private onSubscribed(): void {
    hearing.set(1);
    clearTimeout(this.brokerGrace);
    for (const stream of this.all()) void stream.resync();
  }

  private onLost(): void {
    hearing.set(0);
    clearTimeout(this.brokerGrace);
    this.brokerGrace = setTimeout(() => this.endAll('broker'), brokerGraceMs);
  }

  private endAll(reason: LiveByeReason): void {
    for (const stream of this.all()) stream.end(reason);
  }

  private all(): LiveStream[] {
    return [...this.streams.values()].flatMap((own) => [...own]);
  }

  private remove(userId: string, stream: LiveStream): void {
    const own = this.streams.get(userId);
    if (!own?.delete(stream)) return;
    if (own.size === 0) this.streams.delete(userId);
    open.set(--this.count);
  }
}
