import type Stripe from 'stripe';
import type { StripeClient } from './stripe-client.js';
import { BillingMisconfiguredError, MissingAtStripeError } from './stripe.errors.js';

/**
 * Finds every customer at Stripe whose metadata names this user, including those that no account links to.
 * Lists by e-mail because Stripe's search index lags by up to some minutes, and searches because the e-mail may have changed.
 * @param email the user's present e-mail address; null when unknown.
 * @param exhaustive also search, or list every customer where this Stripe account has no search: for an erasure, which must miss none.
 * @returns ids of customers.
 */
export async function findMarkedCustomers(
  client: StripeClient,
  userId: string,
  email: string | null,
  { exhaustive = false } = {},
): Promise<string[]> {
  const found = new Set<string>();
  const addMarked = (customers: Stripe.Customer[]) => {
    for (const { id, metadata } of customers) if (metadata?.['user_id'] === userId) found.add(id);
  };
  const list = async (filter: Stripe.CustomerListParams) => {
    let after: string | undefined;
    for (;;) {
      const startingAfter = after;
      const page = await client.request('list', (stripe) =>
        stripe.customers.list({ ...filter, limit: 100, ...(startingAfter ? { starting_after: startingAfter } : {}) }),
      );
      addMarked(page.data);
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) return;
    }
  };
  if (email) await list({ email });
  if (!exhaustive) return [...found];
  try {
    const { data } = await client.request('search_result', (stripe) =>
      stripe.customers.search({ query: `metadata['user_id']:'${userId}'`, limit: 100 }),
    );
    addMarked(data);
  } catch (error) {
    if (!(error instanceof MissingAtStripeError) && !(error instanceof BillingMisconfiguredError)) throw error;
    await list({});
  }
  return [...found];
}
