import type { Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import { callFunction, ensurePlan, until } from '../../../scripts/lib/customer.mjs';
import type { Harness } from './harness.js';

/** Test cards of the sandbox. A card gets only one trial, so every journey with a trial uses another card. */
export const cards = {
  visa: '4242 4242 4242 4242',
  brazil: '4000 0007 6000 0002',
  mastercard: '5555 5555 5555 4444',
  /** Accepted when it is stored, declined at every charge. */
  failsLater: '4000 0000 0000 0341',
};

export const day = 86_400;

interface StripeObject {
  id: string;
  object: string;
  created: number;
  customer?: string;
  status?: string;
  amount_paid?: number;
  metadata?: Record<string, string>;
  email?: string;
}

async function control<Answer>(harness: Harness, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${harness.stripe}/_emulator/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`sandbox payments: ${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Reads and controls the sandbox's payment provider. */
export const stripe = {
  objects: async (harness: Harness): Promise<StripeObject[]> =>
    (await control<{ objects: StripeObject[] }>(harness, 'GET', 'state')).objects,
  customerOf: async (harness: Harness, userId: string): Promise<string> => {
    const found = (await stripe.objects(harness)).find(({ object, metadata }) => object === 'customer' && metadata?.['user_id'] === userId);
    if (!found) throw new Error(`the payment provider knows no customer of ${userId}`);
    return found.id;
  },
  /** Amounts that were paid for this person's invoices, oldest first. */
  paid: async (harness: Harness, userId: string): Promise<number[]> => {
    const customer = await stripe.customerOf(harness, userId);
    return (await stripe.objects(harness))
      .filter((each) => each.object === 'invoice' && each.customer === customer && each.status === 'paid')
      .sort((a, b) => a.created - b.created)
      .map(({ amount_paid: amount }) => amount ?? 0);
  },
  /** Moves the person's clock forward and does what falls due. */
  pass: async (harness: Harness, userId: string, seconds: number) =>
    control(harness, 'POST', `customers/${await stripe.customerOf(harness, userId)}/shift`, { seconds }),
  card: async (harness: Harness, userId: string, number: string) =>
    control(harness, 'POST', `customers/${await stripe.customerOf(harness, userId)}/default-card`, { number }),
  /** Holds back the provider's webhook deliveries, or releases them. */
  holdWebhooks: (harness: Harness) => control(harness, 'POST', 'webhooks/policy', { paused: true }),
  /** Makes the next matching calls fail: with a delay, an HTTP status, or an invalid body. */
  fail: (harness: Harness, fault: { method: string; path: string; times: number; status?: number; body?: string; latency_ms?: number }) =>
    control(harness, 'POST', 'faults', fault),
  forgetFaults: (harness: Harness) => control(harness, 'DELETE', 'faults'),
  releaseWebhooks: async (harness: Harness) => {
    await control(harness, 'POST', 'webhooks/policy', { paused: false });
    await control(harness, 'POST', 'webhooks/release', { order: 'fifo' });
  },
};

export interface SubscriptionState {
  subscribed: boolean;
  plan_name: string | null;
  is_trial: boolean;
  is_past_due: boolean;
  is_canceled: boolean;
}

/** Waits until check-subscription answers with everything in `expected`. */
export function subscriptionIs(client: SupabaseClient, expected: Partial<SubscriptionState>): Promise<unknown> {
  return until(`a subscription with ${JSON.stringify(expected)}`, async () => {
    const state = await callFunction(client, 'check-subscription');
    return Object.entries(expected).every(([key, value]) => state[key] === value) || undefined;
  });
}

/** Buys a plan before the journey begins. */
export const withPlan = (client: SupabaseClient, plan: 'pro' | 'premium') => ensurePlan(client, plan);

/** Fills in and submits the provider's checkout page. */
export async function payOnCheckout(checkout: Page, card: string): Promise<void> {
  await checkout.locator('[name=cardNumber]').fill(card);
  await checkout.locator('[name=cardExpiry]').fill('12/34');
  await checkout.locator('[name=cardCvc]').fill('123');
  await checkout.locator('[name=billingName]').fill('Ana Souza');
  await checkout.getByTestId('checkout-submit').click();
}

/** Clicks a control that opens the provider's page in a new tab. @returns that tab */
export async function inNewTab(page: Page, press: () => Promise<void>): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await press();
  const tab = await opened;
  await tab.waitForLoadState('domcontentloaded');
  return tab;
}

export const planCard = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** An amount as the pages write it, `R$ 1.234,50` or `R$ 49`, in centavos. */
export function centavos(text: string): number {
  const [, whole = '', cents = '00'] = /^R\$\s([\d.]+)(?:,(\d\d))?$/.exec(text.trim()) ?? [];
  if (!whole) throw new Error(`not an amount: ${text}`);
  return Number(whole.replaceAll('.', '')) * 100 + Number(cents);
}
