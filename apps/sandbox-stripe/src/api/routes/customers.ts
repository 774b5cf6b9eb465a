import { mergedMetadata } from '../../billing/subscription-changes.js';
import { invalid, missing } from '../../objects/errors.js';
import type { Parameters } from '../../objects/form.js';
import type { Customer, PaymentMethod, Subscription, TestClock } from '../../objects/objects.js';
import { taxIdsOf } from '../../objects/tax-ids.js';
import { randomText } from '../../objects/world.js';
import type { Parts } from '../parts.js';
import { given, type Handler, matchesTime, type Metadata, nullable, page, text, type TimeFilter } from './parameters.js';

export function customerRoutes({ world, payments, subscriptions }: Parts): Record<string, Handler> {
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
    'GET /v1/customers/search': (_path, parameters) => {
      // Of Stripe's query language only the clause that searches customers by metadata is supported.
      const query = text(parameters, 'query') ?? '';
      const [, key = '', value = ''] = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(query) ?? [];
      if (!key) throw invalid(`We were unable to parse your search query: ${query}.`, 'query');
      const found = page(
        world.all<Customer>('customer', ({ metadata }) => metadata[key] === value),
        parameters,
        '/v1/customers/search',
      );
      return { ...found, object: 'search_result', next_page: null };
    },
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
