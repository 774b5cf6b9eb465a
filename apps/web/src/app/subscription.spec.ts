/** @jest-environment node */
import { createClient } from '@supabase/supabase-js';
import { QueryClient } from '@tanstack/react-query';
import { setRuntime } from '../lib/runtime';
import { slotsQuery } from './subscription';

/** A server whose automations answer `counts` one after another, beside a plan of six slots. */
function serverThatCounts(counts: number[], subscribed = true) {
  const plan = { subscribed, plan_name: subscribed ? 'Premium' : null, max_slots: subscribed ? 6 : 0, used_slots: 0, is_trial: false };
  const answer = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  const fetch = (input: RequestInfo | URL) => {
    const address = input instanceof Request ? input.url : String(input);
    return Promise.resolve(answer(address.includes('/rpc/') ? (counts.length > 1 ? counts.shift() : counts[0]) : plan));
  };
  const client = createClient('http://localhost', 'sb_publishable_test', { global: { fetch: fetch } });
  setRuntime({ publishableKey: '', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' }, client);
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

const free = (queries: QueryClient) => queries.fetchQuery(slotsQuery('7b0c7a3e-3c39-4b0e-9a1e-1f5c1d2e3f40'));

it('waits a moment when a plan was just paid and the automations have not heard of it', async () => {
  expect(await free(serverThatCounts([0, 6]))).toBe(6);
});

it('believes a zero at once where there is no plan', async () => {
  expect(await free(serverThatCounts([0, 6], false))).toBe(0);
});
