import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom';
import { Toaster } from '../../components/ui/toaster';
import { SessionProvider, useSession } from '../../session/session';
import { type FakeAnswer, fakeApi, type FakeRoutes, testQueryClient } from '../../testing/render-page';
import { BlogWizardPage } from './blog-wizard-page';

interface World {
  free?: number;
  /** Null: the customer has none. */
  token?: string | null;
  /** The automation that is edited. */
  stored?: unknown;
  sites?: unknown[];
  /** Answer of `test-webhook`. */
  check?: FakeAnswer | (() => FakeAnswer | Promise<FakeAnswer>);
  routes?: FakeRoutes;
}

function SignedIn() {
  const { session } = useSession();
  return session && <Outlet />;
}

export const address = '/automation/blog-automation';

/** Renders the wizard with a signed-in session. Every other path renders a heading 'Painel' with a link back. */
export function openBlogWizard(
  at = address,
  {
    free = 3,
    token = 'token-of-the-customer-0123456789-abcdefghij',
    stored,
    sites = [],
    check = { body: { success: true, verified: true } },
    routes = {},
  }: World = {},
) {
  let kept = token;
  const { requests, signIn } = fakeApi({
    'GET /rest/v1/user_tokens': () => ({ body: kept === null ? [] : [{ token: kept }] }),
    'POST /rest/v1/user_tokens': (body) => {
      kept = (body as { token: string }).token;
      return { status: 201 };
    },
    'POST /rest/v1/rpc/generate_random_token': () => ({ body: 'a-new-token-0123456789-abcdefghijklmnopqrst' }),
    'GET /rest/v1/blog_automations': () => ({ body: stored }),
    'POST /rest/v1/blog_automations': () => ({ status: 201, body: [{ id: 'new' }] }),
    'PATCH /rest/v1/blog_automations': () => ({ body: [{ id: 'stored' }] }),
    'GET /rest/v1/sites': () => ({ body: sites }),
    'POST /functions/v1/test-webhook': () => (typeof check === 'function' ? check() : check),
    'POST /rest/v1/rpc/get_available_slots': () => ({ body: free }),
    'GET /rest/v1/subscription_plans': () => ({ body: [] }),
    'POST /functions/v1/check-subscription': () => ({
      body: { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 3 - free, subscription_end: null, is_trial: false },
    }),
    ...routes,
  });
  signIn();
  const router = createMemoryRouter(
    [
      {
        element: <SignedIn />,
        children: [
          { path: address, element: <BlogWizardPage /> },
          {
            path: '*',
            element: (
              <>
                <h1>Painel</h1>
                <Link to={at}>de volta</Link>
              </>
            ),
          },
        ],
      },
    ],
    { initialEntries: ['/adm', at] },
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
    goBack: () => act(() => router.navigate(-1)),
    user: userEvent.setup(),
    /** Bodies of the requests that save an automation. */
    saved: () =>
      requests
        .filter(({ route }) => /^(POST|PATCH) \/rest\/v1\/blog_automations$/.test(route))
        .map(({ body }) => body as Record<string, unknown>),
    /** Bodies of the checks of a site. */
    checks: () => requests.filter(({ route }) => route === 'POST /functions/v1/test-webhook').map(({ body }) => body),
  };
}
