import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { testChromiumPath } from '@decola/testing';
import { startNetwork, type NetworkConfig } from '../../src/network/index.js';
import type { LedgerEntry } from '../../src/network/state/ledger.js';
import type { Cookie } from '../../src/network/state/sessions.js';

export interface TestSession {
  id: string;
  accountId: string;
  username: string;
  cookies: Cookie[];
  forms: Record<'header' | 'list' | 'object' | 'map' | 'netscape' | 'bare', string>;
}

/** A network of the test's own and its control API. */
export async function testNetwork(config: Partial<NetworkConfig> = {}) {
  const { url, stop } = await startNetwork({ port: 0, seed: 'tests', logLevel: 'error', ...config });
  async function control<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(`${url}/_sandbox${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Answer;
  }
  let visitors = 0;
  return {
    url,
    stop,
    control,
    account: (wanted: Record<string, unknown>) => control<{ pk: string; username: string; followers: number }>('POST', '/accounts', wanted),
    /** Somebody new who is logged in. */
    visitor: async (options: Record<string, unknown> = {}): Promise<TestSession> => {
      const username = `visita.${++visitors}`;
      await control('POST', '/accounts', { username, followers: 20, following: 10 });
      return control<TestSession>('POST', '/sessions', { username, ...options });
    },
    ledger: async (query: string): Promise<LedgerEntry[]> => (await control<{ entries: LedgerEntry[] }>('GET', `/ledger?${query}`)).entries,
    people: async (username: string, kind: 'followers' | 'following'): Promise<{ pk: string; username: string; presence: string }[]> => {
      const text = await (await fetch(`${url}/_sandbox/accounts/${username}/${kind}`)).text();
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { pk: string; username: string; presence: string });
    },
  };
}
export type TestNetwork = Awaited<ReturnType<typeof testNetwork>>;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: testChromiumPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/** A browser window with the session's cookies. */
export async function windowOf(
  browser: Browser,
  network: TestNetwork,
  session: TestSession,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  await context.addCookies(
    session.cookies.map(({ name, value, httpOnly, expires }) => ({ name, value, httpOnly, expires, url: network.url })),
  );
  return context;
}
