import { day, hour } from '../objects/calendar.js';
import { invalid, StripeRefusal } from '../objects/errors.js';
import type {
  Customer,
  Invoice,
  InvoicePayment,
  LineItem,
  PaymentIntent,
  Price,
  Subscription,
  SubscriptionItem,
} from '../objects/objects.js';
import { randomText, type World } from '../objects/world.js';
import { cardError, type Decline } from './cards.js';
import { authenticationRequired, type Payments } from './payments.js';

/** A line that is not on an invoice yet. */
export interface DraftLine {
  amount: number;
  description: string;
  price: Price;
  quantity: number;
  period: { start: number; end: number };
  proration: boolean;
}

export interface InvoiceNotes {
  /** Id of the payment intent that all attempts share. */
  intent: string;
  firstAttemptAt: number;
  attempts: number;
}

export type Collection = 'paid' | 'declined' | 'requires_action';

/** Creates, finalizes, collects and retries invoices. */
export class Invoices {
  /** Called after each attempt to collect an invoice of a subscription. */
  onCollected: (invoice: Invoice, result: Collection) => void = () => undefined;
  /** Called when the last retry has failed. */
  onGivenUp: (invoice: Invoice) => void = () => undefined;

  constructor(
    private readonly world: World,
    private readonly payments: Payments,
    private readonly publicUrl: () => string,
  ) {}

  draft({
    customer,
    subscription,
    lines,
    reason,
    finalizesAt,
    emit = true,
  }: {
    customer: Customer;
    subscription: Subscription;
    lines: readonly DraftLine[];
    reason: string;
    /** When it is finalized automatically; null when the caller finalizes it. */
    finalizesAt: number | null;
    emit?: boolean;
  }): Invoice {
    const { world } = this;
    const now = world.now(customer.id);
    const id = world.newId('invoice');
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const item = subscription.items.data[0];
    const invoice = world.make<Invoice>('invoice', {
      id,
      created: now,
      account_country: 'BR',
      account_name: 'Decola',
      amount_due: Math.max(total, 0),
      amount_remaining: Math.max(total, 0),
      auto_advance: true,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
      automatically_finalizes_at: finalizesAt,
      billing_reason: reason,
      collection_method: 'charge_automatically',
      currency: subscription.currency,
      customer: customer.id,
      customer_email: customer.email,
      customer_name: customer.name ?? null,
      issuer: { type: 'self' },
      lines: {
        object: 'list',
        data: lines.map((line) => this.line(id, subscription, item, line)),
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
      },
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      },
      payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: ['card'] },
      period_start: lines[0]?.period.start ?? now,
      period_end: lines[0]?.period.end ?? now,
      starting_balance: customer.balance,
      status: 'draft',
      subtotal: total,
      subtotal_excluding_tax: total,
      total,
      total_excluding_tax: total,
    });
    if (emit) world.emit('invoice.created', invoice);
    return invoice;
  }

  private line(invoiceId: string, subscription: Subscription, item: SubscriptionItem | undefined, line: DraftLine): LineItem {
    const { world } = this;
    const id = world.newId('line_item');
    return {
      id,
      object: 'line_item',
      amount: line.amount,
      currency: subscription.currency,
      description: line.description,
      discount_amounts: [],
      discountable: !line.proration,
      discounts: [],
      invoice: invoiceId,
      livemode: false,
      metadata: { ...subscription.metadata },
      parent: {
        type: 'subscription_item_details',
        invoice_item_details: null,
        subscription_item_details: {
          invoice_item: null,
          proration: line.proration,
          proration_details: { credited_items: null },
          subscription: subscription.id,
          subscription_item: item?.id ?? '',
        },
      },
      period: line.period,
      pretax_credit_amounts: [],
      pricing: {
        type: 'price_details',
        price_details: { price: line.price.id, product: line.price.product },
        unit_amount_decimal: String(line.price.unit_amount),
      },
      quantity: line.quantity,
      quantity_decimal: String(line.quantity),
      subscription: subscription.id,
      subtotal: line.amount,
      taxes: [],
    } as unknown as LineItem;
  }

  /** Fixes the amounts, assigns the number and applies the customer's balance. */
  finalize(invoice: Invoice): Invoice {
    if (invoice.status !== 'draft') throw invalid('This invoice is already finalized, you can’t finalize it again.');
    const { world } = this;
    const now = world.now(invoice.customer);
    const customer = world.get<Customer>('customer', invoice.customer);
    const credit = -customer.balance; // a negative balance is credit
    const applied = invoice.total < 0 ? invoice.total : Math.min(Math.max(credit, 0), invoice.total);
    const due = Math.max(invoice.total - Math.max(applied, 0), 0);
    const balance = customer.balance + applied;
    const count = world.all<Invoice>('invoice', (other) => other.customer === customer.id && other.number !== null).length + 1;
    if (applied !== 0) world.change(customer, { balance }, 'customer.updated');
    world.change(invoice, {
      status: 'open',
      amount_due: due,
      amount_remaining: due,
      automatically_finalizes_at: null,
      effective_at: now,
      ending_balance: balance,
      hosted_invoice_url: `${this.publicUrl()}/i/${invoice.id}`,
      invoice_pdf: `${this.publicUrl()}/i/${invoice.id}/pdf`,
      number: `${customer.id.slice(-8).toUpperCase()}-${String(count).padStart(4, '0')}`,
      status_transitions: { ...invoice.status_transitions, finalized_at: now },
    });
    world.emit('invoice.finalized', invoice);
    return invoice;
  }

  /** Makes one attempt to collect an open invoice. */
  collect(
    invoice: Invoice,
    {
      methodId,
      offSession,
      authenticated = false,
      paidBy,
    }: { methodId: string | null; offSession: boolean; authenticated?: boolean; paidBy?: PaymentIntent },
  ): { result: Collection; decline?: Decline; intent?: PaymentIntent } {
    const { world } = this;
    if (invoice.amount_due === 0) {
      this.markPaid(invoice);
      return { result: 'paid' };
    }
    if (paidBy) {
      this.markPaid(invoice, paidBy);
      return { result: 'paid', intent: paidBy };
    }
    const notes = world.notes<InvoiceNotes>(invoice.id);
    const taken = this.payments.charge({
      customer: world.get<Customer>('customer', invoice.customer),
      methodId,
      amount: invoice.amount_due,
      currency: invoice.currency,
      offSession,
      authenticated,
      intent: notes.intent ? world.find<PaymentIntent>('payment_intent', notes.intent) : undefined,
      description: `Subscription ${invoice.billing_reason}`,
    });
    notes.intent = taken.intent.id;
    this.paymentOf(invoice, taken.intent);
    if (taken.outcome === 'succeeded') {
      this.markPaid(invoice, taken.intent);
      return { result: 'paid', intent: taken.intent };
    }
    this.failed(invoice, taken.outcome === 'requires_action');
    return taken.outcome === 'declined'
      ? { result: 'declined', decline: taken.decline, intent: taken.intent }
      : { result: 'requires_action', intent: taken.intent };
  }

  private paymentOf(invoice: Invoice, intent: PaymentIntent): InvoicePayment {
    const { world } = this;
    const [existing] = world.all<InvoicePayment>('invoice_payment', (payment) => payment.invoice === invoice.id);
    return (
      existing ??
      world.make<InvoicePayment>('invoice_payment', {
        amount_paid: null,
        amount_requested: invoice.amount_due,
        created: world.now(invoice.customer),
        currency: invoice.currency,
        invoice: invoice.id,
        is_default: true,
        payment: { type: 'payment_intent', payment_intent: intent.id },
        status: 'open',
        status_transitions: { canceled_at: null, paid_at: null },
      })
    );
  }

  private markPaid(invoice: Invoice, intent?: PaymentIntent): void {
    const { world } = this;
    const now = world.now(invoice.customer);
    world.change(invoice, {
      status: 'paid',
      attempted: true,
      attempt_count: invoice.attempt_count + (intent ? 1 : 0),
      amount_paid: intent ? invoice.amount_due : 0,
      amount_remaining: 0,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: now },
    });
    if (intent) {
      world.notes<InvoiceNotes>(invoice.id).intent = intent.id;
      const payment = this.paymentOf(invoice, intent);
      world.change(payment, { status: 'paid', amount_paid: invoice.amount_due, status_transitions: { canceled_at: null, paid_at: now } });
      world.emit('invoice_payment.paid', payment);
    }
    world.emit('invoice.paid', invoice);
    world.emit('invoice.payment_succeeded', invoice);
    this.onCollected(invoice, 'paid');
  }

  private failed(invoice: Invoice, wantsAuthentication: boolean): void {
    const { world } = this;
    const now = world.now(invoice.customer);
    const notes = world.notes<InvoiceNotes>(invoice.id);
    notes.firstAttemptAt ??= now;
    notes.attempts = (notes.attempts ?? 0) + 1;
    const delay = world.settings.dunning[notes.attempts - 1];
    const isFirstInvoice = invoice.billing_reason === 'subscription_create';
    const next = delay === undefined || isFirstInvoice ? null : notes.firstAttemptAt + delay * day;
    world.change(invoice, { attempted: true, attempt_count: invoice.attempt_count + 1, next_payment_attempt: next });
    world.emit('invoice.payment_failed', invoice);
    if (wantsAuthentication) world.emit('invoice.payment_action_required', invoice);
    this.onCollected(invoice, wantsAuthentication ? 'requires_action' : 'declined');
    if (next === null && !isFirstInvoice) this.onGivenUp(invoice);
  }

  /** `POST /v1/invoices/{id}/pay`. @throws StripeRefusal when the card is declined. */
  pay(
    invoice: Invoice,
    { methodId, offSession = true, authenticated = false }: { methodId: string | null; offSession?: boolean; authenticated?: boolean },
  ): Invoice {
    if (invoice.status === 'draft') this.finalize(invoice);
    if (invoice.status === 'paid') throw invalid('Invoice is already paid');
    if (invoice.status !== 'open') throw invalid(`Invoice is ${invoice.status} and cannot be paid`);
    const { result, decline, intent } = this.collect(invoice, { methodId, offSession, authenticated });
    if (result === 'declined' && decline) throw cardError(decline, { payment_intent: intent });
    if (result === 'requires_action')
      throw new StripeRefusal(402, {
        type: 'card_error',
        ...authenticationRequired,
        code: 'invoice_payment_intent_requires_action',
        message: 'Invoice payment intent requires action',
        payment_intent: intent,
      });
    return invoice;
  }

  void(invoice: Invoice): Invoice {
    if (invoice.status !== 'open') throw invalid(`You can only pass in open invoices. This invoice isn’t open.`);
    const { world } = this;
    world.change(invoice, {
      status: 'void',
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, voided_at: world.now(invoice.customer) },
    });
    world.emit('invoice.voided', invoice);
    return invoice;
  }

  /** Time between the draft of a renewal and its automatic finalization, in seconds. */
  renewalDelay = hour;

  /** An invoice for display; nothing is stored. */
  preview(customer: Customer, subscription: Subscription, lines: readonly DraftLine[]): Invoice {
    const { world } = this;
    const invoice = this.draft({ customer, subscription, lines, reason: 'upcoming', finalizesAt: null, emit: false });
    world.remove(invoice);
    const { total } = invoice;
    const applied = Math.min(Math.max(-customer.balance, 0), Math.max(total, 0));
    return {
      ...invoice,
      id: `upcoming_in_${randomText(24)}`,
      amount_due: Math.max(total, 0) - applied,
      amount_remaining: Math.max(total, 0) - applied,
      ending_balance: total < 0 ? customer.balance + total : customer.balance + applied,
    };
  }
}
