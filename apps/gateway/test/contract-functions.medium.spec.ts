import { FunctionsHttpError, FunctionsRelayError, createClient } from '@supabase/supabase-js';
import { type GatewayBench, gatewayBench, publishableKey } from './support.js';

describe('functions/v1 at the door', () => {
  let own: GatewayBench;

  beforeAll(async () => {
    own = await gatewayBench();
  });
  afterAll(() => own.dispose());

  const invoke = async (name: string, headers: Record<string, string> = {}) =>
    (await createClient(own.url, publishableKey, { auth: { persistSession: false } }).functions.invoke(name, { headers })).error as unknown;

  it('lets the client tell what the gateway refuses for itself from what a function refuses', async () => {
    expect(await invoke('nothing')).toBeInstanceOf(FunctionsRelayError);
    own.services.billing.answer = () => ({ status: 404, body: '{"error":"x","code":"no_billing_account"}' });
    expect(await invoke('customer-portal')).toBeInstanceOf(FunctionsHttpError);
    own.services.billing.answer = () => ({});
    expect(await invoke('customer-portal', { Authorization: 'Bearer undefined' })).toBeInstanceOf(FunctionsHttpError);
    expect(await invoke('customer-portal')).toBeNull();
  });

  it.each(['/functions/v1/%zz', '/auth/v1/%', '/rest/v1/%c3'])('lets every page read that an address is none: %s', async (address) => {
    const answer = await own.call(address, { method: 'POST' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.body).toBeDefined();
  });
});
