import { type GatewayBench, gatewayBench, publishableKey } from './support.js';

const newer = { 'x-supabase-api-version': '2024-01-01' };

describe('auth/v1 at the gateway', () => {
  let own: GatewayBench;

  beforeAll(async () => {
    own = await gatewayBench({ AUTH_TIMEOUT_MS: '300' });
  });
  afterAll(() => own?.dispose());

  it.each([
    ['GET', 'verify?token=a&type=signup'],
    ['HEAD', 'verify?token=a&type=signup'],
    ['GET', 'authorize?provider=google'],
    ['GET', 'callback'],
    ['POST', 'callback'],
    ['GET', '.well-known/jwks.json'],
    ['GET', 'sso/saml/metadata'],
    ['POST', 'sso/saml/acs'],
  ])('needs no key on paths that a browser opens by navigation: %s %s', async (method, path) => {
    expect((await fetch(`${own.url}/auth/v1/${path}`, { method })).status).toBe(200);
  });

  it.each([
    ['POST', 'verify'],
    ['POST', 'authorize'],
    ['PUT', 'callback'],
    ['GET', 'sso/saml/acs'],
    ['POST', 'verify/'],
    ['GET', 'verify/x'],
    ['GET', 'user'],
    ['POST', 'signup'],
  ])('needs the key everywhere else: %s %s', async (method, path) => {
    const answer = await fetch(`${own.url}/auth/v1/${path}`, { method });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ message: 'No API key found in request' });
    expect((await fetch(`${own.url}/auth/v1/${path}?apikey=${publishableKey}`, { method })).status).toBe(200);
  });

  it('returns the API version only to clients that name one', async () => {
    const versionOf = async (headers: Record<string, string>, path = 'settings') =>
      (await own.call(`/auth/v1/${path}`, { headers })).headers.get('x-supabase-api-version');
    expect(await versionOf(newer)).toBe('2024-01-01');
    expect(await versionOf({ 'x-supabase-api-version': '2025-06-30' })).toBe('2024-01-01');
    for (const other of ['2023-12-31', 'newest', '2024-13-45']) expect(await versionOf({ 'x-supabase-api-version': other })).toBeNull();
    expect(await versionOf({})).toBeNull();
  });

  it('refuses in the format of the client’s API version, and ignores versions that are no dates', async () => {
    const big = { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) };
    for (const version of ['zzzz', '2024-13-45', '2023-12-31']) {
      const refused = await own.call('/auth/v1/signup', { ...big, headers: { 'x-supabase-api-version': version } });
      expect(refused).toMatchObject({ status: 413, body: { code: 413, error_code: 'request_entity_too_large' } });
      expect(refused.headers.get('x-sb-error-code')).toBeNull();
    }
    expect(await own.call('/auth/v1/signup', { ...big, headers: newer })).toMatchObject({ body: { code: 'request_entity_too_large' } });
  });

  it('waits for identity for the time of the contract, and sends the request id in the older format', async () => {
    const answered = own.services.identity.answer;
    own.services.identity.answer = () => ({ silent: true });
    const late = await own.call('/auth/v1/settings', { headers: newer });
    expect(late).toMatchObject({ status: 504, body: { code: 'request_timeout' } });
    expect(late.headers.get('x-sb-error-code')).toBe('request_timeout');
    const older = await own.call('/auth/v1/settings');
    expect(older).toMatchObject({ status: 504, body: { code: 504, error_code: 'request_timeout' } });
    expect(older.body!['error_id']).toBe(older.headers.get('x-request-id'));
    own.services.identity.answer = answered;
  });
});
