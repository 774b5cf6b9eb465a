import type Stripe from 'stripe';

/** Price and period of a subscription, read from its items. Each may be missing: Stripe can change the shape of its answers. */
export interface Terms {
  /** Price of the only item; undefined unless there is exactly one item and it has a price. */
  priceId: string | undefined;
  periodStart: Date | undefined;
  periodEnd: Date | undefined;
}

/** Converts Stripe's seconds since the epoch; null for anything but a finite number. */
export function toDate(value: unknown): Date | null {
  return typeof value === 'number' && Number.isFinite(value) ? new Date(value * 1000) : null;
}

/** Reads a subscription's items whatever their shape; never throws. */
export function readTerms(subscription: Stripe.Subscription): Terms {
  const { data } = (subscription.items ?? {}) as { data?: unknown };
  const items = (Array.isArray(data) ? data : []) as (Partial<Stripe.SubscriptionItem> | null)[];
  const [item, ...others] = items;
  const price: unknown = item?.price;
  const priceId: unknown = typeof price === 'string' ? price : (price as { id?: unknown } | null | undefined)?.id;
  const latest = (moments: (Date | null)[]): Date | undefined =>
    moments.reduce<Date | undefined>((last, moment) => (moment && (!last || moment > last) ? moment : last), undefined);
  return {
    priceId: others.length === 0 && typeof priceId === 'string' ? priceId : undefined,
    periodStart: latest(items.map((each) => toDate(each?.current_period_start))),
    periodEnd: latest(items.map((each) => toDate(each?.current_period_end))),
  };
}
