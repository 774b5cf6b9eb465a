import type { Parts } from '../parts.js';
import { catalogueRoutes } from './catalogue.js';
import { checkoutRoutes } from './checkout.js';
import { customerRoutes } from './customers.js';
import { eventRoutes } from './events.js';
import { invoiceRoutes } from './invoices.js';
import type { Handler } from './parameters.js';
import { paymentRoutes } from './payments.js';
import { portalRoutes } from './portal.js';
import { subscriptionRoutes } from './subscriptions.js';
import { clockRoutes } from './test-clocks.js';

/** All handlers by method and path template. */
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
