import type { PlanKey } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import { liveStatuses, type SubscriptionFacts } from './state.js';

/** The stored copy of one Stripe subscription. */
export interface StoredSubscription extends SubscriptionFacts {
  id: string;
  userId: string;
  customerId: string;
  planKey: PlanKey;
  priceId: string;
  startedAt: Date;
  canceledAt: Date | null;
  latestInvoiceId: string | null;
}

/** Column of each property; its order is the order of columns in the statements below. */
const columnOf = {
  id: 'stripe_subscription_id',
  userId: 'user_id',
  customerId: 'stripe_customer_id',
  planKey: 'plan_key',
  priceId: 'stripe_price_id',
  status: 'status',
  startedAt: 'started_at',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  trialEnd: 'trial_end',
  cancelAt: 'cancel_at',
  cancelAtPeriodEnd: 'cancel_at_period_end',
  canceledAt: 'canceled_at',
  endedAt: 'ended_at',
  unpaidSince: 'unpaid_since',
  pausedSince: 'paused_since',
  pausedForPayment: 'paused_for_payment',
  collectionPaused: 'collection_paused',
  collectionMethod: 'collection_method',
  endsBySchedule: 'ends_by_schedule',
  everPaid: 'ever_paid',
  latestInvoiceId: 'latest_invoice_id',
  fetchedAt: 'fetched_at',
} as const satisfies Record<keyof StoredSubscription, string>;

const properties = Object.keys(columnOf) as (keyof StoredSubscription)[];
const selected = properties.map((property) => `${columnOf[property]} as "${property}"`).join(', ');

export function findSubscription(manager: EntityManager, id: string): Promise<StoredSubscription | undefined> {
  return rowOf<StoredSubscription>(manager, `select ${selected} from billing_subscriptions where stripe_subscription_id = $1`, [id]);
}

/** All subscriptions of a user: the live one first, then the latest. */
export function listSubscriptions(manager: EntityManager, userId: string): Promise<StoredSubscription[]> {
  return rowsOf<StoredSubscription>(
    manager,
    `select ${selected} from billing_subscriptions where user_id = $1 order by status = any($2) desc, started_at desc`,
    [userId, liveStatuses],
  );
}

/** Stores a fetched subscription, unless a fetch that began later is stored already. */
export async function storeSubscription(manager: EntityManager, subscription: StoredSubscription): Promise<void> {
  const places = properties.map((_, index) => `$${index + 1}`).join(', ');
  const updates = properties
    .filter((property) => property !== 'id')
    .map((property) => `${columnOf[property]} = excluded.${columnOf[property]}`)
    .join(', ');
  await manager.query(
    `insert into billing_subscriptions (${properties.map((property) => columnOf[property]).join(', ')}) values (${places})
     on conflict (stripe_subscription_id) do update set ${updates} where billing_subscriptions.fetched_at <= excluded.fetched_at`,
    properties.map((property) => subscription[property]),
  );
  // The table `subscriptions` tells whether a person ever had one: inserted once, deleted only with the account.
  await manager.query('insert into subscriptions (user_id) values ($1) on conflict do nothing', [subscription.userId]);
}
