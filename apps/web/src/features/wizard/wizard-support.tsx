import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom';
import { Toaster } from 'sonner';
import { SessionProvider, useSession } from '../../app/session';
import { type FakeAnswer, type FakeRoutes, fakeRuntime, testQueryClient } from '../../testing/render-page';
import { WizardPage } from './wizard-page';

interface World {
  free?: number;
  /** The row that is edited. */
  stored?: Record<string, unknown>;
  lists?: unknown[];
  /** What the server says when it is asked for them. */
  onLists?: FakeRoutes[string];
  /** What the server says to a save; a success when nothing is given. */
  onSave?: () => FakeAnswer | Promise<FakeAnswer>;
  /** Every other page; one that is still being loaded, say. */
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

/** The wizard at its address, for somebody who is signed in. Every other address is a heading 'Painel' with a link back. */
export function openWizard(
  address: string,
  { free = 3, stored, lists = [], onLists = () => ({ body: lists }), onSave = () => ({ body: [{ id: 'new' }] }), elsewhere }: World = {},
) {
  const save = async () => {
    const answer = await onSave();
    return 'status' in answer ? answer : { body: { id: 'new' } };
  };
  const routes: FakeRoutes = {
    'GET /rest/v1/automations': () => ({ body: stored }),
    'POST /rest/v1/automations': save,
    'PATCH /rest/v1/automations': onSave,
    'POST /rest/v1/rpc/get_available_slots': () => ({ body: free }),
    'POST /rest/v1/rpc/get_extracted_slots': onLists,
    'GET /rest/v1/subscription_plans': () => ({ body: [] }),
    'POST /functions/v1/check-subscription': () => ({
      body: { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 3 - free, subscription_end: null, is_trial: false },
    }),
  };
  const { requests, signIn } = fakeRuntime(routes);
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
    router,
    goBack: () => act(() => router.navigate(-1)),
    user: userEvent.setup(),
    /** Rows that were sent to be stored. */
    saved: () => requests.filter(({ route }) => /^(POST|PATCH) \/rest\/v1\/automations$/.test(route)),
  };
}
