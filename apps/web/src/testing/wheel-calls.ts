import { setConfiguration } from '../lib/configuration';

/** The answer of a server function: a body with status 200, or everything. */
type CallAnswer = object | { status: number; body?: unknown; headers?: Record<string, string>; text?: string };
export type CallRoutes = Record<string, (body: Record<string, unknown>, token: string | null) => CallAnswer | Promise<CallAnswer>>;

/** Replaces `fetch` for the pages of the wheel, which load no API client. A function without a route is not reachable. */
export function fakeCalls(routes: CallRoutes) {
  const calls: { name: string; body: Record<string, unknown>; token: string | null }[] = [];
  setConfiguration({ publishableKey: 'sb_publishable_test', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' });
  const fetched = async (address: string, init: { body: string; headers: Record<string, string> }) => {
    const name = address.replace('/functions/v1/', '');
    const body = JSON.parse(init.body) as Record<string, unknown>;
    const token = init.headers['authorization']?.replace('Bearer ', '') ?? null;
    calls.push({ name, body, token });
    const answer = await routes[name]?.(body, token);
    if (!answer) throw new TypeError('fetch failed');
    const full = 'status' in answer ? answer : { status: 200, body: answer };
    const text = 'text' in full && full.text !== undefined ? full.text : JSON.stringify('body' in full ? full.body : {});
    return {
      ok: full.status < 400,
      status: full.status,
      headers: new Headers('headers' in full ? full.headers : {}),
      json: () => Promise.resolve(JSON.parse(text) as unknown),
      blob: () => Promise.resolve(new Blob([text])),
    };
  };
  globalThis.fetch = fetched as never;
  return calls;
}

/** Stores a session in this browser, as the app does. @param secondsLeft until its token expires */
export const storeSession = (secondsLeft = 3_600): void =>
  localStorage.setItem(
    'sb-localhost-auth-token',
    JSON.stringify({ access_token: 'owner-token', expires_at: Math.floor(Date.now() / 1_000) + secondsLeft }),
  );
