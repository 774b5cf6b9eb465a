import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { testChromiumPath } from '@decola/testing';
import { startNetwork, type NetworkConfig } from '../../src/server/server.js';
import type { LedgerEntry } from '../../src/state/ledger.js';
import type { Cookie, PasteForms } from '../../src/state/session-cookies.js';

export interface TestSession {
  id: string;
  accountId: string;
  username: string;
  cookies: Cookie[];
  forms: PasteForms;
}

/** Starts a network for one test file, with helpers for its control interface. */
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
    /** Logs in a new account. */
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
async function windowOf(
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

export interface Visit {
  page: Page;
  session: TestSession;
  /** Every GraphQL call that the page has sent, as `operation path`. */
  calls: string[];
  /** Closes the window and asserts that its page had no errors. */
  close(): Promise<void>;
}

/** Opens a window at a path, for a new visitor or for the given session. */
export async function openWindow(
  browser: Browser,
  network: TestNetwork,
  path: string,
  options: Parameters<Browser['newContext']>[0] & { session?: TestSession } = {},
): Promise<Visit> {
  const { session = await network.visitor(), ...window } = options;
  const context = await windowOf(browser, network, session, window);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const calls: string[] = [];
  page.on('request', (request) => {
    const operation = request.headers()['x-fb-friendly-name'];
    if (operation) calls.push(`${operation} ${new URL(request.url()).pathname}`);
  });
  await page.goto(network.url + path);
  return {
    page,
    session,
    calls,
    close: async () => {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
}
