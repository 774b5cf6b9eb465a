import { mergedMetadata } from '../../billing/subscription-changes.js';
import { invalid } from '../../objects/errors.js';
import type { Parameters } from '../../objects/form.js';
import type { Charge, Customer, PaymentIntent, PaymentMethod, SetupIntent, StripeObject } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { given, type Handler, type Metadata, page, text } from './parameters.js';

export function paymentRoutes({ world, payments }: Parts): Record<string, Handler> {
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
