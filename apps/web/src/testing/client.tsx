import type { SupabaseClient } from '@supabase/supabase-js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { Toaster } from 'sonner';
import { SessionProvider } from '../app/session';
import { setRuntime } from '../lib/runtime';

export interface WrittenRow {
  table: string;
  verb: 'insert' | 'update' | 'delete';
  row: Record<string, unknown>;
}

interface World {
  tables?: Record<string, Record<string, unknown>[]>;
  functions?: Record<string, unknown>;
  rpc?: Record<string, unknown>;
  /** What the server answers a write with, by its sentence. */
  refusal?: string;
}

/** A server in memory: answers reads from `tables`, remembers writes, and refuses them with `refusal`. */
export function fakeServer({ tables = {}, functions = {}, rpc = {}, refusal }: World) {
  const written: WrittenRow[] = [];
  const table = (name: string) => {
    let data: unknown = tables[name] ?? [];
    let error: { message: string; code: string } | null = null;
    const write =
      (verb: WrittenRow['verb']) =>
      (row: Record<string, unknown> = {}) => {
        written.push({ table: name, verb, row });
        data = [{ id: 'new' }];
        if (refusal) error = { message: refusal, code: 'P0001' };
        return builder;
      };
    const builder: Record<string, unknown> = {
      insert: write('insert'),
      update: write('update'),
      delete: write('delete'),
      single: () => {
        data = (data as unknown[])[0];
        return builder;
      },
      then: (resolve: (answer: unknown) => unknown) => Promise.resolve({ data: error ? null : data, error }).then(resolve),
    };
    for (const same of ['select', 'eq', 'order', 'limit', 'in']) builder[same] = () => builder;
    return builder;
  };
  const auth = {
    onAuthStateChange: (listener: (event: string, session: unknown) => void) => {
      queueMicrotask(() =>
        act(() =>
          listener('INITIAL_SESSION', { user: { id: 'ana', email: 'ana@example.com', user_metadata: {} }, expires_at: 9_999_999_999 }),
        ),
      );
      return { data: { subscription: { unsubscribe: () => undefined } } };
    },
  };
  const client = {
    auth,
    from: table,
    rpc: (name: string) => Promise.resolve({ data: rpc[name] ?? null, error: null }),
    functions: { invoke: (name: string) => Promise.resolve({ data: functions[name] ?? null, error: null }) },
  };
  setRuntime(
    { publishableKey: 'key', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' },
    client as unknown as SupabaseClient,
  );
  return { written };
}

/** Shows one page at its address to somebody who is signed in; every other address is a heading 'Painel'. */
export function showPage(path: string, address: string, page: ReactElement): void {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <MemoryRouter initialEntries={[address]}>
          <Routes>
            <Route path={path} element={page} />
            <Route path="*" element={<h1>Painel</h1>} />
          </Routes>
        </MemoryRouter>
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>,
  );
}
