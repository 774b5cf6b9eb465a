import { invalid } from './errors.js';
import type { CheckoutSession, Invoice, InvoicePayment, StripeObject, Subscription } from './objects.js';
import { taxIdsOf } from './tax-ids.js';
import type { World } from './world.js';

const deepest = 4;

/** Members that Stripe sends only when a request expands them. */
export type Includables = Record<string, Record<string, (object: StripeObject) => unknown>>;

export function includables(world: World, lineItems: (session: CheckoutSession) => unknown[]): Includables {
  const list = (url: string, data: unknown[]) => ({ object: 'list', data, has_more: false, url });
  return {
    invoice: {
      payments: (invoice) =>
        list(
          `/v1/invoice_payments?invoice=${invoice.id}`,
          world.all<InvoicePayment>('invoice_payment', (payment) => payment.invoice === (invoice as Invoice).id),
        ),
    },
    'checkout.session': {
      line_items: (session) => list(`/v1/checkout/sessions/${session.id}/line_items`, lineItems(session as CheckoutSession)),
    },
    customer: {
      subscriptions: (customer) =>
        list(
          `/v1/subscriptions?customer=${customer.id}`,
          world.all<Subscription>('subscription', (each) => each.customer === customer.id && each.status !== 'canceled'),
        ),
      tax_ids: (customer) => list(`/v1/customers/${customer.id}/tax_ids`, taxIdsOf(world, customer.id)),
      sources: (customer) => list(`/v1/customers/${customer.id}/sources`, []),
    },
  };
}

/** A copy with ids replaced by their objects along each path. @throws StripeRefusal for a path that does not exist. */
export function expanded(world: World, extra: Includables, body: unknown, paths: readonly string[]): unknown {
  const copy = structuredClone(body);
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.filter((segment) => segment !== 'data').length > deepest)
      throw invalid(`You cannot expand more than ${deepest} levels of a property.`, 'expand');
    walk(world, extra, copy, segments, path);
  }
  return copy;
}

function walk(world: World, extra: Includables, node: unknown, segments: readonly string[], path: string): void {
  const [segment, ...rest] = segments;
  if (segment === undefined || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(world, extra, item, segments, path);
    return;
  }
  if (typeof node !== 'object') throw nowhere(path);
  const place = node as Record<string, unknown>;
  if (!(segment in place) || place[segment] === undefined) {
    const include = extra[String(place['object'])]?.[segment];
    if (!include) throw nowhere(path);
    place[segment] = structuredClone(include(place as StripeObject));
  }
  const value = place[segment];
  if (typeof value === 'string') {
    const found = world.byAnyId(value);
    if (!found) {
      if (rest.length === 0 && !/^[a-z]+_/.test(value)) throw nowhere(path);
      return;
    }
    place[segment] = structuredClone(found);
  } else if (rest.length === 0 && typeof value !== 'object') {
    throw nowhere(path);
  }
  walk(world, extra, place[segment], rest, path);
}

function nowhere(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, 'expand');
}
