import { catalogueRoutes } from './catalogue.js';
import { checkoutRoutes } from './checkout.js';
import { customerRoutes } from './customers.js';
import { eventRoutes } from './events.js';
import { invoiceRoutes } from './invoices.js';
import { paymentRoutes } from './payments.js';
import { portalRoutes } from './portal.js';
import type { Handler, Parts } from './shared.js';
import { subscriptionRoutes } from './subscriptions.js';
import { clockRoutes } from './test-clocks.js';

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
