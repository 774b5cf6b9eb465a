import '@testing-library/jest-dom';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { client } from '../lib/api-client';
import { type FakeRoutes, fakeApi, renderPage } from '../testing/render-page';
import { RequireSession } from '../session/require-session';
import { AppLayout } from './layout';

const plan = { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 1, subscription_end: null, is_trial: false };
const portal = 'POST /functions/v1/customer-portal';
const never = () => new Promise<never>(() => undefined);

const usual: FakeRoutes = {
  'POST /functions/v1/check-subscription': () => ({ body: plan }),
  'POST /rest/v1/rpc/get_available_slots': () => ({ body: 1 }),
  'GET /rest/v1/automations': () => ({ body: [] }),
  'GET /rest/v1/subscription_plans': () => ({ body: [1, 3, 6].map((slots) => ({ id: String(slots), max_slots: slots })) }),
  'POST /auth/v1/logout': () => ({ status: 204 }),
};

function open(routes: FakeRoutes = {}, user = userEvent.setup(), path = '/adm') {
  const runtime = fakeApi({ ...usual, ...routes });
  runtime.signIn();
  renderPage(
    <Routes>
      <Route element={<RequireSession />}>
        <Route element={<AppLayout />}>
          <Route path="/adm" element={<h1>Painel</h1>} />
          <Route path="/minha-conta" element={<h1>Minha Conta</h1>} />
          <Route path="/planos" element={<h1>Planos</h1>} />
        </Route>
      </Route>
      <Route path="/auth" element={<h1>Entrada</h1>} />
      <Route path="/" element={<h1>Página inicial</h1>} />
    </Routes>,
    { path },
  );
  return { ...runtime, user };
}

const openMenu = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByRole('button', { name: 'Menu da conta' }));
  return within(await screen.findByRole('menu'));
};

let openedAddress: string | undefined;
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  openedAddress = undefined;
  jest.spyOn(window, 'open').mockImplementation((address) => {
    openedAddress = String(address);
    return window;
  });
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('the header', () => {
  it('links to the dashboard and shows the used slots', async () => {
    open();
    expect(await screen.findByText('2 de 3 slots usados')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Decola' })).toHaveAttribute('href', '/adm');
  });

  it('opens the customer portal for a subscriber', async () => {
    const { user } = open({ [portal]: () => ({ body: { url: 'https://pay.example/portal' } }) });
    await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
    await waitFor(() => expect(openedAddress).toBe('https://pay.example/portal'));
  });

  it('links to the plans for everybody else', async () => {
    open({ 'POST /functions/v1/check-subscription': () => ({ body: { ...plan, subscribed: false, plan_name: null, max_slots: 0 } }) });
    expect(await screen.findByRole('link', { name: 'Upgrade Plano' })).toHaveAttribute('href', '/planos');
    expect(screen.queryByRole('button', { name: 'Upgrade' })).not.toBeInTheDocument();
  });

  it('offers whoever has the highest plan no upgrade, but the way to the subscription', async () => {
    const { user } = open({
      'POST /functions/v1/check-subscription': () => ({ body: { ...plan, plan_name: 'Premium', max_slots: 6 } }),
      [portal]: () => ({ body: { url: 'https://pay.example/portal' } }),
    });
    await user.click(await screen.findByRole('button', { name: 'Minha assinatura' }));
    await waitFor(() => expect(openedAddress).toBe('https://pay.example/portal'));
    expect(screen.queryByText(/Upgrade/)).not.toBeInTheDocument();
    // On phones the menu has both: the subscription and the plans.
    const menu = await openMenu(user);
    expect(menu.getByRole('menuitem', { name: 'Minha Assinatura' })).toBeVisible();
    expect(menu.getByRole('menuitem', { name: 'Planos' })).toHaveAttribute('href', '/planos');
    expect(screen.queryByText(/Upgrade/)).not.toBeInTheDocument();
  });

  it('shows no slots and no upgrade while the subscription cannot be checked', async () => {
    open({ 'POST /functions/v1/check-subscription': () => ({ status: 503, body: {} }) });
    expect(await screen.findByRole('button', { name: 'Menu da conta' })).toBeVisible();
    await waitFor(() => expect(screen.queryByTitle('Slots usados')).not.toBeInTheDocument());
    expect(screen.queryByText(/Upgrade|slots usados/)).not.toBeInTheDocument();
  });

  it.each(['/minha-conta', '/planos'])('is followed by the breadcrumb of the page, on phones too: %s', async (path) => {
    open({}, userEvent.setup(), path);
    const crumbs = within(await screen.findByRole('navigation', { name: 'Você está aqui' }));
    expect(crumbs.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'Início',
      'Dashboard',
      path === '/planos' ? 'Planos' : 'Minha Conta',
    ]);
    expect(crumbs.getByRole('list').parentElement).not.toHaveClass('hidden');
  });

  it.each([
    [{ status: 400, body: { error: 'No configuration provided and your default...' } }, 'Portal não configurado'],
    [{ status: 502, body: { error: 'upstream' } }, 'Erro ao abrir portal do cliente'],
    [{ body: {} }, 'URL do portal não retornada'],
  ])('shows why the portal could not be opened: %j', async (answer, text) => {
    const { user } = open({ [portal]: () => answer });
    const menu = await openMenu(user);
    await user.click(menu.getByRole('menuitem', { name: 'Minha Assinatura' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

describe('the account menu', () => {
  it('shows who is signed in, and works with the keyboard alone', async () => {
    const { user } = open();
    const trigger = await screen.findByRole('button', { name: 'Menu da conta' });
    trigger.focus();
    await user.keyboard('{Enter}');
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getByText('Marina')).toBeVisible();
    expect(menu.getByText('marina@cafeteria.example')).toBeVisible();
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'Minha Conta',
      'Contas do Instagram',
      'Artigos do seu site',
      'Minha Assinatura',
      'Upgrade Plano',
      'Sair',
      'Forçar Logout',
    ]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(trigger).toHaveFocus());
    await user.keyboard('{Enter}{Enter}');
    expect(await screen.findByRole('heading', { name: 'Minha Conta' })).toBeVisible();
  });

  it('signs out, clears what this device stored, and opens the landing page', async () => {
    const { user, requests } = open();
    await screen.findByText('2 de 3 slots usados');
    sessionStorage.setItem('wizard', 'half filled in');
    const menu = await openMenu(user);
    await user.click(menu.getByRole('menuitem', { name: 'Sair' }));
    expect(await screen.findByRole('heading', { name: 'Página inicial' })).toBeVisible();
    expect(screen.getByText('Logout realizado com sucesso')).toBeInTheDocument();
    expect(screen.getByText('Você foi desconectado.')).toBeInTheDocument();
    expect(requests.some(({ route }) => route === 'POST /auth/v1/logout')).toBe(true);
    expect(sessionStorage).toHaveLength(0);
    expect(Object.keys(localStorage).filter((key) => !key.startsWith('decola.notices'))).toEqual([]);
  });

  it.each([
    ['Sair', 5_000],
    ['Forçar Logout', 2_000],
  ])('waits for the server no longer than "%s" allows: %i ms', async (name, timeoutMs) => {
    jest.useFakeTimers();
    try {
      const { user } = open({ 'POST /auth/v1/logout': never }, userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) }));
      const menu = await openMenu(user);
      await user.click(menu.getByRole('menuitem', { name }));
      await act(() => jest.advanceTimersByTimeAsync(timeoutMs - 100));
      expect(screen.getByText('Saindo...')).toBeInTheDocument();
      await act(() => jest.advanceTimersByTimeAsync(200));
      expect(screen.getByRole('heading', { name: 'Página inicial' })).toBeInTheDocument();
      expect(Object.values(localStorage).join()).not.toContain('access_token');
    } finally {
      jest.useRealTimers();
    }
  });
});

it('redirects to the sign-in page when the session is ended elsewhere', async () => {
  open();
  await screen.findByRole('heading', { name: 'Painel' });
  await act(() => client().auth.signOut({ scope: 'local' }));
  expect(await screen.findByRole('heading', { name: 'Entrada' })).toBeVisible();
});
