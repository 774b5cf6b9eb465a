import type { SubscriptionChanges } from '../../billing/subscription-changes.js';
import { day } from '../../objects/calendar.js';
import { invalid } from '../../objects/errors.js';
import type { Customer, Price, Subscription, SubscriptionItem } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { type Handler, matchesTime, page, text, type TimeFilter } from './parameters.js';

export function subscriptionRoutes({ world, subscriptions, payments }: Parts): Record<string, Handler> {
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
