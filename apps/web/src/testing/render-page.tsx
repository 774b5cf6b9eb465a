import { createClient } from '@supabase/supabase-js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, parsePath } from 'react-router-dom';
import { toast, Toaster } from 'sonner';
import { SessionProvider } from '../app/session';
import { queryDefaults } from '../lib/query-defaults';
import { setRuntime } from '../lib/runtime';

/** What a server says to one request: `undefined` for an empty 204, a promise for an answer that comes late or never. */
export interface FakeAnswer {
  status?: number;
  body?: unknown;
  /** A file instead of a JSON body. */
  file?: Blob;
}
export type FakeRoutes = Record<string, (body: unknown, url: URL) => FakeAnswer | Promise<FakeAnswer>>;

export const testUserId = '0b5d8c1e-7a4f-4c1d-9a55-3c8f6f1f2a01';

const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');

interface TestSessionOptions {
  secondsLeft?: number;
  aal?: 'aal1' | 'aal2';
  /** Members of the user that differ from the usual. */
  user?: Record<string, unknown>;
}

/** A session as the auth service answers it. */
export function testSession({ secondsLeft = 3600, aal = 'aal1', user = {} }: TestSessionOptions = {}) {
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
  };
}

let clients = 0;

/**
 * The published client over invented answers. Routes are `METHOD /path`; a request without a route fails the test's expectations
 * with a 404 that names it.
 */
export function fakeRuntime(routes: FakeRoutes) {
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
    } = (await routes[route]?.(body, url)) ?? { status: 404, body: { message: `no route ${route}` } };
    const text = content === undefined ? '' : JSON.stringify(content);
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Headers({
        'content-type': file ? 'application/octet-stream' : 'application/json',
        'x-supabase-api-version': '2024-01-01',
      }),
      json: () => Promise.resolve(JSON.parse(text) as unknown),
      text: () => Promise.resolve(text),
      blob: () => Promise.resolve(file),
    } as Response;
  };
  clients += 1;
  // What an earlier test was told is no news in the next.
  toast.dismiss();
  const client = createClient('http://localhost', 'sb_publishable_test', {
    global: { fetch: fakeFetch },
    auth: { autoRefreshToken: false, storageKey: `test-${clients}` },
  });
  setRuntime(
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
    /** Leaves a session on this device, as an earlier visit would. */
    signIn: (options?: TestSessionOptions) => localStorage.setItem(`test-${clients}`, JSON.stringify(testSession(options))),
  };
}

/** Nothing is retried, so that a failure shows at once. */
export const testQueryClient = () =>
  new QueryClient({ defaultOptions: { ...queryDefaults, queries: { ...queryDefaults.queries, retry: false } } });

/** Renders with everything a page stands on. */
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
