import { day, hour } from '../objects/calendar.js';
import type { CheckoutSession, Customer, Invoice, Subscription, TestClock } from '../objects/objects.js';
import type { World } from '../objects/world.js';
import type { Checkout } from './checkout.js';
import type { Invoices } from './invoices.js';
import type { Subscriptions } from './subscriptions.js';

interface Due {
  at: number;
  run: () => void;
}

/** More due steps than this at once mean that a rule makes itself due for ever, which is a bug. */
const maxSteps = 5_000;

/** Everything that Stripe does at a set time: ends of trials, renewals, retries, cancellations, expiries. */
export class DueWork {
  constructor(
    private readonly world: World,
    private readonly subscriptions: Subscriptions,
    private readonly invoices: Invoices,
    private readonly checkout: Checkout,
  ) {}

  /** Runs everything that is due for one customer until a moment, in order of time, each step with the clock at its due time. */
  run(customer: Customer, until: number): void {
    for (let step = 0; step < maxSteps; step += 1) {
      const [next] = this.dueOf(customer)
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at);
      if (!next) return;
      this.world.at(next.at, next.run);
    }
    throw new Error(`the time of ${customer.id} does not come to rest`);
  }

  /** Runs what is due for all customers without a test clock, and for sessions without a customer, in one scan. */
  runAll(): void {
    const { world } = this;
    const now = Math.floor(Date.now() / 1000);
    const isDue = (due: readonly Due[]) => due.some(({ at }) => at <= now);
    const due = new Set<string>();
    for (const session of world.all<CheckoutSession>('checkout.session', (each) => each.status === 'open' && each.expires_at <= now)) {
      if (session.customer === null) this.checkout.expire(session);
      else due.add(session.customer);
    }
    for (const invoice of world.all<Invoice>('invoice', (each) => isDue(this.dueOfInvoice(each)))) due.add(invoice.customer);
    for (const subscription of world.all<Subscription>(
      'subscription',
      (each) => each.status !== 'canceled' && isDue(this.dueOfSubscription(each)),
    ))
      due.add(subscription.customer);
    for (const id of due) {
      const customer = world.find<Customer>('customer', id);
      if (customer && !customer.test_clock) this.run(customer, now);
    }
  }

  advance(clock: TestClock, to: number): void {
    const { world } = this;
    world.change(clock, { status: 'advancing', status_details: { advancing: { target_frozen_time: to } } });
    world.emit('test_helpers.test_clock.advancing', clock);
    for (const customer of world.all<Customer>('customer', ({ test_clock }) => test_clock === clock.id)) this.run(customer, to);
    world.change(clock, { frozen_time: to, status: 'ready', status_details: {} });
    world.emit('test_helpers.test_clock.ready', clock);
  }

  private dueOf(customer: Customer): Due[] {
    const { world } = this;
    const due: Due[] = [];
    for (const session of world.all<CheckoutSession>('checkout.session', (each) => each.customer === customer.id && each.status === 'open'))
      due.push({ at: session.expires_at, run: () => this.checkout.expire(session) });
    for (const invoice of world.all<Invoice>('invoice', (each) => each.customer === customer.id)) due.push(...this.dueOfInvoice(invoice));
    for (const subscription of world.all<Subscription>(
      'subscription',
      (each) => each.customer === customer.id && each.status !== 'canceled',
    ))
      due.push(...this.dueOfSubscription(subscription));
    return due;
  }

  private dueOfInvoice(invoice: Invoice): Due[] {
    const id = invoice.parent?.subscription_details.subscription;
    const subscription = id ? this.world.find<Subscription>('subscription', id) : undefined;
    const methodId = () => (subscription ? this.subscriptions.methodOf(subscription) : null);
    if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
      return [
        {
          at: invoice.automatically_finalizes_at,
          run: () => {
            this.invoices.finalize(invoice);
            this.invoices.collect(invoice, { methodId: methodId(), offSession: true });
          },
        },
      ];
    if (invoice.status === 'open' && invoice.next_payment_attempt !== null)
      return [
        { at: invoice.next_payment_attempt, run: () => void this.invoices.collect(invoice, { methodId: methodId(), offSession: true }) },
      ];
    return [];
  }

  private dueOfSubscription(subscription: Subscription): Due[] {
    const { world } = this;
    const { current_period_end: end } = this.subscriptions.item(subscription);
    const notes = this.subscriptions.notes(subscription);
    if (subscription.status === 'incomplete')
      return [
        {
          at: subscription.created + 23 * hour,
          run: () => {
            world.change(subscription, { status: 'incomplete_expired', ended_at: world.now() }, 'customer.subscription.updated');
            const invoice = subscription.latest_invoice ? world.find<Invoice>('invoice', subscription.latest_invoice) : undefined;
            if (invoice?.status === 'open') this.invoices.void(invoice);
          },
        },
      ];
    if (subscription.status === 'incomplete_expired' || subscription.status === 'paused') return [];
    const due: Due[] = [];
    if (subscription.pending_update)
      due.push({
        at: subscription.pending_update.expires_at,
        run: () => {
          world.change(subscription, { pending_update: null }, 'customer.subscription.updated');
          world.emit('customer.subscription.pending_update_expired', subscription);
        },
      });
    if (subscription.cancel_at !== null && subscription.cancel_at <= end)
      due.push({ at: subscription.cancel_at, run: () => void this.subscriptions.cancel(subscription) });
    else due.push({ at: end, run: () => this.subscriptions.renew(subscription) });
    if (subscription.status === 'trialing' && subscription.trial_end !== null && !notes.trialWillEndSent)
      due.push({ at: subscription.trial_end - 3 * day, run: () => this.subscriptions.trialWillEnd(subscription) });
    if (notes.upcomingFor !== end && subscription.status === 'active' && subscription.cancel_at === null)
      due.push({
        at: end - 7 * day,
        run: () => {
          notes.upcomingFor = end;
          world.emit('invoice.upcoming', this.subscriptions.preview(subscription, {}));
        },
      });
    return due;
  }
}
