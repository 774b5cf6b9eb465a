import { anonymousCaller, readCaller } from '@decola/service-kit';
import { testSigningKey } from '@decola/testing';
import { FunctionsHttpError, FunctionsRelayError, createClient } from '@supabase/supabase-js';
import { type GatewayBench, gatewayBench, publishableKey } from './support.js';

describe('functions/v1 at the gateway', () => {
  let own: GatewayBench;

  beforeAll(async () => {
    own = await gatewayBench();
  });
  afterAll(() => own?.dispose());

  const invoke = async (name: string, headers: Record<string, string> = {}) =>
    (await createClient(own.url, publishableKey, { auth: { persistSession: false } }).functions.invoke(name, { headers })).error as unknown;

  it('lets the client distinguish refusals of the gateway from refusals of a function', async () => {
    expect(await invoke('nothing')).toBeInstanceOf(FunctionsRelayError);
    own.services.billing.answer = () => ({ status: 404, body: '{"error":"x","code":"no_billing_account"}' });
    expect(await invoke('customer-portal')).toBeInstanceOf(FunctionsHttpError);
    own.services.billing.answer = () => ({});
    expect(await invoke('customer-portal', { Authorization: 'Bearer undefined' })).toBeInstanceOf(FunctionsHttpError);
    expect(await invoke('customer-portal')).toBeNull();
  });

  it.each([
    ['GET', {}],
    ['POST', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['POST', { authorization: 'Bearer of-an-ended-session' }],
  ])('lets mail readers stop mails by %s with headers %j, as nobody and without an API key', async (method, headers) => {
    const seen = own.services.identity.seen.length;
    const body = method === 'POST' ? 'List-Unsubscribe=One-Click' : undefined;
    const answer = await fetch(`${own.url}/functions/v1/unsubscribe?token=v1.k.n.s`, { method, headers, ...(body ? { body } : {}) });
    expect(answer.status).toBe(200);
    const [request, ...more] = own.services.identity.seen.slice(seen);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method, url: '/functions/v1/unsubscribe?token=v1.k.n.s' });
    expect(readCaller(request!.headers['x-decola-caller'], testSigningKey)).toEqual(anonymousCaller);
    expect(request!.headers.authorization).toBeUndefined();
  });

  it('needs the API key for every other function', async () => {
    for (const name of ['unsubscribe/x', 'delete-account', 'export-account'])
      expect((await fetch(`${own.url}/functions/v1/${name}?token=x`, { method: 'POST' })).status).toBe(401);
  });

  it.each(['/functions/v1/%zz', '/auth/v1/%', '/rest/v1/%c3'])('answers a malformed path with CORS headers: %s', async (address) => {
    const answer = await own.call(address, { method: 'POST' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.body).toBeDefined();
  });
});
