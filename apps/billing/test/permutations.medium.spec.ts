import { randomUUID } from 'node:crypto';
import { eventually } from '@decola/testing';
import type Stripe from 'stripe';
import { EventProcessor } from '../src/events/event-processor.js';
import { EventStore } from '../src/events/event-store.js';
import { listenedTypes } from '../src/events/event-targets.js';
import { BillingBench } from './support.js';

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

interface Step {
  /** Stripe as it was right after. */
  snapshot: string;
  events: Stripe.Event[];
}

/**
 * A purchase, an upgrade and a cancellation, recorded at Stripe step by step; then told to billing in every order that deliveries can take. What
 * billing finds at Stripe when it looks lies anywhere between the step of which an event tells and the end of the story.
 */
describe('the events of a purchase, an upgrade and a cancellation', () => {
  let bench: BillingBench;
  const userId = randomUUID();
  const steps: Step[] = [];

  beforeAll(async () => {
    bench = await BillingBench.start();
    await bench.control('webhooks/policy', { paused: true });
    let known = 0;
    const note = async () => {
      const snapshot = await (await fetch(`${bench.sandboxUrl}/_emulator/api/state`)).text();
      const { events } = JSON.parse(snapshot) as { events: Stripe.Event[] };
      const fresh = events.slice(known).filter(({ type }) => (listenedTypes as string[]).includes(type));
      known = events.length;
      steps.push({ snapshot, events: fresh });
    };
    await bench.pay(await bench.openCheckout(userId, 'pro'));
    await note();
    const [subscription] = (await bench.stripe.subscriptions.list({ limit: 1 })).data;
    const [item] = subscription!.items.data;
    await bench.stripe.subscriptions.update(subscription!.id, {
      items: [{ id: item!.id, price: await bench.priceOf('premium') }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
    await note();
    await bench.stripe.subscriptions.cancel(subscription!.id);
    await note();
  });
  afterAll(() => bench.stop());

  const setStripe = (step: number) =>
    fetch(`${bench.sandboxUrl}/_emulator/api/snapshot`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: steps[step]!.snapshot,
    });

  /** Billing as it was before the person came back from the checkout; the count of messages goes on. */
  const forget = () =>
    bench.dataSource.query(`
      delete from billing_subscriptions; delete from subscriptions; delete from stripe_events; delete from payments; delete from notices;
      delete from outbox where kind = 'job' or sent_at is not null;
      update checkout_intents set status = 'open'; update billing_accounts set published = null`);

  it('end in Stripe’s state in every permutation, each delivered one to three times, with one message per change and one receipt per invoice', async () => {
    const story = steps.flatMap(({ events }, step) => events.map((event) => ({ event, step })));
    expect(story.map(({ event }) => event.type).sort()).toEqual([
      'checkout.session.completed',
      'customer.subscription.created',
      'customer.subscription.deleted',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.paid',
    ]);
    const [store, processor] = [bench.app.get(EventStore), bench.app.get(EventProcessor)];
    // Nothing else may look meanwhile: what is stored is worked through here, in this order.
    await processor.beforeApplicationShutdown();
    const orders = permutationsOf(story);
    expect(orders).toHaveLength(720);
    let told = 0;
    let stripeAt = -1;
    const ends = new Set<string>();
    for (const [index, order] of orders.entries()) {
      const random = randomOf(index);
      await forget();
      let step = 0;
      for (const { event, step: happened } of order) {
        // An event comes after what it tells of, at once or late.
        step = Math.max(step, happened);
        if (random() < 0.3) step = Math.min(step + 1, steps.length - 1);
        if (step !== stripeAt) await setStripe(step);
        stripeAt = step;
        const times = 1 + Math.floor(random() * 3);
        const deliver = async () => {
          await store.receive(event);
          await processor.process(event.id);
        };
        // At once, or one after another with a pause.
        if (index % 4 === 0) await Promise.all(Array.from({ length: times }, deliver));
        else
          for (let time = 0; time < times; time += 1) {
            if (random() < 0.1) await new Promise((resolve) => setTimeout(resolve, random() * 10));
            await deliver();
          }
      }
      const [account] = await bench.dataSource.query<{ sequence: string; published: Record<string, unknown> }[]>(
        'select sequence, published from billing_accounts where user_id = $1',
        [userId],
      );
      const [rest] = await bench.dataSource.query<{ statuses: string; payments: string }[]>(
        `select (select string_agg(distinct status, ',') from stripe_events) as statuses,
                (select string_agg(plan_key || ' ' || amount, ',' order by amount) from payments) as payments`,
      );
      const messages = Number(account!.sequence) - told;
      told = Number(account!.sequence);
      // Purchase, upgrade, end: at most one message each; an end that was seen first leaves nothing to tell of before it.
      expect(messages).toBeLessThanOrEqual(3);
      expect(messages).toBeGreaterThanOrEqual(1);
      expect(rest).toMatchObject({ statuses: 'done', payments: expect.stringMatching(/^premium \d+,pro 8900$/) });
      ends.add(JSON.stringify({ ...account!.published, payments: rest!.payments }));
    }
    expect([...ends]).toHaveLength(1);
    expect(JSON.parse([...ends][0]!)).toMatchObject({
      subscribed: false,
      subscription_status: 'canceled',
      is_canceled: true,
      plan_key: null,
      max_slots: 0,
    });
    // Everything that was told, over all the stories: no gap, no repetition, and two receipts a story.
    await eventually(() => expect(bench.messagesOf(userId)).toHaveLength(told), { timeoutMs: 60_000 });
    expect(bench.messagesOf(userId).map(({ sequence }) => sequence)).toEqual(Array.from({ length: told }, (_, index) => index + 1));
    await eventually(() => expect(bench.payloadsOf('payment.received', userId)).toHaveLength(2 * orders.length), { timeoutMs: 60_000 });
    expect(bench.payloadsOf('payment.failed', userId)).toEqual([]);
  }, 600_000);
});
