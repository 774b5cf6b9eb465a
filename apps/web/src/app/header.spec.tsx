import '@testing-library/jest-dom';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { client } from '../lib/runtime';
import { type FakeRoutes, fakeRuntime, renderPage } from '../testing/render-page';
import { AppLayout, RequireSession } from './layout';

const plan = { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 1, subscription_end: null, is_trial: false };
const portal = 'POST /functions/v1/customer-portal';
const never = () => new Promise<never>(() => undefined);

const usual: FakeRoutes = {
  'POST /functions/v1/check-subscription': () => ({ body: plan }),
  'POST /rest/v1/rpc/get_available_slots': () => ({ body: 1 }),
  'GET /rest/v1/automations': () => ({ body: [] }),
  'POST /auth/v1/logout': () => ({ status: 204 }),
};

function open(routes: FakeRoutes = {}, user = userEvent.setup()) {
  const runtime = fakeRuntime({ ...usual, ...routes });
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
      <Route path="/auth" element={<h1>Porta</h1>} />
      <Route path="/" element={<h1>Página inicial</h1>} />
    </Routes>,
    { path: '/adm' },
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

describe('the head of the page', () => {
  it('leads home and counts the slots that are used', async () => {
    open();
    expect(await screen.findByText('2 de 3 slots usados')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Decola' })).toHaveAttribute('href', '/adm');
  });

  it('opens the portal for a subscriber', async () => {
    const { user } = open({ [portal]: () => ({ body: { url: 'https://pay.example/portal' } }) });
    await user.click(await screen.findByRole('button', { name: 'Upgrade' }));
    await waitFor(() => expect(openedAddress).toBe('https://pay.example/portal'));
  });

  it('leads everybody else to the plans', async () => {
    open({ 'POST /functions/v1/check-subscription': () => ({ body: { ...plan, subscribed: false, plan_name: null, max_slots: 0 } }) });
    expect(await screen.findByRole('link', { name: 'Upgrade Plano' })).toHaveAttribute('href', '/planos');
    expect(screen.queryByRole('button', { name: 'Upgrade' })).not.toBeInTheDocument();
  });

  it.each([
    [{ status: 400, body: { error: 'No configuration provided and your default...' } }, 'Portal não configurado'],
    [{ status: 502, body: { error: 'upstream' } }, 'Erro ao abrir portal do cliente'],
    [{ body: {} }, 'URL do portal não retornada'],
  ])('says what keeps the portal shut: %j', async (answer, text) => {
    const { user } = open({ [portal]: () => answer });
    const menu = await openMenu(user);
    await user.click(menu.getByRole('menuitem', { name: 'Minha Assinatura' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});

describe('the menu of the account', () => {
  it('says who is signed in, and works with the keyboard alone', async () => {
    const { user } = open();
    const trigger = await screen.findByRole('button', { name: 'Menu da conta' });
    trigger.focus();
    await user.keyboard('{Enter}');
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getByText('Marina')).toBeVisible();
    expect(menu.getByText('marina@cafeteria.example')).toBeVisible();
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'Minha Conta',
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

  it('ends the session, forgets what this device kept, and leads to the landing page', async () => {
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

it('leads to the door when the session is ended elsewhere', async () => {
  open();
  await screen.findByRole('heading', { name: 'Painel' });
  await act(() => client().auth.signOut({ scope: 'local' }));
  expect(await screen.findByRole('heading', { name: 'Porta' })).toBeVisible();
});
