import '@testing-library/jest-dom';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Navigate, RouterProvider, useLocation } from 'react-router-dom';
import { Toaster } from '../../components/ui/toaster';
import { client } from '../../lib/api-client';
import { RequireSession } from '../../session/require-session';
import { SessionProvider, useSession } from '../../session/session';
import { fakeApi, testQueryClient, testSession } from '../../testing/render-page';
import { storedAccount, storedSession } from './wizard.testing';
import { WizardPage } from './wizard-page';

/** The sign-in page, which leads back to where the session was missing. */
function Entrance() {
  const { session } = useSession();
  const { from } = useLocation().state as { from: string };
  return session ? <Navigate to={from} replace /> : <h1>Entrar</h1>;
}

it('goes on where it was when the session ended: at the same step, with everything that was filled in', async () => {
  sessionStorage.clear();
  const { signIn, requests } = fakeApi({
    'GET /rest/v1/instagram_accounts': () => ({ body: [storedAccount] }),
    'GET /rest/v1/instagram_sessions': () => ({ body: [storedSession] }),
    'GET /rest/v1/account_usage': () => ({ body: [] }),
    'POST /rest/v1/rpc/get_available_slots': () => ({ body: 3 }),
    'POST /rest/v1/automations': () => ({ body: { id: 'new' } }),
    'GET /auth/v1/user': () => ({ body: testSession().user }),
  });
  signIn();
  const router = createMemoryRouter(
    [
      {
        element: <RequireSession />,
        children: [
          { path: '/automation/:type', element: <WizardPage /> },
          { path: '/adm', element: <h1>Painel</h1> },
        ],
      },
      { path: '/auth', element: <Entrance /> },
    ],
    { initialEntries: ['/automation/auto-like?passo=2'] },
  );
  render(
    <QueryClientProvider client={testQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('radio', { name: /hashtag/i }));
  await user.type(screen.getByRole('textbox', { name: 'Hashtag' }), '#cafe');

  await act(() => client().auth.signOut({ scope: 'local' }));
  expect(await screen.findByRole('heading', { name: 'Entrar' })).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  const { access_token, refresh_token } = testSession();
  await act(() => client().auth.setSession({ access_token, refresh_token }));

  expect(await screen.findByRole('textbox', { name: 'Hashtag' })).toHaveValue('#cafe');
  expect(router.state.location.pathname + router.state.location.search).toBe('/automation/auto-like?passo=2');
  await user.click(screen.getByRole('button', { name: 'Próximo' }));
  await user.click(await screen.findByRole('radio', { name: /recomendado/ }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(requests.filter(({ route }) => route === 'POST /rest/v1/automations')).toMatchObject([
    { body: { configuration: { targets: '#cafe', instagram_session_id: storedSession.id } } },
  ]);
});
