import { createHmac, randomBytes } from 'node:crypto';
import type { StripeEvent, WebhookEndpoint } from '../objects/objects.js';
import type { World } from '../objects/world.js';

/** Faults of webhook delivery; the control interface sets them. */
export interface DeliveryPolicy {
  /** Holds events until they are released. */
  paused: boolean;
  /** How many times each event is sent. */
  duplicate: number;
  /** Random order: each delivery waits a random part of `delay_ms` (which is then at least 50 ms). */
  shuffle: boolean;
  delay_ms: number;
  drop_types: string[];
  /** Share of deliveries that are lost, 0 to 1. */
  drop_rate: number;
  bad_signature: boolean;
  /** The signature's timestamp is this many seconds in the past. */
  stale_seconds: number;
  seed: number;
}

export interface Delivery {
  id: number;
  event: string;
  type: string;
  endpoint: string;
  url: string;
  attempt: number;
  /** Epoch milliseconds. */
  at: number;
  headers: Record<string, string>;
  /** Null when no answer came. */
  status: number | null;
  error: string | null;
  success: boolean;
}

const answerTimeoutMs = 10_000;
const mostDeliveries = 5_000;

const faultless = (): DeliveryPolicy => ({
  paused: false,
  duplicate: 1,
  shuffle: false,
  delay_ms: 0,
  drop_types: [],
  drop_rate: 0,
  bad_signature: false,
  stale_seconds: 0,
  seed: 1,
});

/** Sends signed events to the endpoints that subscribed to them, and retries until they are acknowledged. */
export class Webhooks {
  policy = faultless();
  deliveries: Delivery[] = [];
  private held: StripeEvent[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private count = 0;
  private random = mulberry(1);
  private stopped = false;

  constructor(private readonly world: World) {
    world.onEvent = (event) => this.dispatch(event);
  }

  private endpointsFor(type: string): WebhookEndpoint[] {
    return this.world.all<WebhookEndpoint>(
      'webhook_endpoint',
      ({ status, enabled_events: wanted }) => status === 'enabled' && (wanted.includes('*') || wanted.includes(type)),
    );
  }

  setPolicy(changes: Partial<DeliveryPolicy>): void {
    this.policy = { ...this.policy, ...changes };
    if (changes.seed !== undefined) this.random = mulberry(changes.seed);
  }

  reset(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.held = [];
    this.deliveries = [];
    this.policy = faultless();
  }

  private dispatch(event: StripeEvent): void {
    event.pending_webhooks = this.endpointsFor(event.type).length;
    if (this.policy.paused) this.held.push(event);
    else this.send(event);
  }

  /** Resumes the deliveries that were unacknowledged when the server stopped. */
  resume(): void {
    for (const event of this.world.events.slice(-500)) if (event.pending_webhooks > 0) this.send(event);
  }

  private send(event: StripeEvent): void {
    const { policy } = this;
    if (policy.drop_types.includes(event.type)) return;
    for (const endpoint of this.endpointsFor(event.type)) {
      for (let copy = 0; copy < policy.duplicate; copy += 1) {
        if (policy.drop_rate > 0 && this.random() < policy.drop_rate) continue;
        const delay = policy.shuffle ? this.random() * Math.max(policy.delay_ms, 50) : policy.delay_ms;
        this.later(delay, () => this.attempt(event, endpoint.id, 1));
      }
    }
  }

  /** Sends held events one at a time, each after the answer to the previous one. */
  async release(order: 'fifo' | 'lifo' | readonly string[]): Promise<number> {
    const held = this.held;
    const chosen =
      order === 'fifo'
        ? held
        : order === 'lifo'
          ? [...held].reverse()
          : order.flatMap((id) => this.world.events.filter((event) => event.id === id));
    const gone = new Set(chosen);
    this.held = held.filter((event) => !gone.has(event));
    for (const event of chosen) for (const endpoint of this.endpointsFor(event.type)) await this.attempt(event, endpoint.id, 1);
    return chosen.length;
  }

  heldEvents(): { id: string; type: string }[] {
    return this.held.map(({ id, type }) => ({ id, type }));
  }

  /** Sends one event again now. */
  async redeliver(event: StripeEvent): Promise<void> {
    await Promise.all(this.endpointsFor(event.type).map(({ id }) => this.attempt(event, id, 1)));
  }

  private later(delayMs: number, work: () => Promise<void>): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void work();
    }, delayMs);
    this.timers.add(timer);
  }

  private async attempt(event: StripeEvent, endpointId: string, attempt: number): Promise<void> {
    const endpoint = this.world.find<WebhookEndpoint>('webhook_endpoint', endpointId);
    if (!endpoint || endpoint.status !== 'enabled') return;
    const body = JSON.stringify(event, null, 2);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': this.signature(body, this.world.secrets.get(endpoint.id) ?? []),
    };
    this.count += 1;
    const delivery: Delivery = {
      id: this.count,
      event: event.id,
      type: event.type,
      endpoint: endpoint.id,
      url: endpoint.url,
      attempt,
      at: Date.now(),
      headers,
      status: null,
      error: null,
      success: false,
    };
    this.deliveries.push(delivery);
    if (this.deliveries.length > mostDeliveries) this.deliveries.shift();
    try {
      const answer = await fetch(endpoint.url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      await answer.arrayBuffer();
      delivery.status = answer.status;
      delivery.success = answer.status >= 200 && answer.status < 300;
    } catch (error) {
      delivery.error = error instanceof Error ? error.message : String(error);
    }
    if (delivery.success) {
      event.pending_webhooks = Math.max(event.pending_webhooks - 1, 0);
      this.world.onChange();
      return;
    }
    const delay = this.world.settings.webhook_retries_ms[attempt - 1];
    if (delay !== undefined) this.later(delay, () => this.attempt(event, endpointId, attempt + 1));
  }

  private signature(body: string, secrets: readonly string[]): string {
    const moment = Math.floor(Date.now() / 1000) - this.policy.stale_seconds;
    const keys = this.policy.bad_signature ? [`whsec_${randomBytes(16).toString('hex')}`] : secrets;
    return [`t=${moment}`, ...keys.map((key) => `v1=${createHmac('sha256', key).update(`${moment}.${body}`).digest('hex')}`)].join(',');
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}

/** A seeded generator of numbers in [0, 1). */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
