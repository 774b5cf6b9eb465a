import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom';
import { Toaster } from '../../components/ui/toaster';
import { SessionProvider, useSession } from '../../session/session';
import { type FakeAnswer, fakeApi, type FakeRoutes, testQueryClient } from '../../testing/render-page';
import { WizardPage } from './wizard-page';
import { instagramAccount } from '../../testing/instagram-account';

interface World {
  free?: number;
  /** The number of free slots at each request, instead of `free`. */
  onFree?: () => number;
  /** The automation that is edited. */
  stored?: Record<string, unknown>;
  /** Another answer to the request for it; undefined for `stored`. */
  onStored?: () => FakeAnswer | undefined;
  lists?: unknown[];
  /** The customer's automations, as the steps read them. */
  automations?: unknown[];
  /** The lists that extractors have collected or are collecting. */
  extractions?: unknown[];
  /** Answer when a list is added to the people whom an account keeps. */
  onImport?: FakeRoutes[string];
  /** The customer's Instagram accounts. */
  accounts?: unknown[];
  /** The active sessions of those accounts. */
  sessions?: unknown[];
  /** What the accounts have done today. */
  usage?: unknown[];
  /** Answer when a pasted session is stored before the automation is saved. */
  onStoreSession?: () => FakeAnswer | Promise<FakeAnswer>;
  /** Answer to a change of an account, such as its keep list. */
  onAccount?: () => FakeAnswer | Promise<FakeAnswer>;
  /** Answer to the request for the lists. */
  onLists?: FakeRoutes[string];
  /** Answer to a save; a success by default. */
  onSave?: () => FakeAnswer | Promise<FakeAnswer>;
  /** Further routes of the API, such as a tool's own functions. */
  routes?: FakeRoutes;
  /** Element for every other path, such as a page that is still loading. */
  elsewhere?: ReactNode;
}

function SignedIn() {
  const { session } = useSession();
  return (
    session && (
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
    )
  );
}

/** Renders the wizard at its path with a signed-in session. Every other path renders a heading 'Painel' with a link back. */
export function openWizard(
  address: string,
  {
    free = 3,
    onFree = () => free,
    stored,
    onStored = () => undefined,
    lists = [],
    automations = [],
    extractions = [],
    onImport = () => ({ body: 0 }),
    accounts = [],
    sessions = [],
    usage = [],
    onStoreSession = () => ({ body: [{ id: 'stored' }] }),
    onAccount = () => ({ body: accounts }),
    onLists = () => ({ body: lists }),
    onSave = () => ({ body: [{ id: 'new' }] }),
    routes: further = {},
    elsewhere,
  }: World = {},
) {
  const save = async () => {
    const answer = await onSave();
    return 'status' in answer ? answer : { body: { id: 'new' } };
  };
  const routes: FakeRoutes = {
    'GET /rest/v1/automations': (_, { searchParams }) =>
      (searchParams.has('id') && onStored()) || { body: searchParams.has('id') ? stored : automations },
    'GET /rest/v1/extracted_data': () => ({ body: extractions }),
    'GET /rest/v1/instagram_accounts': () => ({ body: accounts }),
    'PATCH /rest/v1/instagram_accounts': onAccount,
    'GET /rest/v1/instagram_sessions': () => ({ body: sessions }),
    'POST /rest/v1/instagram_sessions': onStoreSession,
    'GET /rest/v1/account_usage': () => ({ body: usage }),
    'POST /rest/v1/automations': save,
    'PATCH /rest/v1/automations': onSave,
    'GET /rest/v1/previews': () => ({ body: [] }),
    'POST /rest/v1/rpc/get_available_slots': () => ({ body: onFree() }),
    'POST /rest/v1/rpc/get_extracted_slots': onLists,
    'POST /rest/v1/rpc/import_keep_list': onImport,
    'GET /rest/v1/subscription_plans': () => ({ body: [] }),
    'POST /functions/v1/check-subscription': () => ({
      body: { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 3 - onFree(), subscription_end: null, is_trial: false },
    }),
    ...further,
  };
  const { requests, signIn } = fakeApi(routes);
  signIn();
  const router = createMemoryRouter(
    [
      {
        element: <SignedIn />,
        children: [
          { path: '/automation/:type', element: <WizardPage /> },
          {
            path: '*',
            element: elsewhere ?? (
              <>
                <h1>Painel</h1>
                <Link to={address}>de volta</Link>
              </>
            ),
          },
        ],
      },
    ],
    { initialEntries: ['/adm', address] },
  );
  const view = render(
    <QueryClientProvider client={testQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>,
  );
  return {
    ...view,
    requests,
    router,
    goBack: () => act(() => router.navigate(-1)),
    user: userEvent.setup(),
    /** Requests that save an automation. */
    saved: () => requests.filter(({ route }) => /^(POST|PATCH) \/rest\/v1\/automations$/.test(route)),
  };
}

/** A stored account and its session. */
export const storedAccount = {
  ...instagramAccount({ id: '00000000-0000-4000-8000-0000000000ca', network_user_id: '101' }),
  keep_list: [] as string[],
};
export const storedSession = { id: 's-cafe', network_user_id: '101', checked_at: '2026-11-20T12:00:00Z' };
/** A world with one account that works. */
export const withAccount = { accounts: [storedAccount], sessions: [storedSession] };

/** Session cookies as a customer pastes them. */
export const cookieOf = (account: string) =>
  `sessionid=${account}%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=${account}; csrftoken=token`;
