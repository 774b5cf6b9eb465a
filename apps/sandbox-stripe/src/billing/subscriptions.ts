import { after, day, hour, periodEnd, prorated } from '../objects/calendar.js';
import { invalid, missing, StripeRefusal } from '../objects/errors.js';
import type {
  Customer,
  Invoice,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  Subscription,
  SubscriptionItem,
} from '../objects/objects.js';
import type { World } from '../objects/world.js';
import { cardError } from './cards.js';
import type { DraftLine, Invoices } from './invoices.js';
import type { Payments } from './payments.js';
import { directChanges, noDetails, type SubscriptionChanges } from './subscription-changes.js';

export interface SubscriptionNotes {
  /** Prorations for the next invoice. */
  pending: DraftLine[];
  trialWillEndSent: boolean;
  /** End of the period for which `invoice.upcoming` was sent. */
  upcomingFor: number;
}

export interface NewSubscription {
  customer: Customer;
  price: Price;
  quantity?: number;
  trialEnd?: number | null;
  metadata?: Record<string, string>;
  defaultPaymentMethod?: string | null;
  missingPaymentMethod?: 'cancel' | 'create_invoice' | 'pause';
  paymentBehavior?: string;
  offSession?: boolean;
  billingMode?: 'classic' | 'flexible';
  /** The payment that Checkout has already collected. */
  paidBy?: PaymentIntent;
  description?: string;
}

const live = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);
/** Creates, changes, renews and ends subscriptions by Stripe's rules. */
export class Subscriptions {
  constructor(
    private readonly world: World,
    private readonly payments: Payments,
    private readonly invoices: Invoices,
  ) {
    invoices.onCollected = (invoice, result) => this.afterCollection(invoice, result === 'paid');
    invoices.onGivenUp = (invoice) => this.afterGivingUp(invoice);
  }

  item(subscription: Subscription): SubscriptionItem {
    const [item] = subscription.items.data;
    if (!item) throw new Error(`${subscription.id} has no item`);
    return item;
  }

  private customerOf(subscription: Subscription): Customer {
    return this.world.get<Customer>('customer', subscription.customer);
  }

  /** Id of the payment method that pays for a subscription; null when there is none. */
  methodOf(subscription: Subscription): string | null {
    return subscription.default_payment_method ?? this.customerOf(subscription).invoice_settings.default_payment_method;
  }

  notes(subscription: Subscription) {
    return this.world.notes<SubscriptionNotes>(subscription.id);
  }

  private name(price: Price): string {
    return this.world.find<Product>('product', price.product)?.name ?? price.id;
  }

  private fullLine(price: Price, quantity: number, period: { start: number; end: number }): DraftLine {
    return {
      amount: price.unit_amount * quantity,
      description: `${quantity} × ${this.name(price)} (at R$ ${(price.unit_amount / 100).toFixed(2)} / month)`,
      price,
      quantity,
      period,
      proration: false,
    };
  }

  /** @throws StripeRefusal under `error_if_incomplete` when the first payment fails. */
  create(input: NewSubscription): Subscription {
    const { world } = this;
    const { customer, price, quantity = 1, trialEnd = null, paymentBehavior = 'allow_incomplete', offSession = true } = input;
    if (!price.recurring)
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        'items[0][price]',
      );
    const now = world.now(customer.id);
    const isTrial = trialEnd !== null && trialEnd > now;
    const end = isTrial ? trialEnd : after(now, price.recurring, 1);
    const methodId = input.defaultPaymentMethod ?? customer.invoice_settings.default_payment_method;
    if (!isTrial && !input.paidBy && paymentBehavior === 'error_if_incomplete')
      this.refuseUnlessPayable(methodId, price.unit_amount * quantity, offSession);
    const id = world.newId('subscription');
    const subscription = world.make<Subscription>('subscription', {
      id,
      created: now,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: isTrial ? end : now,
      billing_mode:
        input.billingMode === 'classic'
          ? { flexible: null, type: 'classic' }
          : { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: now },
      cancellation_details: noDetails,
      collection_method: 'charge_automatically',
      currency: price.currency,
      customer: customer.id,
      default_payment_method: input.defaultPaymentMethod ?? null,
      description: input.description ?? null,
      invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
      metadata: { ...input.metadata },
      payment_settings: { payment_method_options: null, payment_method_types: ['card'], save_default_payment_method: 'off' },
      start_date: now,
      status: isTrial ? 'trialing' : 'incomplete',
      test_clock: customer.test_clock ?? null,
      trial_start: isTrial ? now : null,
      trial_end: isTrial ? end : null,
      trial_settings: {
        end_behavior: { billing_cycle_anchor: null, missing_payment_method: input.missingPaymentMethod ?? 'create_invoice' },
      },
      items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    });
    const item = world.make<SubscriptionItem>('subscription_item', {
      created: now,
      current_period_start: now,
      current_period_end: end,
      discounts: [],
      price: structuredClone(price),
      quantity,
      subscription: id,
      tax_rates: [],
    });
    subscription.items.data.push(item);
    if (customer.currency !== price.currency) world.change(customer, { currency: price.currency });

    const invoice = this.invoices.draft({
      customer,
      subscription,
      lines: isTrial
        ? [{ ...this.fullLine(price, quantity, { start: now, end }), amount: 0, description: `Trial period for ${this.name(price)}` }]
        : [this.fullLine(price, quantity, { start: now, end })],
      reason: 'subscription_create',
      finalizesAt: null,
      emit: false,
    });
    const willSucceed =
      isTrial ||
      input.paidBy !== undefined ||
      (paymentBehavior !== 'default_incomplete' && this.payments.predict(methodId, { offSession }) === 'ok');
    world.change(subscription, { latest_invoice: invoice.id, ...(willSucceed && !isTrial ? { status: 'active' as const } : {}) });
    world.emit('customer.subscription.created', subscription);
    world.emit('invoice.created', invoice);
    this.invoices.finalize(invoice);
    if (isTrial && end - now <= 3 * day) this.trialWillEnd(subscription);
    if (!isTrial && !input.paidBy && paymentBehavior === 'default_incomplete') return subscription;
    this.invoices.collect(invoice, { methodId, offSession, paidBy: input.paidBy });
    return subscription;
  }

  private refuseUnlessPayable(methodId: string | null, amount: number, offSession: boolean, authenticated = false): void {
    if (amount <= 0) return;
    const predicted = this.payments.predict(methodId, { offSession, authenticated });
    if (predicted === 'ok') return;
    if (predicted === 'authenticate')
      throw new StripeRefusal(402, {
        type: 'card_error',
        code: 'subscription_payment_intent_requires_action',
        message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
      });
    throw cardError(predicted);
  }

  trialWillEnd(subscription: Subscription): void {
    this.notes(subscription).trialWillEndSent = true;
    this.world.emit('customer.subscription.trial_will_end', subscription);
  }

  /** One line that credits the unused time at the old price, and one that charges the remaining time at the new one. */
  prorations(item: SubscriptionItem, next: Price, quantity: number, moment: number): DraftLine[] {
    const { current_period_start: start, current_period_end: end, price } = item;
    const rest = end - moment;
    const length = end - start;
    const period = { start: moment, end };
    return [
      {
        amount: -prorated(price.unit_amount * item.quantity, rest, length),
        description: `Unused time on ${this.name(price)}`,
        price,
        quantity: item.quantity,
        period,
        proration: true,
      },
      {
        amount: prorated(next.unit_amount * quantity, rest, length),
        description: `Remaining time on ${this.name(next)}`,
        price: next,
        quantity,
        period,
        proration: true,
      },
    ];
  }

  /** `POST /v1/subscriptions/{id}`. A refusal changes nothing. */
  update(
    subscription: Subscription,
    changes: SubscriptionChanges,
    { authenticated = false }: { authenticated?: boolean } = {},
  ): Subscription {
    const { world } = this;
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
    const customer = this.customerOf(subscription);
    const now = world.now(customer.id);
    const item = this.item(subscription);
    const patch = directChanges(subscription, changes, {
      now,
      end: item.current_period_end,
      findMethod: (id) => this.payments.method(id, 'default_payment_method'),
    });

    const [wanted, ...others] = changes.items ?? [];
    if (others.length > 0 || (wanted && !wanted.id))
      throw invalid('This account sells subscriptions of exactly one item; name it by its id.', 'items');
    if (wanted && wanted.id !== item.id) throw missing('subscription_item', wanted.id ?? '', 'items[0][id]');
    const price = wanted?.price ? world.get<Price>('price', wanted.price, 'items[0][price]') : item.price;
    const quantity = wanted?.quantity ?? item.quantity;
    const swaps = price.id !== item.price.id || quantity !== item.quantity;
    if (!price.active && swaps) throw invalid('The price specified is inactive. This field only accepts active prices.', 'items[0][price]');
    if (!price.recurring) throw invalid('The price specified is set to `type=one_time`.', 'items[0][price]');
    const endsTrial = subscription.status === 'trialing' && changes.trial_end === 'now';
    const restarts = endsTrial || changes.billing_cycle_anchor?.type === 'now';
    if (typeof changes.trial_end === 'number') {
      if (changes.trial_end <= now) throw invalid('Invalid timestamp: must be in the future', 'trial_end');
      patch.trial_end = changes.trial_end;
      patch.trial_start = subscription.trial_start ?? now;
      patch.status = 'trialing';
    }
    const moment = changes.proration_date ?? now;
    if (moment < item.current_period_start || moment > item.current_period_end)
      throw invalid('Cannot specify proration_date outside of current period', 'proration_date');

    const newItem: SubscriptionItem = { ...structuredClone(item), price: structuredClone(price), quantity };
    const lines: DraftLine[] = [];
    const behavior = changes.proration_behavior ?? 'create_prorations';
    if (restarts) {
      newItem.current_period_start = now;
      newItem.current_period_end = after(now, price.recurring, 1);
      patch.billing_cycle_anchor = now;
      if (endsTrial) {
        patch.status = 'active';
        patch.trial_end = now;
      } else if (behavior !== 'none') {
        const [credit] = this.prorations(item, price, quantity, moment);
        if (credit) lines.push(credit);
      }
      lines.push(this.fullLine(price, quantity, { start: now, end: newItem.current_period_end }));
    } else if (swaps && subscription.status !== 'trialing' && behavior !== 'none') {
      lines.push(...this.prorations(item, price, quantity, moment));
    }
    const invoicesNow = restarts || (behavior === 'always_invoice' && lines.length > 0);
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const due = Math.max(total - Math.max(-customer.balance, 0), 0);
    const methodId = patch.default_payment_method ?? this.methodOf(subscription);
    const payment = changes.payment_behavior ?? 'allow_incomplete';
    const offSession = changes.off_session ?? true;
    if (invoicesNow && payment === 'error_if_incomplete') this.refuseUnlessPayable(methodId, due, offSession, authenticated);

    if (swaps || restarts) {
      if (invoicesNow && payment === 'pending_if_incomplete' && due > 0 && this.payments.predict(methodId, { offSession }) !== 'ok')
        return this.storePendingUpdate(subscription, customer, newItem, lines, now);
      patch.items = { ...subscription.items, data: [newItem] };
      world.put(newItem);
    }
    if (lines.length > 0 && !invoicesNow) (this.notes(subscription).pending ??= []).push(...lines);
    if (!invoicesNow) return world.change(subscription, patch, 'customer.subscription.updated');

    const pending = this.takePending(subscription);
    const staged = { ...subscription, ...patch };
    const invoice = this.invoices.draft({
      customer,
      subscription: staged,
      lines: [...pending, ...lines],
      reason: 'subscription_update',
      finalizesAt: null,
      emit: false,
    });
    world.change(subscription, { ...patch, latest_invoice: invoice.id }, 'customer.subscription.updated');
    world.emit('invoice.created', invoice);
    this.invoices.finalize(invoice);
    if (payment === 'default_incomplete' && invoice.amount_due > 0) return subscription;
    this.invoices.collect(invoice, { methodId, offSession, authenticated });
    return subscription;
  }

  /** `pending_if_incomplete`: the change stays pending for 23 h until its invoice is paid. */
  private storePendingUpdate(
    subscription: Subscription,
    customer: Customer,
    item: SubscriptionItem,
    lines: readonly DraftLine[],
    now: number,
  ): Subscription {
    const invoice = this.invoices.draft({ customer, subscription, lines, reason: 'subscription_update', finalizesAt: null });
    this.world.change(
      subscription,
      {
        latest_invoice: invoice.id,
        pending_update: {
          billing_cycle_anchor: null,
          cancel_at_period_end: null,
          discount: null,
          discounts: null,
          expires_at: now + 23 * hour,
          metadata: null,
          subscription_items: [item],
          trial_end: null,
          trial_from_plan: null,
        } as unknown as Subscription['pending_update'],
      },
      'customer.subscription.updated',
    );
    this.invoices.finalize(invoice);
    this.invoices.collect(invoice, { methodId: this.methodOf(subscription), offSession: true });
    return subscription;
  }

  private takePending(subscription: Subscription): DraftLine[] {
    const notes = this.notes(subscription);
    const pending = notes.pending ?? [];
    notes.pending = [];
    return pending;
  }

  /** The next invoice if these changes were made. */
  preview(
    subscription: Subscription,
    changes: Pick<SubscriptionChanges, 'items' | 'proration_behavior' | 'proration_date' | 'trial_end'>,
  ): Invoice {
    const { world } = this;
    const customer = this.customerOf(subscription);
    const item = this.item(subscription);
    const [wanted] = changes.items ?? [];
    const price = wanted?.price ? world.get<Price>('price', wanted.price, 'subscription_details[items][0][price]') : item.price;
    if (changes.trial_end === 'now' && price.recurring) {
      const start = world.now(customer.id);
      const line = this.fullLine(price, item.quantity, { start, end: periodEnd(start, price.recurring, start) });
      return this.invoices.preview(customer, subscription, [line]);
    }
    const behavior = changes.proration_behavior ?? 'create_prorations';
    const moment = changes.proration_date ?? world.now(customer.id);
    const lines =
      price.id !== item.price.id && behavior !== 'none' && subscription.status !== 'trialing'
        ? this.prorations(item, price, item.quantity, moment)
        : [];
    if (behavior !== 'always_invoice' && price.recurring) {
      const start = item.current_period_end;
      lines.push(...(this.notes(subscription).pending ?? []));
      lines.push(this.fullLine(price, item.quantity, { start, end: periodEnd(subscription.billing_cycle_anchor, price.recurring, start) }));
    }
    return this.invoices.preview(customer, subscription, lines);
  }

  /** Ends a subscription: `DELETE /v1/subscriptions/{id}`, and every other way to end it. */
  cancel(
    subscription: Subscription,
    reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
    details: { comment?: string; feedback?: string } = {},
  ): Subscription {
    if (subscription.status === 'canceled') throw missing('subscription', subscription.id);
    const { world } = this;
    const now = world.now(subscription.customer);
    for (const invoice of world.all<Invoice>('invoice', (each) => each.parent?.subscription_details.subscription === subscription.id)) {
      if (invoice.status === 'draft' || invoice.status === 'open')
        world.change(invoice, { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null });
    }
    world.change(subscription, {
      status: 'canceled',
      canceled_at: subscription.canceled_at ?? now,
      ended_at: now,
      pending_update: null,
      cancellation_details: { comment: details.comment ?? null, feedback: details.feedback ?? null, feedback_option: null, reason },
    });
    world.emit('customer.subscription.deleted', subscription);
    return subscription;
  }

  /** Begins a new period: the invoice is drafted now, finalized and collected an hour later. */
  renew(subscription: Subscription): void {
    const { world } = this;
    const customer = this.customerOf(subscription);
    const item = this.item(subscription);
    const now = world.now(customer.id);
    const endsTrial = subscription.status === 'trialing';
    if (endsTrial && !this.methodOf(subscription)) {
      const missingMethod = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice';
      if (missingMethod === 'cancel') {
        this.cancel(subscription, 'cancellation_requested');
        return;
      }
      if (missingMethod === 'pause') {
        world.change(subscription, { status: 'paused' }, 'customer.subscription.updated');
        world.emit('customer.subscription.paused', subscription);
        return;
      }
    }
    if (!item.price.recurring) return;
    const start = item.current_period_end;
    const end = periodEnd(subscription.billing_cycle_anchor, item.price.recurring, start);
    const next: SubscriptionItem = { ...structuredClone(item), current_period_start: start, current_period_end: end };
    world.put(next);
    const paused = subscription.pause_collection !== null;
    const isUnpaid = subscription.status === 'unpaid';
    const staged = { ...subscription, items: { ...subscription.items, data: [next] } };
    const invoice = this.invoices.draft({
      customer,
      subscription: staged,
      lines: [...this.takePending(subscription), this.fullLine(item.price, item.quantity, { start, end })],
      reason: 'subscription_cycle',
      finalizesAt: isUnpaid || paused ? null : now + this.invoices.renewalDelay,
    });
    world.change(
      subscription,
      { items: staged.items, latest_invoice: invoice.id, ...(endsTrial ? { status: 'active' as const } : {}) },
      'customer.subscription.updated',
    );
    if (paused && subscription.pause_collection?.behavior === 'void') {
      this.invoices.finalize(invoice);
      this.invoices.void(invoice);
    }
  }

  private afterCollection(invoice: Invoice, paid: boolean): void {
    const { world } = this;
    const id = invoice.parent?.subscription_details.subscription;
    const subscription = id ? world.find<Subscription>('subscription', id) : undefined;
    if (!subscription || subscription.status === 'canceled') return;
    if (!paid) {
      const next = invoice.billing_reason === 'subscription_create' ? 'incomplete' : 'past_due';
      if (subscription.status === 'active') world.change(subscription, { status: next }, 'customer.subscription.updated');
      return;
    }
    const held = subscription.pending_update?.subscription_items[0];
    if (held && invoice.billing_reason === 'subscription_update') {
      world.put(held);
      world.change(subscription, { items: { ...subscription.items, data: [held] }, pending_update: null }, 'customer.subscription.updated');
      world.emit('customer.subscription.pending_update_applied', subscription);
    }
    const owes = world
      .all<Invoice>('invoice', (each) => each.parent?.subscription_details.subscription === subscription.id)
      .some(({ status }) => status === 'open');
    if ((['past_due', 'unpaid', 'incomplete'] as string[]).includes(subscription.status) && !owes)
      world.change(subscription, { status: 'active' }, 'customer.subscription.updated');
  }

  private afterGivingUp(invoice: Invoice): void {
    const id = invoice.parent?.subscription_details.subscription;
    const subscription = id ? this.world.find<Subscription>('subscription', id) : undefined;
    if (!subscription || !live.has(subscription.status)) return;
    const { final_action } = this.world.settings;
    if (final_action === 'cancel') this.cancel(subscription, 'payment_failed');
    else this.world.change(subscription, { status: final_action }, 'customer.subscription.updated');
  }

  /** Makes a payment method the default of the customer and of their subscriptions. */
  setDefaultMethod(customer: Customer, method: PaymentMethod): void {
    const { world } = this;
    world.change(customer, { invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id } }, 'customer.updated');
    for (const subscription of world.all<Subscription>('subscription', (each) => each.customer === customer.id && live.has(each.status)))
      world.change(subscription, { default_payment_method: method.id }, 'customer.subscription.updated');
  }
}
