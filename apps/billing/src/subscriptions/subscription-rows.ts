import type { PlanKey } from '@decola/contracts';
import type { EntityManager } from 'typeorm';
import { liveStatuses, type SubscriptionFacts } from './state.js';

/** A stored copy of one Stripe subscription. */
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

/** Column by property; the order of both statements below. */
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

export async function findSubscription(manager: EntityManager, id: string): Promise<StoredSubscription | undefined> {
  const [row] = await manager.query<StoredSubscription[]>(
    `select ${selected} from billing_subscriptions where stripe_subscription_id = $1`,
    [id],
  );
  return row;
}

/** All of a user's subscriptions: the live one first, then the latest. */
export function subscriptionsOf(manager: EntityManager, userId: string): Promise<StoredSubscription[]> {
  return manager.query<StoredSubscription[]>(
    `select ${selected} from billing_subscriptions where user_id = $1 order by status = any($2) desc, started_at desc`,
    [userId, liveStatuses],
  );
}

/** Stores what was fetched, unless a fetch that began later was stored before. */
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
  // "Has history": inserted once, never deleted while the account exists.
  await manager.query('insert into subscriptions (user_id) values ($1) on conflict do nothing', [subscription.userId]);
}
