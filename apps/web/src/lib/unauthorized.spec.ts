import { createClient } from '@supabase/supabase-js';
import { fetchReportingUnauthorized, refreshOrSignOut } from './unauthorized';

const answering = (status: number) => {
  let reports = 0;
  const send = fetchReportingUnauthorized(
    () => (reports += 1),
    () => Promise.resolve({ status } as Response),
  );
  return { send, reports: () => reports };
};

it.each(['/rest/v1/automations?select=*', '/functions/v1/check-subscription', '/storage/v1/object/sign/x'])(
  'reports once that %s refused the session, however many requests are sent at once',
  async (path) => {
    const { send, reports } = answering(401);
    const answers = await Promise.all([send(path), send(`${window.location.origin}${path}`), send(path)]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(reports()).toBe(1);
  },
);

it.each([
  ['refused credentials', '/auth/v1/token?grant_type=password', 401],
  ['another refusal', '/rest/v1/automations', 403],
  ['an answer', '/rest/v1/automations', 200],
])('does not report %s', async (_, path, status) => {
  const { send, reports } = answering(status);
  await send(path);
  expect(reports()).toBe(0);
});

describe('a browser whose session was refused', () => {
  const session = { access_token: 'a.b.c', refresh_token: 'held', token_type: 'bearer', expires_in: 3_600, user: { id: 'ana' } };
  const expires_at = Math.floor(Date.now() / 1_000) + 3_600;
  let browsers = 0;
  const after = async (refresh: () => Promise<Response>) => {
    const storageKey = `session-${(browsers += 1)}`;
    localStorage.setItem(storageKey, JSON.stringify({ ...session, expires_at }));
    const send = (address: string) => (address.includes('/token') ? refresh() : Promise.resolve(answer(204, null)));
    const client = createClient('http://decola.test', 'key', {
      auth: { storageKey, autoRefreshToken: false },
      global: { fetch: send as typeof fetch },
    });
    await refreshOrSignOut(client);
    return JSON.parse(localStorage.getItem(storageKey) ?? 'null') as { refresh_token: string } | null;
  };
  const answer = (status: number, body: unknown) =>
    ({
      ok: status < 300,
      status,
      headers: new Headers({ 'content-type': 'application/json' }),
      json: () => Promise.resolve(body),
    }) as Response;

  it('continues with a refreshed one', async () => {
    expect(await after(() => Promise.resolve(answer(200, { ...session, refresh_token: 'renewed' })))).toMatchObject({
      refresh_token: 'renewed',
    });
  });

  it('is signed out when it was ended elsewhere, although the token is still valid', async () => {
    expect(await after(() => Promise.resolve(answer(400, { code: 'refresh_token_not_found', message: 'Not Found' })))).toBeNull();
  });

  it('keeps it while the server is rate limiting', async () => {
    expect(await after(() => Promise.resolve(answer(429, { code: 'over_request_rate_limit', message: 'later' })))).toMatchObject({
      refresh_token: 'held',
    });
  });
});
