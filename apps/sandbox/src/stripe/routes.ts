import { day } from './calendar.js';
import type { Checkout } from './checkout.js';
import type { DueWork } from './due-work.js';
import { invalid, missing, StripeRefusal } from './errors.js';
import type { Parameters } from './form.js';
import type { Invoices } from './invoices.js';
import type {
  Charge,
  CheckoutSession,
  Customer,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  PortalConfiguration,
  Price,
  Product,
  SetupIntent,
  StripeEvent,
  StripeObject,
  Subscription,
  SubscriptionItem,
  TestClock,
  WebhookEndpoint,
} from './objects.js';
import type { Payments } from './payments.js';
import type { Portal } from './portal.js';
import { apiVersion } from './schema.js';
import { mergedMetadata, type SubscriptionChanges, type Subscriptions } from './subscriptions.js';
import { taxIdsOf } from './tax-ids.js';
import type { Webhooks } from './webhooks.js';
import { randomText, type World } from './world.js';

export interface Parts {
  world: World;
  payments: Payments;
  invoices: Invoices;
  subscriptions: Subscriptions;
  checkout: Checkout;
  portal: Portal;
  webhooks: Webhooks;
  dueWork: DueWork;
}

/** Answers one call: path values and decoded, validated parameters in, Stripe's object out. Throws StripeRefusal. */
export type Handler = (path: Record<string, string>, parameters: Parameters) => unknown;

type Metadata = Record<string, string> | '';
type TimeFilter = number | { gt?: number; gte?: number; lt?: number; lte?: number } | undefined;

const text = (parameters: Parameters, name: string): string | undefined => parameters[name] as string | undefined;

/** `''` unsets. */
const nullable = (value: string | undefined): string | null | undefined => (value === undefined ? undefined : value || null);

function matchesTime(value: number, filter: TimeFilter): boolean {
  if (filter === undefined) return true;
  if (typeof filter === 'number') return value === filter;
  return (
    value > (filter.gt ?? -Infinity) &&
    value >= (filter.gte ?? -Infinity) &&
    value < (filter.lt ?? Infinity) &&
    value <= (filter.lte ?? Infinity)
  );
}

/** Leaves out what was not given. */
function given<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

/** One page of a list, newest first. @param items newest first. */
export function page(items: readonly { id: string }[], parameters: Parameters, url: string) {
  const limit = (parameters['limit'] as number | undefined) ?? 10;
  if (limit < 1 || limit > 100) throw invalid(`This value must be between 1 and 100.`, 'limit');
  const placeOf = (name: 'starting_after' | 'ending_before') => {
    const id = text(parameters, name);
    if (id === undefined) return undefined;
    const place = items.findIndex((item) => item.id === id);
    if (place < 0) throw missing('object', id, name);
    return place;
  };
  const after = placeOf('starting_after');
  const before = placeOf('ending_before');
  if (before !== undefined) {
    const from = Math.max(before - limit, 0);
    return { object: 'list', data: items.slice(from, before), has_more: from > 0, url };
  }
  const from = after === undefined ? 0 : after + 1;
  return { object: 'list', data: items.slice(from, from + limit), has_more: items.length > from + limit, url };
}

/** Every call of the API by method and path. */
export function routes(parts: Parts): Record<string, Handler> {
  return {
    ...customerRoutes(parts),
    ...catalogueRoutes(parts),
    ...checkoutRoutes(parts),
    ...subscriptionRoutes(parts),
    ...invoiceRoutes(parts),
    ...paymentRoutes(parts),
    ...portalRoutes(parts),
    ...eventRoutes(parts),
    ...clockRoutes(parts),
  };
}

function customerRoutes({ world, payments, subscriptions }: Parts): Record<string, Handler> {
  const fields = (parameters: Parameters) =>
    given({
      email: nullable(text(parameters, 'email')),
      name: nullable(text(parameters, 'name')),
      phone: nullable(text(parameters, 'phone')),
      description: nullable(text(parameters, 'description')),
      preferred_locales: parameters['preferred_locales'],
      balance: parameters['balance'] as number | undefined,
      address:
        parameters['address'] === ''
          ? null
          : parameters['address'] && {
              city: null,
              country: null,
              line1: null,
              line2: null,
              postal_code: null,
              state: null,
              ...parameters['address'],
            },
    });
  const defaultMethod = (customer: Customer, parameters: Parameters) => {
    const wanted = (parameters['invoice_settings'] as { default_payment_method?: string } | undefined)?.default_payment_method;
    if (wanted === undefined) return;
    const method = wanted ? payments.method(wanted, 'invoice_settings[default_payment_method]') : null;
    if (method && method.customer !== customer.id)
      throw invalid(
        'The customer does not have a payment method with that ID.',
        'invoice_settings[default_payment_method]',
        'resource_missing',
      );
    world.change(customer, { invoice_settings: { ...customer.invoice_settings, default_payment_method: method?.id ?? null } });
  };
  return {
    'POST /v1/customers': (_path, parameters) => {
      const email = text(parameters, 'email');
      if (email && !/^[^@\s]+@[^@\s]+$/.test(email)) throw invalid(`Invalid email address: ${email}`, 'email', 'email_invalid');
      const clock = text(parameters, 'test_clock');
      if (clock) world.get('test_helpers.test_clock', clock, 'test_clock');
      const customer = world.make<Customer>('customer', {
        address: null,
        currency: null,
        delinquent: false,
        invoice_prefix: randomText(8).toUpperCase(),
        invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
        name: null,
        next_invoice_sequence: 1,
        phone: null,
        preferred_locales: [],
        tax_exempt: 'none',
        ...fields(parameters),
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        test_clock: clock ?? null,
        ...(clock ? { created: world.get<TestClock>('test_helpers.test_clock', clock).frozen_time } : {}),
      });
      const methodId = text(parameters, 'payment_method');
      if (methodId) {
        const method = payments.attach(payments.method(methodId, 'payment_method'), customer);
        if ((parameters['invoice_settings'] as { default_payment_method?: string } | undefined)?.default_payment_method === methodId)
          world.change(customer, { invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id } });
      } else defaultMethod(customer, parameters);
      world.emit('customer.created', customer);
      return customer;
    },
    'GET /v1/customers': (_path, parameters) =>
      page(
        world.all<Customer>(
          'customer',
          (customer) =>
            (text(parameters, 'email') === undefined || customer.email === text(parameters, 'email')) &&
            matchesTime(customer.created, parameters['created'] as TimeFilter),
        ),
        parameters,
        '/v1/customers',
      ),
    'GET /v1/customers/{id}': ({ id = '' }) =>
      world.find('deleted_customer', id) ? { id, object: 'customer', deleted: true } : world.get<Customer>('customer', id),
    'POST /v1/customers/{id}': ({ id = '' }, parameters) => {
      const customer = world.get<Customer>('customer', id);
      defaultMethod(customer, parameters);
      const metadata = parameters['metadata'] as Metadata | undefined;
      return world.change(
        customer,
        { ...fields(parameters), ...(metadata === undefined ? {} : { metadata: mergedMetadata(customer.metadata, metadata) }) },
        'customer.updated',
      );
    },
    'DELETE /v1/customers/{id}': ({ id = '' }) => {
      const customer = world.get<Customer>('customer', id);
      for (const subscription of world.all<Subscription>('subscription', (each) => each.customer === id && each.status !== 'canceled'))
        subscriptions.cancel(subscription);
      for (const method of world.all<PaymentMethod>('payment_method', (each) => each.customer === id))
        world.change(method, { customer: null });
      for (const taxId of taxIdsOf(world, id)) world.remove(taxId);
      world.emit('customer.deleted', customer);
      world.remove(customer);
      world.put({ id, object: 'deleted_customer' });
      return { id, object: 'customer', deleted: true };
    },
    'GET /v1/customers/{id}/payment_methods': ({ id = '' }, parameters) => {
      world.get('customer', id);
      return page(
        world.all<PaymentMethod>('payment_method', (method) => method.customer === id),
        parameters,
        `/v1/customers/${id}/payment_methods`,
      );
    },
    'GET /v1/customers/{customerId}/payment_methods/{id}': ({ customerId = '', id = '' }) => {
      const method = world.get<PaymentMethod>('payment_method', id);
      if (method.customer !== customerId) throw missing('payment_method', id);
      return method;
    },
  };
}

function catalogueRoutes({ world }: Parts): Record<string, Handler> {
  return {
    'POST /v1/products': (_path, parameters) => {
      const id = text(parameters, 'id');
      if (id && world.find('product', id)) throw invalid(`Product already exists.`, 'id', 'resource_already_exists');
      const product = world.make<Product>('product', {
        ...(id ? { id } : {}),
        active: (parameters['active'] as boolean | undefined) ?? true,
        description: nullable(text(parameters, 'description')) ?? null,
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        name: text(parameters, 'name') ?? '',
        tax_code: null,
        type: 'service',
        updated: world.now(),
        images: parameters['images'] ?? [],
        marketing_features: parameters['marketing_features'] ?? [],
      });
      world.emit('product.created', product);
      return product;
    },
    'GET /v1/products': (_path, parameters) => {
      const { ids, active } = parameters as { ids?: string[]; active?: boolean };
      return page(
        world.all<Product>(
          'product',
          (product) => (!ids || ids.includes(product.id)) && (active === undefined || product.active === active),
        ),
        parameters,
        '/v1/products',
      );
    },
    'GET /v1/products/{id}': ({ id = '' }) => world.get('product', id),
    'POST /v1/products/{id}': ({ id = '' }, parameters) => {
      const product = world.get<Product>('product', id);
      const metadata = parameters['metadata'] as Metadata | undefined;
      const patch = given({
        name: text(parameters, 'name'),
        active: parameters['active'] as boolean | undefined,
        description: nullable(text(parameters, 'description')),
      });
      return world.change(
        product,
        { ...patch, ...(metadata === undefined ? {} : { metadata: mergedMetadata(product.metadata, metadata) }), updated: world.now() },
        'product.updated',
      );
    },
    'DELETE /v1/products/{id}': ({ id = '' }) => {
      const product = world.get<Product>('product', id);
      if (world.all<Price>('price', (price) => price.product === id).length > 0)
        throw invalid('This product cannot be deleted because it has one or more user-created prices.');
      world.remove(product);
      world.emit('product.deleted', product);
      return { id, object: 'product', deleted: true };
    },
    'POST /v1/prices': (_path, parameters) => {
      const productId = text(parameters, 'product');
      if (!productId) throw invalid('You must specify either `product` or `product_data` when creating a price.', 'product');
      world.get('product', productId, 'product');
      const amount = parameters['unit_amount'] as number | undefined;
      if (amount === undefined) throw invalid('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing');
      if (amount < 0) throw invalid('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer');
      const lookupKey = text(parameters, 'lookup_key');
      if (lookupKey) {
        const [holder] = world.all<Price>('price', (price) => price.lookup_key === lookupKey);
        if (holder && parameters['transfer_lookup_key'] !== true)
          throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
        if (holder) world.change(holder, { lookup_key: null }, 'price.updated');
      }
      const recurring = parameters['recurring'] as { interval: string; interval_count?: number } | undefined;
      const price = world.make<Price>('price', {
        active: (parameters['active'] as boolean | undefined) ?? true,
        billing_scheme: 'per_unit',
        currency: text(parameters, 'currency') ?? 'brl',
        lookup_key: lookupKey ?? null,
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        nickname: text(parameters, 'nickname') ?? null,
        product: productId,
        recurring: recurring
          ? ({
              interval: recurring.interval,
              interval_count: recurring.interval_count ?? 1,
              meter: null,
              trial_period_days: null,
              usage_type: 'licensed',
            } as never)
          : null,
        tax_behavior: text(parameters, 'tax_behavior') ?? 'unspecified',
        type: recurring ? 'recurring' : 'one_time',
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      });
      world.emit('price.created', price);
      return price;
    },
    'GET /v1/prices': (_path, parameters) => {
      const {
        lookup_keys: keys,
        product,
        active,
        type,
      } = parameters as { lookup_keys?: string[]; product?: string; active?: boolean; type?: string };
      return page(
        world.all<Price>(
          'price',
          (price) =>
            (!keys || (price.lookup_key !== null && keys.includes(price.lookup_key))) &&
            (product === undefined || price.product === product) &&
            (active === undefined || price.active === active) &&
            (type === undefined || price['type'] === type),
        ),
        parameters,
        '/v1/prices',
      );
    },
    'GET /v1/prices/{id}': ({ id = '' }) => world.get('price', id),
    'POST /v1/prices/{id}': ({ id = '' }, parameters) => {
      const price = world.get<Price>('price', id);
      const metadata = parameters['metadata'] as Metadata | undefined;
      return world.change(
        price,
        {
          ...given({
            active: parameters['active'] as boolean | undefined,
            nickname: nullable(text(parameters, 'nickname')),
            lookup_key: nullable(text(parameters, 'lookup_key')),
          }),
          ...(metadata === undefined ? {} : { metadata: mergedMetadata(price.metadata, metadata) }),
        },
        'price.updated',
      );
    },
  };
}

function checkoutRoutes({ world, checkout }: Parts): Record<string, Handler> {
  return {
    'POST /v1/checkout/sessions': (_path, parameters) => checkout.create(parameters),
    'GET /v1/checkout/sessions': (_path, parameters) => {
      const { customer, status, subscription } = parameters as { customer?: string; status?: string; subscription?: string };
      return page(
        world.all<CheckoutSession>(
          'checkout.session',
          (session) =>
            (customer === undefined || session.customer === customer) &&
            (status === undefined || session.status === status) &&
            (subscription === undefined || session.subscription === subscription),
        ),
        parameters,
        '/v1/checkout/sessions',
      );
    },
    'GET /v1/checkout/sessions/{id}': ({ id = '' }) => world.get('checkout.session', id),
    'POST /v1/checkout/sessions/{id}/expire': ({ id = '' }) => checkout.expire(world.get<CheckoutSession>('checkout.session', id)),
    'GET /v1/checkout/sessions/{id}/line_items': ({ id = '' }, parameters) =>
      page(
        checkout.lineItems(world.get<CheckoutSession>('checkout.session', id)) as { id: string }[],
        parameters,
        `/v1/checkout/sessions/${id}/line_items`,
      ),
  };
}

function subscriptionRoutes({ world, subscriptions, payments }: Parts): Record<string, Handler> {
  const ended = new Set(['canceled', 'incomplete_expired']);
  return {
    'POST /v1/subscriptions': (_path, parameters) => {
      const {
        items = [],
        trial_period_days: trialDays,
        trial_end: trialEnd,
      } = parameters as {
        items?: { price?: string; quantity?: number }[];
        trial_period_days?: number;
        trial_end?: number | 'now';
      };
      const customer = world.get<Customer>('customer', text(parameters, 'customer') ?? '', 'customer');
      const [item, ...others] = items;
      if (!item?.price || others.length > 0) throw invalid('This account sells subscriptions of exactly one item.', 'items');
      const methodId = text(parameters, 'default_payment_method');
      const method = methodId ? payments.method(methodId, 'default_payment_method') : undefined;
      if (method && method.customer !== customer.id)
        throw invalid('The customer does not have a payment method with that ID.', 'default_payment_method', 'resource_missing');
      const behavior = text(parameters, 'payment_behavior');
      if (!method && !customer.invoice_settings.default_payment_method && !trialDays && !trialEnd && behavior !== 'default_incomplete')
        throw invalid(
          'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
        );
      return subscriptions.create({
        customer,
        price: world.get<Price>('price', item.price, 'items[0][price]'),
        quantity: item.quantity,
        trialEnd: trialDays ? world.now(customer.id) + trialDays * day : typeof trialEnd === 'number' ? trialEnd : null,
        metadata: (parameters['metadata'] as Record<string, string> | undefined) ?? {},
        defaultPaymentMethod: method?.id ?? null,
        missingPaymentMethod: (parameters as SubscriptionChanges).trial_settings?.end_behavior.missing_payment_method,
        paymentBehavior: behavior,
        offSession: (parameters['off_session'] as boolean | undefined) ?? false,
        billingMode: (parameters['billing_mode'] as { type: 'classic' | 'flexible' } | undefined)?.type,
        description: text(parameters, 'description'),
      });
    },
    'GET /v1/subscriptions': (_path, parameters) => {
      const { customer, status, price } = parameters as { customer?: string; status?: string; price?: string };
      const wanted = (subscription: Subscription) =>
        status === 'all' ||
        (status === 'ended' ? ended.has(subscription.status) : status ? subscription.status === status : !ended.has(subscription.status));
      return page(
        world.all<Subscription>(
          'subscription',
          (subscription) =>
            wanted(subscription) &&
            (customer === undefined || subscription.customer === customer) &&
            (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
            matchesTime(subscription.created, parameters['created'] as TimeFilter),
        ),
        parameters,
        '/v1/subscriptions',
      );
    },
    'GET /v1/subscriptions/{id}': ({ id = '' }) => world.get('subscription', id),
    'POST /v1/subscriptions/{id}': ({ id = '' }, parameters) =>
      subscriptions.update(world.get<Subscription>('subscription', id), parameters),
    'DELETE /v1/subscriptions/{id}': ({ id = '' }, parameters) =>
      subscriptions.cancel(
        world.get<Subscription>('subscription', id),
        'cancellation_requested',
        parameters['cancellation_details'] as { comment?: string; feedback?: string } | undefined,
      ),
    'POST /v1/subscriptions/{id}/resume': ({ id = '' }) => {
      const subscription = world.get<Subscription>('subscription', id);
      if (subscription.status !== 'paused') throw invalid('Only paused subscriptions can be resumed.');
      world.change(subscription, { status: 'active' }, 'customer.subscription.updated');
      world.emit('customer.subscription.resumed', subscription);
      subscriptions.renew(subscription);
      return subscription;
    },
    'GET /v1/subscription_items': (_path, parameters) => {
      const subscription = world.get<Subscription>('subscription', text(parameters, 'subscription') ?? '', 'subscription');
      return page(subscription.items.data, parameters, '/v1/subscription_items');
    },
    'GET /v1/subscription_items/{id}': ({ id = '' }) => world.get<SubscriptionItem>('subscription_item', id),
  };
}

function invoiceRoutes({ world, invoices, subscriptions, payments }: Parts): Record<string, Handler> {
  const methodFor = (invoice: Invoice, parameters: Parameters): string | null => {
    const wanted = text(parameters, 'payment_method');
    if (wanted) return payments.method(wanted, 'payment_method').id;
    const id = invoice.parent?.subscription_details.subscription;
    return id ? subscriptions.methodOf(world.get<Subscription>('subscription', id)) : null;
  };
  return {
    'GET /v1/invoices': (_path, parameters) => {
      const { customer, status, subscription } = parameters as { customer?: string; status?: string; subscription?: string };
      return page(
        world.all<Invoice>(
          'invoice',
          (invoice) =>
            (customer === undefined || invoice.customer === customer) &&
            (status === undefined || invoice.status === status) &&
            (subscription === undefined || invoice.parent?.subscription_details.subscription === subscription) &&
            matchesTime(invoice.created, parameters['created'] as TimeFilter),
        ),
        parameters,
        '/v1/invoices',
      );
    },
    'POST /v1/invoices/create_preview': (_path, parameters) => {
      const { subscription_details: details = {} } = parameters as { subscription_details?: SubscriptionChanges };
      const id = text(parameters, 'subscription');
      if (!id) throw invalid('Missing required param: subscription.', 'subscription', 'parameter_missing');
      return subscriptions.preview(world.get<Subscription>('subscription', id, 'subscription'), details);
    },
    'GET /v1/invoices/{id}': ({ id = '' }) => world.get('invoice', id),
    'POST /v1/invoices/{id}/pay': ({ id = '' }, parameters) => {
      const invoice = world.get<Invoice>('invoice', id);
      return invoices.pay(invoice, {
        methodId: methodFor(invoice, parameters),
        offSession: (parameters['off_session'] as boolean | undefined) ?? true,
      });
    },
    'POST /v1/invoices/{id}/void': ({ id = '' }) => invoices.void(world.get<Invoice>('invoice', id)),
    'POST /v1/invoices/{id}/finalize': ({ id = '' }) => invoices.finalize(world.get<Invoice>('invoice', id)),
    'GET /v1/invoice_payments': (_path, parameters) => {
      const invoice = text(parameters, 'invoice');
      const { payment: wanted, status } = parameters as { payment?: { payment_intent?: string }; status?: string };
      return page(
        world.all<InvoicePayment>(
          'invoice_payment',
          (each) =>
            (invoice === undefined || each.invoice === invoice) &&
            (status === undefined || each['status'] === status) &&
            (wanted?.payment_intent === undefined || each.payment.payment_intent === wanted.payment_intent),
        ),
        parameters,
        '/v1/invoice_payments',
      );
    },
    'GET /v1/invoice_payments/{id}': ({ id = '' }) => world.get('invoice_payment', id),
  };
}

function paymentRoutes({ world, payments }: Parts): Record<string, Handler> {
  const ofCustomer = (object: string, url: string) => (_path: Record<string, string>, parameters: Parameters) => {
    const { customer, payment_intent: intent } = parameters as { customer?: string; payment_intent?: string };
    return page(
      world.all<StripeObject>(
        object,
        (item) => (customer === undefined || item['customer'] === customer) && (intent === undefined || item['payment_intent'] === intent),
      ),
      parameters,
      url,
    );
  };
  return {
    'POST /v1/payment_methods': (_path, parameters) => {
      const { card, billing_details: billing } = parameters as {
        card?: { number?: string; token?: string; exp_month?: number; exp_year?: number };
        billing_details?: { name?: string; email?: string };
      };
      if (card?.token) return payments.method(card.token.replace(/^tok_/, 'pm_card_'), 'card[token]');
      if (!card?.number) throw invalid('Missing required param: card[number].', 'card[number]', 'parameter_missing');
      return payments.newMethod({ number: card.number, exp_month: card.exp_month ?? 0, exp_year: card.exp_year ?? 0 }, billing);
    },
    'GET /v1/payment_methods': ofCustomer('payment_method', '/v1/payment_methods'),
    'GET /v1/payment_methods/{id}': ({ id = '' }) => world.get('payment_method', id),
    'POST /v1/payment_methods/{id}': ({ id = '' }, parameters) => {
      const method = world.get<PaymentMethod>('payment_method', id);
      const metadata = parameters['metadata'] as Metadata | undefined;
      const billing = parameters['billing_details'] as object | undefined;
      const card = parameters['card'] as { exp_month?: number; exp_year?: number } | undefined;
      return world.change(
        method,
        {
          ...(metadata === undefined ? {} : { metadata: mergedMetadata(method.metadata, metadata) }),
          ...(billing ? { billing_details: { ...(method['billing_details'] as object), ...billing } } : {}),
          ...(card ? { card: { ...method.card, ...given(card) } } : {}),
        },
        'payment_method.updated',
      );
    },
    'POST /v1/payment_methods/{id}/attach': ({ id = '' }, parameters) => {
      const customer = world.get<Customer>('customer', text(parameters, 'customer') ?? '', 'customer');
      return payments.attach(payments.method(id), customer);
    },
    'POST /v1/payment_methods/{id}/detach': ({ id = '' }) => {
      const method = world.get<PaymentMethod>('payment_method', id);
      if (method.customer === null)
        throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
      return payments.detach(method);
    },
    'GET /v1/payment_intents': ofCustomer('payment_intent', '/v1/payment_intents'),
    'GET /v1/payment_intents/{id}': ({ id = '' }) => world.get<PaymentIntent>('payment_intent', id),
    'GET /v1/setup_intents/{id}': ({ id = '' }) => world.get<SetupIntent>('setup_intent', id),
    'GET /v1/charges': ofCustomer('charge', '/v1/charges'),
    'GET /v1/charges/{id}': ({ id = '' }) => world.get<Charge>('charge', id),
    'POST /v1/refunds': (_path, parameters) => {
      const chargeId = text(parameters, 'charge');
      const intentId =
        text(parameters, 'payment_intent') ?? (chargeId ? world.get<Charge>('charge', chargeId, 'charge').payment_intent : undefined);
      if (!intentId) throw invalid('One of the following params should be provided for this request: payment_intent or charge.');
      return payments.refund({
        intentId,
        amount: parameters['amount'] as number | undefined,
        reason: text(parameters, 'reason'),
        metadata: parameters['metadata'] as Record<string, string> | undefined,
      });
    },
    'GET /v1/refunds': ofCustomer('refund', '/v1/refunds'),
    'GET /v1/refunds/{id}': ({ id = '' }) => world.get('refund', id),
  };
}

function portalRoutes({ world, portal }: Parts): Record<string, Handler> {
  const object = 'billing_portal.configuration';
  return {
    'POST /v1/billing_portal/configurations': (_path, parameters) => portal.configure(parameters),
    'GET /v1/billing_portal/configurations': (_path, parameters) => {
      const { active, is_default: isDefault } = parameters as { active?: boolean; is_default?: boolean };
      return page(
        world.all<PortalConfiguration>(
          object,
          (each) => (active === undefined || each.active === active) && (isDefault === undefined || each.is_default === isDefault),
        ),
        parameters,
        '/v1/billing_portal/configurations',
      );
    },
    'GET /v1/billing_portal/configurations/{id}': ({ id = '' }) => world.get(object, id),
    'POST /v1/billing_portal/configurations/{id}': ({ id = '' }, parameters) =>
      portal.configure(parameters, world.get<PortalConfiguration>(object, id)),
    'POST /v1/billing_portal/sessions': (_path, parameters) => portal.open(parameters),
  };
}

function eventRoutes({ world }: Parts): Record<string, Handler> {
  return {
    'GET /v1/events': (_path, parameters) => {
      const {
        type,
        types,
        created,
        delivery_success: delivered,
      } = parameters as {
        type?: string;
        types?: string[];
        created?: TimeFilter;
        delivery_success?: boolean;
      };
      const wanted = (event: StripeEvent) =>
        (type === undefined || event.type === type || (type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))) &&
        (!types || types.includes(event.type)) &&
        (delivered === undefined || (event.pending_webhooks === 0) === delivered) &&
        matchesTime(event.created, created);
      return page(world.events.filter(wanted).reverse(), parameters, '/v1/events');
    },
    'GET /v1/events/{id}': ({ id = '' }) => {
      const event = world.events.find((each) => each.id === id);
      if (!event) throw missing('event', id);
      return event;
    },
    'POST /v1/webhook_endpoints': (_path, parameters) => {
      const url = text(parameters, 'url') ?? '';
      if (!/^https?:\/\//.test(url))
        throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', 'url', 'url_invalid');
      const version = text(parameters, 'api_version');
      if (version && version !== apiVersion) throw invalid(`This account sends events of ${apiVersion} only.`, 'api_version');
      const endpoint = world.make<WebhookEndpoint>('webhook_endpoint', {
        api_version: version ?? null,
        description: text(parameters, 'description') ?? null,
        enabled_events: parameters['enabled_events'] as string[],
        metadata: mergedMetadata({}, (parameters['metadata'] as Metadata | undefined) ?? {}),
        status: 'enabled',
        url,
      });
      const secret = `whsec_${randomText(32)}`;
      world.secrets.set(endpoint.id, [secret]);
      return { ...endpoint, secret };
    },
    'GET /v1/webhook_endpoints': (_path, parameters) =>
      page(world.all<WebhookEndpoint>('webhook_endpoint'), parameters, '/v1/webhook_endpoints'),
    'GET /v1/webhook_endpoints/{id}': ({ id = '' }) => world.get('webhook_endpoint', id),
    'POST /v1/webhook_endpoints/{id}': ({ id = '' }, parameters) => {
      const endpoint = world.get<WebhookEndpoint>('webhook_endpoint', id);
      const disabled = parameters['disabled'] as boolean | undefined;
      return world.change(endpoint, {
        ...given({
          url: text(parameters, 'url'),
          enabled_events: parameters['enabled_events'] as string[] | undefined,
          description: nullable(text(parameters, 'description')),
        }),
        ...(disabled === undefined ? {} : { status: disabled ? ('disabled' as const) : ('enabled' as const) }),
      });
    },
    'DELETE /v1/webhook_endpoints/{id}': ({ id = '' }) => {
      world.remove(world.get('webhook_endpoint', id));
      world.secrets.delete(id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  };
}

function clockRoutes({ world, dueWork }: Parts): Record<string, Handler> {
  const object = 'test_helpers.test_clock';
  return {
    'POST /v1/test_helpers/test_clocks': (_path, parameters) => {
      const clock = world.make<TestClock>(object, {
        deletes_after: world.now() + 30 * day,
        frozen_time: parameters['frozen_time'] as number,
        name: text(parameters, 'name') ?? null,
        status: 'ready',
        status_details: {},
      });
      world.emit('test_helpers.test_clock.created', clock);
      return clock;
    },
    'GET /v1/test_helpers/test_clocks': (_path, parameters) =>
      page(world.all<TestClock>(object), parameters, '/v1/test_helpers/test_clocks'),
    'GET /v1/test_helpers/test_clocks/{id}': ({ id = '' }) => world.get(object, id),
    'DELETE /v1/test_helpers/test_clocks/{id}': ({ id = '' }) => {
      const clock = world.get<TestClock>(object, id);
      world.remove(clock);
      return { id, object, deleted: true };
    },
    'POST /v1/test_helpers/test_clocks/{id}/advance': ({ id = '' }, parameters) => {
      const clock = world.get<TestClock>(object, id);
      const to = parameters['frozen_time'] as number;
      if (to <= clock.frozen_time) throw invalid('The frozen time must be after the current one.', 'frozen_time');
      const furthest = world
        .all<Customer>('customer', ({ test_clock }) => test_clock === clock.id)
        .flatMap((customer) =>
          world.all<Subscription>('subscription', (each) => each.customer === customer.id && each.status !== 'canceled'),
        )
        .flatMap(({ items }) =>
          items.data.map((item) => item.current_period_end + 2 * (item.current_period_end - item.current_period_start)),
        );
      if (furthest.length > 0 && to > Math.min(...furthest))
        throw new StripeRefusal(
          400,
          { type: 'invalid_request_error', message: 'You can only advance at most two intervals at a time.', param: 'frozen_time' },
          true,
        );
      dueWork.advance(clock, to);
      return clock;
    },
  };
}
