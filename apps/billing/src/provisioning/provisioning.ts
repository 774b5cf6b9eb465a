import { rowsOf } from '@decola/database';
import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { listenedTypes } from '../stripe-events/event-targets.js';
import { apiVersion, requestStripe } from '../stripe/stripe-client.js';
import { MissingAtStripeError } from '../stripe/stripe.errors.js';
import { type Plan, plans } from '../catalogue/plans.js';

/** Stripe and the catalogue disagree about something that cannot be updated in place. */
export class CatalogueMismatchError extends Error {}

interface PlanRow {
  key: string;
  max_slots: number;
  price_cents: number;
}

/**
 * Creates what the catalogue needs at Stripe (products, prices, portal configurations, the webhook endpoint) and stores the ids. Idempotent.
 * @returns one line for each change it made. @throws CatalogueMismatchError.
 */
export async function provision({
  dataSource,
  stripe,
  siteUrl,
}: {
  dataSource: DataSource;
  stripe: Stripe;
  siteUrl: string;
}): Promise<string[]> {
  const done: string[] = [];
  const rows = await rowsOf<PlanRow>(dataSource, 'select key, max_slots, price_cents from subscription_plans');
  const priceIds = new Map<string, string>();
  for (const plan of plans) {
    const row = rows.find(({ key }) => key === plan.key);
    if (row?.max_slots !== plan.maxSlots || row.price_cents !== plan.priceCents)
      throw new CatalogueMismatchError(`${plan.key}: the database and this release disagree about slots or price`);
    await ensureProduct(stripe, plan, done);
    const price = await ensurePrice(stripe, plan, done);
    priceIds.set(plan.key, price.id);
    await dataSource.transaction(async (manager) => {
      await manager.query('update plan_prices set active = false where plan_key = $1 and stripe_price_id <> $2', [plan.key, price.id]);
      await manager.query(
        `insert into plan_prices (stripe_price_id, plan_key, unit_amount, active) values ($1, $2, $3, true) on conflict (stripe_price_id) do update set active = true`,
        [price.id, plan.key, plan.priceCents],
      );
    });
  }
  for (const plan of plans) {
    const id = await ensurePortal(stripe, plan, priceIds, siteUrl, done);
    await dataSource.query(
      `insert into portal_configurations (app_key, configuration_id) values ($1, $2) on conflict (app_key) do update set configuration_id = excluded.configuration_id`,
      [`portal_${plan.key}`, id],
    );
  }
  await ensureEndpoint(stripe, siteUrl, done);
  return done;
}

async function ensureProduct(stripe: Stripe, plan: Plan, done: string[]): Promise<void> {
  const metadata = { plan_key: plan.key, slots: String(plan.maxSlots) };
  const existing = await requestStripe('product', () => stripe.products.retrieve(plan.stripeProductId)).catch((error: unknown) => {
    if (error instanceof MissingAtStripeError) return undefined;
    throw error;
  });
  if (!existing) {
    await requestStripe('product', () =>
      stripe.products.create(
        { id: plan.stripeProductId, name: plan.name, metadata },
        { idempotencyKey: `product:${plan.stripeProductId}` },
      ),
    );
    done.push(`product ${plan.stripeProductId} created`);
    return;
  }
  if (existing.metadata['slots'] !== metadata.slots)
    throw new CatalogueMismatchError(`${plan.key}: Stripe's product says ${existing.metadata['slots'] ?? 'no'} slots`);
  if (existing.name !== plan.name) {
    await requestStripe('product', () => stripe.products.update(plan.stripeProductId, { name: plan.name }));
    done.push(`product ${plan.stripeProductId} renamed`);
  }
}

async function ensurePrice(stripe: Stripe, plan: Plan, done: string[]): Promise<Stripe.Price> {
  const { data } = await requestStripe('list', () => stripe.prices.list({ lookup_keys: [plan.priceLookupKey], limit: 1 }));
  const [existing] = data;
  if (existing) {
    if (existing.unit_amount !== plan.priceCents || existing.currency !== 'brl' || existing.recurring?.interval !== 'month')
      throw new CatalogueMismatchError(
        `${plan.key}: Stripe's price ${plan.priceLookupKey} differs; a price cannot be changed, give the new one a new lookup key`,
      );
    return existing;
  }
  done.push(`price ${plan.priceLookupKey} created`);
  return requestStripe('price', () =>
    stripe.prices.create({
      product: plan.stripeProductId,
      currency: 'brl',
      unit_amount: plan.priceCents,
      recurring: { interval: 'month', interval_count: 1 },
      tax_behavior: 'inclusive',
      lookup_key: plan.priceLookupKey,
      transfer_lookup_key: true,
    }),
  );
}

/**
 * One portal configuration per plan, offering that plan and the larger ones. Stripe cannot check slots in use, so a downgrade goes through
 * change-plan alone.
 */
async function ensurePortal(
  stripe: Stripe,
  plan: Plan,
  priceIds: ReadonlyMap<string, string>,
  siteUrl: string,
  done: string[],
): Promise<string> {
  const appKey = `portal_${plan.key}`;
  const larger = plans.filter(({ maxSlots }) => maxSlots >= plan.maxSlots);
  const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
    customer_update: { enabled: true, allowed_updates: ['name', 'address', 'phone', 'tax_id'] },
    payment_method_update: { enabled: true },
    invoice_history: { enabled: true },
    subscription_cancel: {
      enabled: true,
      mode: 'at_period_end',
      proration_behavior: 'none',
      cancellation_reason: {
        enabled: true,
        options: [
          'too_expensive',
          'missing_features',
          'switched_service',
          'unused',
          'customer_service',
          'too_complex',
          'low_quality',
          'other',
        ],
      },
    },
    subscription_update:
      larger.length > 1
        ? {
            enabled: true,
            default_allowed_updates: ['price'],
            products: larger.map(({ key, stripeProductId }) => ({ product: stripeProductId, prices: [priceIds.get(key) ?? ''] })),
            proration_behavior: 'always_invoice',
            trial_update_behavior: 'end_trial',
          }
        : { enabled: false },
  };
  const { data } = await requestStripe('list', () => stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
  const existing = data.find(({ metadata }) => metadata?.['app_key'] === appKey);
  if (existing) {
    await requestStripe('billing_portal.configuration', () => stripe.billingPortal.configurations.update(existing.id, { features }));
    return existing.id;
  }
  done.push(`portal configuration ${appKey} created`);
  const made = await requestStripe('billing_portal.configuration', () =>
    stripe.billingPortal.configurations.create({
      features,
      login_page: { enabled: false },
      default_return_url: `${siteUrl.replace(/\/$/, '')}/adm`,
      metadata: { app_key: appKey },
      name: `Decola ${plan.key}`,
    }),
  );
  return made.id;
}

/** Stripe returns the signing secret only at creation: a new endpoint's secret is printed for the operator. */
async function ensureEndpoint(stripe: Stripe, siteUrl: string, done: string[]): Promise<void> {
  const url = `${siteUrl.replace(/\/$/, '')}/webhooks/stripe`;
  const { data } = await requestStripe('list', () => stripe.webhookEndpoints.list({ limit: 100 }));
  if (data.some((endpoint) => endpoint.url === url)) return;
  const endpoint = await requestStripe('webhook_endpoint', () =>
    stripe.webhookEndpoints.create({
      url,
      enabled_events: listenedTypes,
      api_version: apiVersion,
    }),
  );
  done.push(`webhook endpoint ${endpoint.id} created; put its secret into STRIPE_WEBHOOK_SECRETS: ${endpoint.secret ?? ''}`);
}
