import type { Checkout } from '../billing/checkout.js';
import type { DueWork } from '../billing/due-work.js';
import type { Invoices } from '../billing/invoices.js';
import type { Payments } from '../billing/payments.js';
import type { Portal } from '../billing/portal.js';
import type { Subscriptions } from '../billing/subscriptions.js';
import type { World } from '../objects/world.js';
import type { Webhooks } from '../webhooks/webhooks.js';

/** What handlers, pages and the control interface work with. */
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
