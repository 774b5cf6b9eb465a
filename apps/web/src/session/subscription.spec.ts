import { createClient } from '@supabase/supabase-js';
import { QueryClient } from '@tanstack/react-query';
import { setApiClient } from '../lib/api-client';
import { slotsQuery } from './subscription';

/** A server that answers each count of free slots with the next of `counts`, for a plan with six slots. */
function serverThatCounts(counts: number[], subscribed = true) {
  const plan = { subscribed, plan_name: subscribed ? 'Premium' : null, max_slots: subscribed ? 6 : 0, used_slots: 0, is_trial: false };
  const answer = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  const fetch = (input: RequestInfo | URL) => {
    const address = input instanceof Request ? input.url : String(input);
    return Promise.resolve(answer(address.includes('/rpc/') ? (counts.length > 1 ? counts.shift() : counts[0]) : plan));
  };
  const client = createClient('http://localhost', 'sb_publishable_test', { global: { fetch: fetch } });
  setApiClient({ publishableKey: '', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' }, client);
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

const free = (queries: QueryClient) => queries.fetchQuery(slotsQuery('7b0c7a3e-3c39-4b0e-9a1e-1f5c1d2e3f40'));

it('retries while a plan was just paid and the automations service does not know it yet', async () => {
  expect(await free(serverThatCounts([0, 6]))).toBe(6);
});

it('accepts zero free slots at once without a plan', async () => {
  expect(await free(serverThatCounts([0, 6], false))).toBe(0);
});
