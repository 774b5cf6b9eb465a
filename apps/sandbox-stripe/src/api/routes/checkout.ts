import type { CheckoutSession } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { type Handler, page } from './parameters.js';

export function checkoutRoutes({ world, checkout }: Parts): Record<string, Handler> {
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
