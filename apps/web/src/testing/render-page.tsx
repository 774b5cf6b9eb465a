import { createClient } from '@supabase/supabase-js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, parsePath } from 'react-router-dom';
import { Toaster } from '../components/ui/toaster';
import { setApiClient } from '../lib/api-client';
import { queryDefaults } from '../lib/query-defaults';
import { toast } from '../lib/toast';
import { SessionProvider } from '../session/session';

/** The server's response to one request. A promise delays it, or lets it never arrive. */
export interface FakeAnswer {
  status?: number;
  body?: unknown;
  /** A file instead of a JSON body. */
  file?: Blob;
  /** Number of rows that match, for requests that count. */
  count?: number;
}
export type FakeRoutes = Record<string, (body: unknown, url: URL) => FakeAnswer | Promise<FakeAnswer>>;

export const testUserId = '0b5d8c1e-7a4f-4c1d-9a55-3c8f6f1f2a01';

const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');

interface TestSessionOptions {
  secondsLeft?: number;
  aal?: 'aal1' | 'aal2';
  /** Overrides of the user. */
  user?: Record<string, unknown>;
  /** Overrides of the session. */
  session?: Record<string, unknown>;
}

/** A session as the auth service returns it. */
export function testSession({ secondsLeft = 3600, aal = 'aal1', user = {}, session = {} }: TestSessionOptions = {}) {
  const expiresAt = Math.floor(Date.now() / 1000) + secondsLeft;
  return {
    access_token: `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ sub: testUserId, exp: expiresAt, aal })}.c2ln`,
    refresh_token: 'abcdefghijkl',
    token_type: 'bearer',
    expires_in: secondsLeft,
    expires_at: expiresAt,
    user: {
      id: testUserId,
      aud: 'authenticated',
      email: 'marina@cafeteria.example',
      created_at: '2026-01-01T00:00:00Z',
      app_metadata: {},
      user_metadata: { full_name: 'Marina' },
      ...user,
    },
    ...session,
  };
}

/** Of this call of `fakeApi`: the client warns when two share one. */
let storageKey = '';

/**
 * The real client with a fake `fetch`. Routes are keyed `METHOD /path`; a request without a route gets a 404 that names it.
 */
export function fakeApi(routes: FakeRoutes) {
  const requests: { route: string; body: unknown; search: string }[] = [];
  const fakeFetch = async (input: string | URL | { url: string }, init: RequestInit = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const route = `${init.method ?? 'GET'} ${url.pathname}`;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    requests.push({ route, body, search: url.search });
    const {
      status = 200,
      body: content,
      file,
      count,
    } = (await routes[route]?.(body, url)) ?? { status: 404, body: { message: `no route ${route}` } };
    const text = content === undefined ? '' : JSON.stringify(content);
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Headers({
        'content-type': file ? 'application/octet-stream' : 'application/json',
        'x-supabase-api-version': '2024-01-01',
        ...(count === undefined ? {} : { 'content-range': `*/${count}` }),
      }),
      json: () => Promise.resolve(JSON.parse(text) as unknown),
      text: () => Promise.resolve(text),
      blob: () => Promise.resolve(file),
    } as Response;
  };
  storageKey = `test-${crypto.randomUUID()}`;
  // Toasts of an earlier test must not appear in the next.
  toast.dismiss();
  const client = createClient('http://localhost', 'sb_publishable_test', {
    global: { fetch: fakeFetch },
    auth: { autoRefreshToken: false, storageKey },
  });
  setApiClient(
    {
      publishableKey: 'sb_publishable_test',
      productName: 'Decola',
      supportEmail: 'suporte@decola.example',
      privacyEmail: 'privacidade@decola.example',
      dpoEmail: 'dpo@decola.example',
    },
    client,
  );
  return {
    requests,
    /** Stores a session in this browser, as an earlier visit would. */
    signIn: (options?: TestSessionOptions) => localStorage.setItem(storageKey, JSON.stringify(testSession(options))),
  };
}

/** Without retries, so that a failure shows at once. */
export const testQueryClient = () =>
  new QueryClient({ defaultOptions: { ...queryDefaults, queries: { ...queryDefaults.queries, retry: false } } });

/** Renders a page with its providers. */
export function renderPage(page: ReactNode, { path = '/', state }: { path?: string; state?: unknown } = {}) {
  return render(
    <QueryClientProvider client={testQueryClient()}>
      <MemoryRouter initialEntries={[{ ...parsePath(path), state }]}>
        <SessionProvider>{page}</SessionProvider>
      </MemoryRouter>
      <Toaster />
    </QueryClientProvider>,
  );
}
