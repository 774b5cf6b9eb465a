/** Does what customers do, only through the gateway's public APIs. Used by the seed, the demo and the set-up of the journeys. */
import { createClient } from '@supabase/supabase-js';

/** A client that keeps its session in memory. */
export function publicClient({ gateway, publishableKey }) {
  return createClient(gateway, publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
}

function must({ data, error }, what) {
  if (error) throw new Error(`${what}: ${error.message}`);
  return data;
}

/** Signs the person in, or signs them up when they have no account. */
export async function signIn(endpoints, { email, password, fullName }) {
  const client = publicClient(endpoints);
  const known = await client.auth.signInWithPassword({ email, password });
  if (!known.error) return { client, userId: known.data.user.id };
  if (known.error.message !== 'Invalid login credentials') throw known.error;
  const { user } = must(await client.auth.signUp({ email, password, options: { data: { full_name: fullName } } }), 'sign-up');
  return { client, userId: user.id };
}

/** Calls a function. Throws a refusal with the text that a page would show. */
export async function callFunction(client, name, body) {
  const { data, error } = await client.functions.invoke(name, body === undefined ? {} : { body });
  if (!error) return data;
  const answer = await error.context?.json?.().catch(() => undefined);
  throw new Error(`${name}: ${answer?.error || answer?.message || error.message}`);
}

/** Fills in the sandbox's hosted checkout page as a browser without scripts would. @returns the URL to which it redirects the customer. */
export async function payCheckout(url, card = '4242424242424242') {
  const page = await (await fetch(url)).text();
  const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(page);
  if (!form) throw new Error('the checkout page has no form');
  const fields = new URLSearchParams();
  for (const [input] of form[2].matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name) fields.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  fields.set('cardNumber', card);
  fields.set('cardExpiry', '12/34');
  fields.set('cardCvc', '123');
  fields.set('billingName', 'Cliente Demonstração');
  const answer = await fetch(new URL(form[1].replaceAll('&amp;', '&'), url), { method: 'POST', body: fields, redirect: 'manual' });
  const target = answer.headers.get('location');
  if (answer.status !== 303 || !target) throw new Error(`the checkout was not accepted (${answer.status})`);
  return target;
}

/** Buys a plan unless the customer has one, and waits until the subscription is active. */
export async function ensurePlan(client, planKey) {
  const state = await callFunction(client, 'check-subscription');
  if (state.subscribed) return state;
  const plans = must(await client.from('subscription_plans').select('*'), 'plans');
  const plan = plans.find(({ key }) => key === planKey);
  const { url } = await callFunction(client, 'create-checkout', { price_id: plan.price_id });
  await payCheckout(url);
  return until('the subscription', async () => {
    const current = await callFunction(client, 'check-subscription');
    return current.subscribed ? current : undefined;
  });
}

/** Waits until the entitlement has reached automations, which counts the slots. */
export async function ensureSlots(client, userId, atLeast = 1) {
  return until('the free slots', async () => {
    const free = must(await client.rpc('get_available_slots', { p_user_id: userId }), 'slots');
    return free >= atLeast ? free : undefined;
  });
}

export async function createAutomation(client, { userId, name, type, configuration, draft = false }) {
  return must(
    await client
      .from('automations')
      .insert({ user_id: userId, name, type, configuration, is_draft: draft, is_active: !draft })
      .select('*')
      .single(),
    `automation ${name}`,
  );
}

/**
 * Publishes a prize wheel, and waits until visitors can open it.
 * @param configuration its prizes, and the other sections that it needs; `leadFields` without what all fields have in common
 * @returns its id and token, and the address of its public page
 */
export async function publishWheel({ gateway }, { client, userId }, { name, leadFields, ...configuration }) {
  const wheel = await createAutomation(client, {
    userId,
    name,
    type: 'prize-extractor',
    configuration: {
      action: 'extract_leads',
      method: 'prize_wheel',
      leadFields: leadFields.map((field) => ({ id: field.name, required: false, enabled: true, ...field })),
      ...configuration,
    },
  });
  const { id } = wheel;
  const token = wheel.configuration.publicToken;
  await until('the wheel', async () => (await callFunction(client, 'prize-extractor', { automationId: id, token })).success);
  return { id, token, link: `${gateway}/prize-wheel/${id}?token=${token}` };
}

/** One minute, multiplied by the factor of a slow machine, which the journeys measure (`apps/e2e/src/deadlines.ts`). */
const usualTimeoutMs = () => 60_000 * Number(process.env.DECOLA_MACHINE_FACTOR ?? 1);

/** Repeats `attempt` until it returns something other than undefined and false. */
export async function until(what, attempt, { timeoutMs = usualTimeoutMs(), everyMs = 100 } = {}) {
  const deadline = Date.now() + timeoutMs;
  let last;
  while (Date.now() < deadline) {
    try {
      const answer = await attempt();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`${what} did not come in time${last ? `: ${last.message}` : ''}`);
}
