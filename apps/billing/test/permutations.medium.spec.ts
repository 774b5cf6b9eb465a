import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@decola/testing';
import type Stripe from 'stripe';
import { EventProcessor } from '../src/stripe-events/event-processor.js';
import { EventStore } from '../src/stripe-events/event-store.js';
import { listenedTypes } from '../src/stripe-events/event-targets.js';
import { BillingBench, day, hour } from './support/billing-bench.js';

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, index) => permutationsOf(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

/** Mulberry32: a small seeded generator of numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = randomOf(seed);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

interface RecordedEvent {
  event: Stripe.Event;
  /** Index of the step in which it happened. */
  step: number;
}

/**
 * What happened to one person at Stripe, recorded step by step, then replayed to billing in any order that deliveries can take. When billing
 * fetches from Stripe, it finds a state anywhere between the step of the event and the last step.
 */
class Story {
  readonly userId = randomUUID();
  readonly events: RecordedEvent[] = [];
  /** Messages published so far, over all replays. */
  private published = 0;
  private readonly snapshots: string[] = [];
  private loadedStep = -1;

  private constructor(
    private readonly bench: BillingBench,
    /** Events at Stripe that are recorded already or are of others. */
    private known: number,
  ) {}

  static async begin(bench: BillingBench): Promise<Story> {
    return new Story(bench, (await bench.sandbox.snapshot()).events.length);
  }

  /** The person buys Pro. @returns their subscription and customer at Stripe. */
  async buyPro(): Promise<{ subscription: Stripe.Subscription; customerId: string }> {
    const { bench } = this;
    await bench.sandbox.pay(await bench.openCheckout(this.userId, 'pro'));
    await this.endStep();
    const customerId = (await bench.customerIdOf(this.userId))!;
    const [subscription] = (await bench.stripe.subscriptions.list({ customer: customerId })).data;
    return { subscription: subscription!, customerId };
  }

  /** Records Stripe's state and the events since the previous step. */
  async endStep(): Promise<void> {
    const state = await this.bench.sandbox.snapshot();
    const { events } = state;
    for (const event of events.slice(this.known))
      if ((listenedTypes as string[]).includes(event.type)) this.events.push({ event, step: this.snapshots.length });
    this.known = events.length;
    // Billing does not list events in a replay, and they are most of a snapshot, which is loaded thousands of times.
    this.snapshots.push(JSON.stringify({ ...state, events: [] }));
  }

  private async loadStep(step: number): Promise<void> {
    if (step === this.loadedStep) return;
    this.loadedStep = step;
    await this.bench.sandbox.load(this.snapshots[step]!);
  }

  /** Resets billing to the moment before the person returns from checkout; the sequence of messages continues. */
  private async resetBilling(): Promise<void> {
    await this.bench.dataSource.query(`
      delete from billing_subscriptions; delete from subscriptions; delete from stripe_events; delete from payments; delete from notices;
      delete from outbox where kind = 'job' or sent_at is not null;
      update checkout_intents set status = 'open'; update billing_accounts set published = null`);
  }

  /**
   * Delivers each event one to three times, in this order.
   * @returns billing's state of the person at the end, and how many messages were published.
   */
  async replay(order: readonly RecordedEvent[], seed: number): Promise<{ end: Record<string, unknown>; messages: number }> {
    const { bench } = this;
    const [store, processor] = [bench.app.get(EventStore), bench.app.get(EventProcessor)];
    const random = randomOf(seed);
    await this.resetBilling();
    let step = 0;
    for (const { event, step: happened } of order) {
      // An event is delivered after its step, at once or late.
      step = Math.max(step, happened);
      if (random() < 0.3) step = Math.min(step + 1, this.snapshots.length - 1);
      await this.loadStep(step);
      const deliver = async () => {
        await store.store(event);
        await processor.process(event.id);
      };
      const times = 1 + Math.floor(random() * 3);
      // Concurrently, or one after another, some with a pause.
      if (Math.floor(seed / 2) % 4 === 0) await Promise.all(Array.from({ length: times }, deliver));
      else
        for (let time = 0; time < times; time += 1) {
          if (random() < 0.1) await sleep(random() * 10);
          await deliver();
        }
    }
    const row = await bench.row<{ sequence: string; published: object; statuses: string; payments: string }>(
      `select sequence, published, (select string_agg(distinct status, ',') from stripe_events) as statuses,
         (select string_agg(plan_key || ' ' || amount, ', ' order by paid_at, amount desc) from payments) as payments
       from billing_accounts where user_id = $1`,
      [this.userId],
    );
    const messages = Number(row!.sequence) - this.published;
    this.published += messages;
    expect(row!.statuses).toBe('done');
    return { end: { ...row!.published, payments: row!.payments }, messages };
  }

  payloadsOf(type: string): Record<string, unknown>[] {
    return this.bench.payloadsOf(type, this.userId);
  }

  /** Over all replays, every message arrived once and without a gap. */
  async expectEveryMessage(): Promise<void> {
    const { bench, userId, published } = this;
    await eventually(() => expect(bench.messagesOf(userId)).toHaveLength(published), { timeoutMs: 60_000 });
    bench.expectNoGap(userId);
  }
}

/** States at the end of replays, each once. */
class Ends {
  private readonly texts = new Set<string>();

  add(end: object): void {
    this.texts.add(JSON.stringify(end));
  }

  get all(): object[] {
    return [...this.texts].map((text) => JSON.parse(text) as object);
  }
}

describe('the events of a story, each delivered one to three times', () => {
  /** Two of them replay half of the orders each, side by side: while one waits for Stripe or the database, the other works. */
  let benches: BillingBench[] = [];

  beforeAll(async () => {
    // Order is what these tests show; that a commit survives a crash of the database is not, so no commit waits for the disk.
    benches = await Promise.all([1, 2].map(() => BillingBench.start({ isDurable: false })));
    for (const bench of benches) {
      // Events are processed by the test alone, in its order.
      await bench.sandbox.deliver({ paused: true });
      await bench.app.get(EventProcessor).beforeApplicationShutdown();
    }
  });
  afterAll(() => Promise.all(benches.map((bench) => bench.stop())));

  /**
   * Records the story on both benches and replays every order on one of them.
   * @param check is called after all replays of a bench, with their number.
   */
  async function replayAll(
    record: (bench: BillingBench) => Promise<Story>,
    ordersOf: (events: readonly RecordedEvent[]) => RecordedEvent[][],
    expectReplay: (replay: { messages: number }) => void,
    check: (story: Story, ends: Ends, replays: number) => Promise<void>,
  ): Promise<{ stories: Story[]; replays: number }> {
    const stories = await Promise.all(benches.map(record));
    const [types, sameTypes] = stories.map(({ events }) => events.map(({ event }) => event.type));
    expect(types).toEqual(sameTypes);
    const counts = await Promise.all(
      stories.map(async (story, half) => {
        const ends = new Ends();
        let count = 0;
        for (const [seed, order] of ordersOf(story.events).entries()) {
          if (seed % stories.length !== half) continue;
          const replay = await story.replay(order, seed);
          expectReplay(replay);
          ends.add(replay.end);
          count += 1;
        }
        await check(story, ends, count);
        return count;
      }),
    );
    return { stories, replays: counts.reduce((sum, count) => sum + count, 0) };
  }

  it('of a purchase, an upgrade and a cancellation end in Stripe’s state in every permutation, with one payment per invoice', async () => {
    const purchaseUpgradeAndEnd = async (bench: BillingBench) => {
      const story = await Story.begin(bench);
      const { subscription } = await story.buyPro();
      await bench.stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0]!.id, price: await bench.priceOf('premium') }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      });
      await story.endStep();
      await bench.stripe.subscriptions.cancel(subscription.id);
      await story.endStep();
      expect(story.events.map(({ event }) => event.type).sort()).toEqual([
        'checkout.session.completed',
        'customer.subscription.created',
        'customer.subscription.deleted',
        'customer.subscription.updated',
        'invoice.paid',
        'invoice.paid',
      ]);
      return story;
    };
    expect(new Set(permutationsOf([0, 1, 2, 3, 4, 5]).map(String)).size).toBe(720);
    const { replays } = await replayAll(
      purchaseUpgradeAndEnd,
      permutationsOf,
      // Purchase, upgrade, end: at most one message each; when the end is fetched first, nothing before it is published.
      ({ messages }) => expect([1, 2, 3]).toContain(messages),
      async (story, ends, count) => {
        expect(ends.all).toEqual([
          expect.objectContaining({
            subscribed: false,
            subscription_status: 'canceled',
            is_canceled: true,
            plan_key: null,
            max_slots: 0,
            payments: expect.stringMatching(/^pro 8900, premium \d+$/),
          }),
        ]);
        await story.expectEveryMessage();
        await eventually(() => expect(story.payloadsOf('payment.received')).toHaveLength(2 * count), { timeoutMs: 60_000 });
        expect(story.payloadsOf('payment.failed')).toEqual([]);
      },
    );
    expect(replays).toBe(720);
  }, 1_800_000);

  it('of months with a failed renewal, a recovery, a cancellation and its undoing end in Stripe’s state, in any of sixty orders', async () => {
    const monthsOfTrouble = async (bench: BillingBench) => {
      const story = await Story.begin(bench);
      const { subscription, customerId } = await story.buyPro();
      await bench.sandbox.useCard(customerId, 'chargeCustomerFail');
      await bench.sandbox.shift(customerId, 31 * day + 2 * hour);
      await story.endStep();
      await bench.sandbox.useCard(customerId, 'visa');
      const [invoice] = (await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data;
      await bench.stripe.invoices.pay(invoice!.id);
      await story.endStep();
      await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
      await story.endStep();
      await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
      await story.endStep();
      expect(story.events.length).toBeGreaterThanOrEqual(9);
      return story;
    };
    const { stories, replays } = await replayAll(
      monthsOfTrouble,
      (events) => Array.from({ length: 60 }, (_, seed) => shuffled(events, seed)),
      () => undefined,
      async (story, ends, count) => {
        expect(ends.all).toEqual([
          expect.objectContaining({
            subscribed: true,
            subscription_status: 'active',
            plan_key: 'pro',
            is_past_due: false,
            is_canceled: false,
            will_renew: true,
            payments: 'pro 8900, pro 8900',
          }),
        ]);
        await story.expectEveryMessage();
        await eventually(() => expect(story.payloadsOf('payment.received')).toHaveLength(2 * count), { timeoutMs: 60_000 });
        // A failure that was fetched is published once; one that was fetched only after its recovery is not published.
        expect(story.payloadsOf('payment.failed').length).toBeLessThanOrEqual(count);
      },
    );
    expect(stories.flatMap((story) => story.payloadsOf('payment.failed')).length).toBeGreaterThan(0);
    expect(replays).toBe(60);
  }, 1_800_000);
});
