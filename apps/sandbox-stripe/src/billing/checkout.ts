import { day, hour } from '../objects/calendar.js';
import { invalid, StripeRefusal } from '../objects/errors.js';
import type { CheckoutSession, Customer, PaymentIntent, PaymentMethod, Price, Product, SetupIntent } from '../objects/objects.js';
import { kindOfTaxId, replaceTaxId } from '../objects/tax-ids.js';
import type { World } from '../objects/world.js';
import { type Decline } from './cards.js';
import type { Payments } from './payments.js';
import type { Subscriptions } from './subscriptions.js';

export interface SessionParameters {
  mode?: string;
  customer?: string;
  customer_email?: string;
  client_reference_id?: string;
  line_items?: { price?: string; quantity?: number }[];
  success_url?: string;
  cancel_url?: string;
  expires_at?: number;
  locale?: string;
  metadata?: Record<string, string>;
  allowed_payment_method_types?: string[];
  payment_method_collection?: string;
  billing_address_collection?: string;
  tax_id_collection?: { enabled: boolean };
  customer_update?: Record<string, string>;
  ui_mode?: string;
  subscription_data?: {
    billing_mode?: { type: 'classic' | 'flexible' };
    metadata?: Record<string, string>;
    trial_period_days?: number;
    trial_end?: number;
    description?: string;
    trial_settings?: { end_behavior: { missing_payment_method: 'cancel' | 'create_invoice' | 'pause' } };
  };
}

export interface SessionNotes {
  priceId: string;
  quantity: number;
  trialDays: number | null;
  subscription: NonNullable<SessionParameters['subscription_data']>;
  /** The submitted form while 3-D Secure is pending. */
  buyer: Buyer & { methodId: string };
}

export interface Buyer {
  email: string;
  name: string;
  taxId: string;
}

/** Result of submitting the checkout form. */
export type Submission =
  | { outcome: 'complete'; url: string }
  | { outcome: 'authenticate'; intentId: string }
  | { outcome: 'refused'; decline: Decline };

/** Checkout sessions in subscription mode, and what happens when a customer submits the checkout form. */
export class Checkout {
  constructor(
    private readonly world: World,
    private readonly payments: Payments,
    private readonly subscriptions: Subscriptions,
    private readonly publicUrl: () => string,
  ) {}

  notes(session: CheckoutSession): Partial<SessionNotes> {
    return this.world.notes<SessionNotes>(session.id);
  }

  create(parameters: SessionParameters): CheckoutSession {
    const { world } = this;
    const { mode, line_items: lines = [], success_url, cancel_url, subscription_data = {} } = parameters;
    if (!mode) throw invalid('Missing required param: mode.', 'mode', 'parameter_missing');
    if (mode !== 'subscription') throw invalid('This account sells subscriptions only: `mode` must be `subscription`.', 'mode');
    if (parameters.ui_mode && parameters.ui_mode !== 'hosted_page') throw invalid('Only the hosted page is available.', 'ui_mode');
    if (!success_url) throw invalid('Missing required param: success_url.', 'success_url', 'parameter_missing');
    for (const [name, url] of Object.entries({ success_url, cancel_url }))
      if (url && !/^https?:\/\//.test(url)) throw invalid('Not a valid URL', name, 'url_invalid');
    const [line, ...others] = lines;
    if (!line?.price) throw invalid('Missing required param: line_items[0][price].', 'line_items[0][price]', 'parameter_missing');
    if (others.length > 0) throw invalid('This account sells one line at a time.', 'line_items');
    const price = world.get<Price>('price', line.price, 'line_items[0][price]');
    if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.', 'line_items[0][price]');
    if (!price.recurring)
      throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.', 'line_items');
    const quantity = line.quantity ?? 1;
    if (quantity < 1) throw invalid('Quantity must be at least 1.', 'line_items[0][quantity]');
    const customer = parameters.customer ? world.get<Customer>('customer', parameters.customer, 'customer') : undefined;
    if (customer && parameters.customer_email) throw invalid('You may only specify one of these parameters: customer, customer_email.');
    if (parameters.customer_update && !customer) throw invalid('`customer_update` can only be used with `customer`.', 'customer_update');
    const now = world.now(customer?.id);
    const trialDays = subscription_data.trial_period_days ?? null;
    if (trialDays !== null && trialDays < 1)
      throw invalid('The minimum number of trial period days is 1.', 'subscription_data[trial_period_days]');
    const expiresAt = parameters.expires_at ?? now + day;
    if (expiresAt < now + 30 * 60 - 5 || expiresAt > now + 24 * hour + 5)
      throw invalid(
        'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
        'expires_at',
      );
    const amount = trialDays === null ? price.unit_amount * quantity : 0;
    const id = world.newId('checkout.session');
    const session = world.make<CheckoutSession>('checkout.session', {
      id,
      created: now,
      allowed_payment_method_types: parameters.allowed_payment_method_types ?? null,
      amount_subtotal: amount,
      amount_total: amount,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      billing_address_collection: parameters.billing_address_collection ?? null,
      cancel_url: cancel_url ?? null,
      client_reference_id: parameters.client_reference_id ?? null,
      currency: price.currency,
      customer: customer?.id ?? null,
      customer_creation: customer ? null : 'always',
      customer_details: {
        address: null,
        business_name: null,
        email: customer?.email ?? parameters.customer_email ?? null,
        individual_name: null,
        name: null,
        phone: null,
        tax_exempt: 'none',
        tax_ids: [],
      },
      customer_email: parameters.customer_email ?? null,
      expires_at: expiresAt,
      locale: parameters.locale ?? null,
      metadata: parameters.metadata ?? {},
      mode: 'subscription',
      payment_method_collection: parameters.payment_method_collection ?? 'always',
      payment_method_types: ['card'],
      payment_status: 'unpaid',
      status: 'open',
      success_url,
      tax_id_collection: { enabled: parameters.tax_id_collection?.enabled ?? false, required: 'never' },
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: 'hosted_page',
      url: `${this.publicUrl()}/c/pay/${id}`,
    });
    Object.assign(this.notes(session), {
      priceId: price.id,
      quantity,
      trialDays,
      subscription: subscription_data,
    } satisfies Partial<SessionNotes>);
    return session;
  }

  lineItems(session: CheckoutSession): Record<string, unknown>[] {
    const { priceId = '', quantity = 1 } = this.notes(session);
    const price = this.world.get<Price>('price', priceId);
    const amount = price.unit_amount * quantity;
    return [
      {
        id: `li_${session.id.slice(-24)}`,
        object: 'item',
        adjustable_quantity: null,
        amount_discount: 0,
        amount_subtotal: amount,
        amount_tax: 0,
        amount_total: amount,
        currency: price.currency,
        description: this.world.find<Product>('product', price.product)?.name ?? null,
        metadata: {},
        price,
        quantity,
      },
    ];
  }

  /** @throws StripeRefusal when the session is not open. */
  expire(session: CheckoutSession): CheckoutSession {
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    this.world.change(session, {
      status: 'expired',
      url: null,
      expires_at: Math.min(session.expires_at, this.world.now(session.customer)),
    });
    this.world.emit('checkout.session.expired', session);
    return session;
  }

  successUrl(session: CheckoutSession): string {
    return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
  }

  /** Submits the checkout form. Submitting a completed session again changes nothing. */
  submit(session: CheckoutSession, card: { number: string; exp_month: number; exp_year: number }, buyer: Buyer): Submission {
    if (session.status === 'complete') return { outcome: 'complete', url: this.successUrl(session) };
    if (session.status !== 'open') throw invalid('This Checkout Session is no longer available.');
    let method: PaymentMethod;
    try {
      method = this.payments.newMethod(card, { name: buyer.name || null, email: buyer.email || null, tax_id: buyer.taxId || null });
    } catch (error) {
      if (error instanceof StripeRefusal && error.status === 402)
        return { outcome: 'refused', decline: { code: error.body.code ?? 'card_declined', message: error.body.message ?? '' } };
      throw error;
    }
    this.notes(session).buyer = { ...buyer, methodId: method.id };
    const customer = this.buyerOf(session, buyer);
    const { trialDays } = this.notes(session);
    const behaviour = this.payments.behaviour(method.id);
    if (trialDays) {
      if (behaviour.setup === 'authenticate') {
        const intent = this.payments.setup(customer, method, 'requires_action');
        this.world.notes<{ sessionId: string }>(intent.id).sessionId = session.id;
        return { outcome: 'authenticate', intentId: intent.id };
      }
      if (behaviour.setup !== 'ok') return { outcome: 'refused', decline: behaviour.setup };
      return this.complete(session, customer, method, { setup: this.payments.setup(customer, method, 'succeeded') });
    }
    if (behaviour.onSession === 'ok') this.payments.attach(method, customer);
    const taken = this.payments.charge({
      customer,
      methodId: method.id,
      amount: session.amount_total,
      currency: session.currency,
      offSession: false,
    });
    if (taken.outcome === 'declined') return { outcome: 'refused', decline: taken.decline };
    if (taken.outcome === 'requires_action') {
      this.world.notes<{ sessionId: string }>(taken.intent.id).sessionId = session.id;
      return { outcome: 'authenticate', intentId: taken.intent.id };
    }
    return this.complete(session, customer, method, { payment: taken.intent });
  }

  /** Completes a session after successful 3-D Secure. */
  authenticated(session: CheckoutSession, intent: PaymentIntent | SetupIntent): Submission {
    if (session.status === 'complete') return { outcome: 'complete', url: this.successUrl(session) };
    const { buyer } = this.notes(session);
    if (session.status !== 'open' || !buyer) throw invalid('This Checkout Session is no longer available.');
    const customer = this.buyerOf(session, buyer);
    const method = this.world.get<PaymentMethod>('payment_method', buyer.methodId);
    if (intent.object === 'setup_intent') {
      this.world.change(intent, { status: 'succeeded', next_action: null });
      this.world.emit('setup_intent.succeeded', intent);
      return this.complete(session, customer, method, { setup: intent });
    }
    const taken = this.payments.charge({
      customer,
      methodId: method.id,
      amount: session.amount_total,
      currency: session.currency,
      offSession: false,
      authenticated: true,
      intent: intent as PaymentIntent,
    });
    if (taken.outcome !== 'succeeded')
      return {
        outcome: 'refused',
        decline: taken.outcome === 'declined' ? taken.decline : { code: 'authentication_required', message: '' },
      };
    return this.complete(session, customer, method, { payment: taken.intent });
  }

  private buyerOf(session: CheckoutSession, buyer: Buyer): Customer {
    const { world } = this;
    if (session.customer) return world.get<Customer>('customer', session.customer);
    const customer = world.make<Customer>('customer', {
      email: buyer.email || null,
      name: buyer.name || null,
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    });
    world.emit('customer.created', customer);
    world.change(session, { customer: customer.id });
    return customer;
  }

  private complete(
    session: CheckoutSession,
    customer: Customer,
    method: PaymentMethod,
    { setup, payment }: { setup?: SetupIntent; payment?: PaymentIntent },
  ): Submission {
    const { world } = this;
    const { priceId = '', quantity = 1, trialDays, subscription: data = {}, buyer } = this.notes(session);
    this.payments.attach(method, customer);
    if (buyer?.name && !customer.name) world.change(customer, { name: buyer.name }, 'customer.updated');
    const collectsTaxIds = (session['tax_id_collection'] as { enabled?: boolean } | null)?.enabled === true;
    if (collectsTaxIds && buyer?.taxId) replaceTaxId(world, customer, buyer.taxId);
    const now = world.now(customer.id);
    const subscription = this.subscriptions.create({
      customer,
      price: world.get<Price>('price', priceId),
      quantity,
      trialEnd: trialDays ? now + trialDays * day : null,
      metadata: data.metadata,
      description: data.description,
      billingMode: data.billing_mode?.type,
      missingPaymentMethod: data.trial_settings?.end_behavior.missing_payment_method,
      defaultPaymentMethod: method.id,
      offSession: false,
      paidBy: payment,
    });
    world.change(session, {
      status: 'complete',
      payment_status: payment ? 'paid' : 'no_payment_required',
      subscription: subscription.id,
      invoice: subscription.latest_invoice,
      setup_intent: setup?.id ?? null,
      url: null,
      customer_details: {
        ...(session['customer_details'] as object),
        email: customer.email ?? buyer?.email ?? null,
        name: buyer?.name ?? null,
        tax_ids: buyer?.taxId ? [{ type: kindOfTaxId(buyer.taxId) ?? 'unknown', value: buyer.taxId }] : [],
      },
    });
    world.emit('checkout.session.completed', session);
    return { outcome: 'complete', url: this.successUrl(session) };
  }
}
