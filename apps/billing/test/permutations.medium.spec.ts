import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import type Stripe from 'stripe';
import { EventProcessor } from '../src/events/event-processor.js';
import { EventStore } from '../src/events/event-store.js';
import { listenedTypes } from '../src/events/event-targets.js';
import { BillingBench } from './support.js';

const day = 86_400;

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, index) => permutationsOf(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

/** Small, seeded, good enough to mix. */
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

interface Told {
  event: Stripe.Event;
  /** Index of the step in which it happened. */
  step: number;
}

/**
 * A story recorded at Stripe step by step, then told to billing in any order that deliveries can take. What billing finds at Stripe when it looks
 * lies anywhere between the step of which an event tells and the end of the story.
 */
class Story {
  readonly userId = randomUUID();
  readonly events: Told[] = [];
  /** Messages published so far, over all tellings. */
  told = 0;
  private readonly snapshots: string[] = [];
  private known = 0;
  private stripeAt = -1;

  constructor(private readonly bench: BillingBench) {}

  /** Notes Stripe as it is, and what happened since the last note. */
  async note(): Promise<void> {
    const snapshot = await (await fetch(`${this.bench.sandboxUrl}/_emulator/api/state`)).text();
    const { events } = JSON.parse(snapshot) as { events: Stripe.Event[] };
    for (const event of events.slice(this.known))
      if ((listenedTypes as string[]).includes(event.type)) this.events.push({ event, step: this.snapshots.length });
    this.known = events.length;
    this.snapshots.push(snapshot);
  }

  private async setStripe(step: number): Promise<void> {
    if (step === this.stripeAt) return;
    this.stripeAt = step;
    await fetch(`${this.bench.sandboxUrl}/_emulator/api/snapshot`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: this.snapshots[step]!,
    });
  }

  /** Billing as it was before the person came back from the checkout; the count of messages goes on. */
  private async forget(): Promise<void> {
    await this.bench.dataSource.query(`
      delete from billing_subscriptions; delete from subscriptions; delete from stripe_events; delete from payments; delete from notices;
      delete from outbox where kind = 'job' or sent_at is not null;
      update checkout_intents set status = 'open'; update billing_accounts set published = null`);
  }

  /** @returns how billing sees the person after all of it, and how many messages it took. */
  async tell(order: readonly Told[], seed: number): Promise<{ end: Record<string, unknown>; messages: number }> {
    const { bench } = this;
    const [store, processor] = [bench.app.get(EventStore), bench.app.get(EventProcessor)];
    const random = randomOf(seed);
    await this.forget();
    let step = 0;
    for (const { event, step: happened } of order) {
      // An event comes after what it tells of, at once or late.
      step = Math.max(step, happened);
      if (random() < 0.3) step = Math.min(step + 1, this.snapshots.length - 1);
      await this.setStripe(step);
      const deliver = async () => {
        await store.receive(event);
        await processor.process(event.id);
      };
      const times = 1 + Math.floor(random() * 3);
      // At once, or one after another with a pause.
      if (Math.floor(seed / 2) % 4 === 0) await Promise.all(Array.from({ length: times }, deliver));
      else
        for (let time = 0; time < times; time += 1) {
          if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, random() * 10));
          await deliver();
        }
    }
    const [row] = await bench.dataSource.query<{ sequence: string; published: object; statuses: string; payments: string }[]>(
      `select sequence, published, (select string_agg(distinct status, ',') from stripe_events) as statuses,
         (select string_agg(plan_key || ' ' || amount, ', ' order by paid_at, amount desc) from payments) as payments
       from billing_accounts where user_id = $1`,
      [this.userId],
    );
    const messages = Number(row!.sequence) - this.told;
    this.told += messages;
    expect(row!.statuses).toBe('done');
    return { end: { ...row!.published, payments: row!.payments }, messages };
  }

  payloadsOf(type: string): Record<string, unknown>[] {
    return this.bench.payloadsOf(type, this.userId);
  }

  /** Over all tellings: every message came, once, without a gap. */
  async expectNoGap(): Promise<void> {
    const { bench, userId, told } = this;
    await eventually(() => expect(bench.messagesOf(userId)).toHaveLength(told), { timeoutMs: 60_000 });
    expect(bench.messagesOf(userId).map(({ sequence }) => sequence)).toEqual(Array.from({ length: told }, (_, index) => index + 1));
  }
}

describe('the events of a story, each delivered one to three times', () => {
  let bench: BillingBench;

  /** Billing that looks at nothing by itself: what is stored is worked through by the test, in its order. */
  const quietBench = async () => {
    const quiet = await BillingBench.start();
    await quiet.control('webhooks/policy', { paused: true });
    await quiet.app.get(EventProcessor).beforeApplicationShutdown();
    return quiet;
  };
  beforeEach(async () => {
    bench = await quietBench();
  });
  afterEach(() => bench.stop());

  const purchaseUpgradeAndEnd = async (bought: BillingBench) => {
    const story = new Story(bought);
    await bought.pay(await bought.openCheckout(story.userId, 'pro'));
    await story.note();
    const [subscription] = (await bought.stripe.subscriptions.list({ limit: 1 })).data;
    await bought.stripe.subscriptions.update(subscription!.id, {
      items: [{ id: subscription!.items.data[0]!.id, price: await bought.priceOf('premium') }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
    await story.note();
    await bought.stripe.subscriptions.cancel(subscription!.id);
    await story.note();
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

  it('of a purchase, an upgrade and a cancellation end in Stripe’s state in every permutation, with one receipt per invoice', async () => {
    // Two of them tell half of the permutations each, side by side: while one waits for Stripe and the database, the other works.
    const second = await quietBench();
    try {
      const stories = await Promise.all([bench, second].map(purchaseUpgradeAndEnd));
      const [types, sameTypes] = stories.map(({ events }) => events.map(({ event }) => event.type));
      expect(types).toEqual(sameTypes);
      const orders = permutationsOf([0, 1, 2, 3, 4, 5]);
      expect(new Set(orders.map(String)).size).toBe(720);
      const tellHalf = async (story: Story, half: number) => {
        const ends = new Set<string>();
        let tellings = 0;
        for (const [seed, order] of orders.entries()) {
          if (seed % stories.length !== half) continue;
          const { end, messages } = await story.tell(
            order.map((index) => story.events[index]!),
            seed,
          );
          // Purchase, upgrade, end: at most one message each; an end that was seen first leaves nothing to tell of before it.
          expect([1, 2, 3]).toContain(messages);
          ends.add(JSON.stringify(end));
          tellings += 1;
        }
        expect([...ends].map((end) => JSON.parse(end) as object)).toEqual([
          expect.objectContaining({
            subscribed: false,
            subscription_status: 'canceled',
            is_canceled: true,
            plan_key: null,
            max_slots: 0,
            payments: expect.stringMatching(/^pro 8900, premium \d+$/),
          }),
        ]);
        await story.expectNoGap();
        await eventually(() => expect(story.payloadsOf('payment.received')).toHaveLength(2 * tellings), { timeoutMs: 60_000 });
        expect(story.payloadsOf('payment.failed')).toEqual([]);
        return tellings;
      };
      const told = await Promise.all(stories.map(tellHalf));
      expect(told.reduce((sum, tellings) => sum + tellings, 0)).toBe(orders.length);
    } finally {
      await second.stop();
    }
  }, 1_800_000);

  it('of months with a failed renewal, a recovery, a cancellation and its undoing end in Stripe’s state, in any of sixty orders', async () => {
    const story = new Story(bench);
    await bench.pay(await bench.openCheckout(story.userId, 'pro'));
    await story.note();
    const [subscription] = (await bench.stripe.subscriptions.list({ limit: 1 })).data;
    const [{ id: customer } = { id: '' }] = (await bench.stripe.customers.list({ limit: 1 })).data;
    const { id } = subscription!;
    const card = (number: string) => bench.control(`customers/${customer}/default-card`, { number });
    await card('chargeCustomerFail');
    await bench.control(`customers/${customer}/shift`, { seconds: 31 * day + 7_200 });
    await story.note();
    await card('visa');
    const [invoice] = (await bench.stripe.invoices.list({ subscription: id, status: 'open' })).data;
    await bench.stripe.invoices.pay(invoice!.id);
    await story.note();
    await bench.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await story.note();
    await bench.stripe.subscriptions.update(id, { cancel_at_period_end: false });
    await story.note();
    expect(story.events.length).toBeGreaterThanOrEqual(9);
    const ends = new Set<string>();
    const tellings = 60;
    for (let seed = 0; seed < tellings; seed += 1) {
      const { end } = await story.tell(shuffled(story.events, seed), seed);
      ends.add(JSON.stringify(end));
    }
    expect([...ends].map((end) => JSON.parse(end) as object)).toEqual([
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
    await story.expectNoGap();
    await eventually(() => expect(bench.payloadsOf('payment.received', story.userId)).toHaveLength(2 * tellings), { timeoutMs: 60_000 });
    // A failure that was seen is told once; one that was seen only after it was mended is not told at all.
    expect(bench.payloadsOf('payment.failed', story.userId).length).toBeLessThanOrEqual(tellings);
    expect(bench.payloadsOf('payment.failed', story.userId).length).toBeGreaterThan(0);
  }, 1_800_000);
});
