import '@testing-library/jest-dom';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, renderPage } from '../../testing/render-page';
import { RequireSession } from '../../session/require-session';
import { NoticeBell } from './notice-bell';
import { resetNotices } from './notice-store';
import { expiring, stopped, welcome } from './occasions';

const now = new Date('2026-11-21T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
const subscription = { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 1, subscription_end: inDays(3), is_trial: false };
const automation = {
  id: 'a1',
  name: 'Cafeterias',
  is_active: false,
  is_draft: false,
  last_run_at: '2026-11-21T11:00:00Z',
  status: 'blocked' as const,
  status_reason: 'O Instagram pediu uma verificação nesta conta.',
  pause_cause: null as string | null,
  instagram_account_id: null as string | null,
  session_account: null as string | null,
};

describe('occasions', () => {
  it.each([
    ['2026-11-21T11:00:01Z', 'Bem-vindo ao Decola'],
    ['2026-11-21T11:00:00Z', undefined],
  ])('an account made at %s: %s', (createdAt, title) => {
    expect(welcome({ id: 'u', created_at: createdAt }, 'Decola', now)?.title).toBe(title);
  });

  it.each([
    [3, 'Sua assinatura expira em 3 dias'],
    [2.1, 'Sua assinatura expira em 3 dias'],
    [2, undefined],
    [3.1, undefined],
    [-1, undefined],
  ])('a subscription with %d days left: %s', (days, title) => {
    expect(expiring({ ...subscription, subscription_end: inDays(days) }, now)?.title).toBe(title);
  });

  it('a subscription that renews itself needs no action', () => {
    expect(expiring({ ...subscription, will_renew: true }, now)?.message).toMatch(/^Ela renova automaticamente/);
    expect(expiring({ ...subscription, will_renew: false }, now)?.message).toMatch(/suas automações param/);
  });

  it.each([
    [{}, 'Automação com erro'],
    [{ status_reason: null, status: 'paused' as const }, undefined],
    [{ is_draft: true, status: 'draft' as const }, undefined],
    [{ is_active: true }, undefined],
    [{ status: 'done' as const, status_reason: 'A lista está completa.' }, undefined],
  ])('an automation with %j: %s', (change, title) => {
    expect(stopped([{ ...automation, ...change }], now).map((each) => each.title)).toEqual(title === undefined ? [] : [title]);
  });
});

it('gives one notice for all automations of an account that stopped for the same cause', () => {
  const ofAccount = { ...automation, pause_cause: 'challenge', instagram_account_id: 'i1', session_account: '@cafe.da.lia' };
  const found = stopped(
    [ofAccount, { ...ofAccount, id: 'a2', name: 'Curtidas', last_run_at: null }, { ...ofAccount, id: 'a3', instagram_account_id: 'i2' }],
    now,
  );
  expect(found.map(({ message }) => message)).toEqual([
    '@cafe.da.lia: O Instagram pediu uma verificação nesta conta.',
    'Cafeterias: O Instagram pediu uma verificação nesta conta.',
  ]);
  // The next stop of the account gives a notice of its own.
  const [later] = stopped([{ ...ofAccount, last_run_at: '2026-11-22T11:00:00Z' }], now);
  expect(later?.id).not.toBe(found[0]?.id);
});

describe('the bell', () => {
  function open({
    rows = [] as unknown[],
    blogs = [] as unknown[],
    createdAt = '2026-01-01T00:00:00Z',
    end = null as string | null,
    path = '/',
  } = {}) {
    const world = { rows };
    const runtime = fakeApi({
      'POST /functions/v1/check-subscription': () => ({ body: { ...subscription, subscription_end: end } }),
      'GET /rest/v1/automations': () => ({ body: world.rows }),
      'GET /rest/v1/blog_automations': () => ({ body: blogs }),
    });
    runtime.signIn({ user: { created_at: createdAt } });
    renderPage(
      <Routes>
        <Route element={<RequireSession />}>
          {['/', '/adm'].map((each) => (
            <Route key={each} path={each} element={<NoticeBell />} />
          ))}
        </Route>
      </Routes>,
      { path },
    );
    return { ...runtime, world, user: userEvent.setup() };
  }
  const bell = () => screen.findByRole('button', { name: /^Avisos/ });

  beforeEach(() => {
    localStorage.clear();
    resetNotices();
  });
  afterEach(cleanup);

  it('shows a toast once, keeps the notice in the list, and counts it as unread until the list was opened', async () => {
    const { requests, user } = open({
      rows: [automation],
      createdAt: new Date().toISOString(),
      end: new Date(Date.now() + 2.5 * 86_400_000).toISOString(),
    });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Avisos, 3 novos' })).toBeVisible());
    expect(screen.getByText('Bem-vindo ao Decola')).toBeInTheDocument();
    expect(screen.getByText('Sua assinatura expira em 3 dias')).toBeInTheDocument();
    expect(screen.getByText('Automação com erro')).toBeInTheDocument();
    expect(requests.find(({ route }) => route === 'GET /rest/v1/automations')?.search).toContain('is_active=eq.false');
    await user.click(await bell());
    const list = within(screen.getByRole('dialog', { name: 'Avisos' }));
    expect(list.getAllByRole('listitem')).toHaveLength(3);
    expect(list.getByText(/Cafeterias: O Instagram pediu/)).toBeVisible();
    // The toasts close, because the list shows the same texts.
    await waitFor(() => expect(screen.getAllByText('Automação com erro')).toHaveLength(1));
    await user.keyboard('{Escape}');
    expect(await bell()).toHaveAccessibleName('Avisos');
    expect(await bell()).toHaveFocus();
  });

  it('names blog automations that stopped for a reason, and none that their owner switched off', async () => {
    const blog = { id: 'b1', keyword: 'café', pause_reason: 'Seu plano tem menos slots agora.', last_generated_at: null };
    open({ blogs: [blog, { ...blog, id: 'b2', pause_reason: null }] });
    expect(await screen.findByRole('button', { name: 'Avisos, 1 novo' })).toBeVisible();
    expect(screen.getByText('Artigos: café: Seu plano tem menos slots agora.')).toBeInTheDocument();
  });

  it('shows no second toast on the next visit', async () => {
    open({ rows: [automation] });
    await screen.findByText('Automação com erro');
    cleanup();
    resetNotices();
    const { requests } = open({ rows: [automation] });
    await waitFor(() => expect(requests.some(({ route }) => route === 'GET /rest/v1/automations')).toBe(true));
    expect(await screen.findByRole('button', { name: 'Avisos, 1 novo' })).toBeVisible();
    expect(screen.queryByText('Automação com erro')).not.toBeInTheDocument();
  });

  it('shows no toast about a fault on the dashboard, which tells the fault itself', async () => {
    open({ rows: [automation], createdAt: new Date().toISOString(), path: '/adm' });
    expect(await screen.findByRole('button', { name: 'Avisos, 2 novos' })).toBeVisible();
    expect(await screen.findByText('Bem-vindo ao Decola')).toBeInTheDocument();
    expect(screen.queryByText('Automação com erro')).not.toBeInTheDocument();
  });

  it('closes the toast about a fault that has gone', async () => {
    jest.useFakeTimers();
    try {
      const { world } = open({ rows: [automation] });
      for (let turn = 0; turn < 10; turn += 1) await act(() => jest.advanceTimersByTimeAsync(5));
      expect(screen.getByText('Automação com erro')).toBeInTheDocument();
      world.rows = [];
      // The pointer over it keeps a toast open.
      act(() => void fireEvent.mouseEnter(document.querySelector('[data-sonner-toaster]')!));
      await act(() => jest.advanceTimersByTimeAsync(5 * 60_000));
      for (let turn = 0; turn < 10; turn += 1) await act(() => jest.advanceTimersByTimeAsync(500));
      expect(screen.queryByText('Automação com erro')).not.toBeInTheDocument();
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows that there are no notices', async () => {
    const { user } = open();
    await user.click(await bell());
    expect(screen.getByText(/Nenhum aviso por enquanto/)).toBeVisible();
  });

  it('polls every five minutes', async () => {
    jest.useFakeTimers();
    try {
      const { requests, world } = open();
      const polls = () => requests.filter(({ route }) => route === 'GET /rest/v1/automations').length;
      for (let turn = 0; turn < 10; turn += 1) await act(() => jest.advanceTimersByTimeAsync(5));
      expect(polls()).toBe(1);
      world.rows = [automation];
      await act(() => jest.advanceTimersByTimeAsync(4 * 60_000));
      expect(polls()).toBe(1);
      await act(() => jest.advanceTimersByTimeAsync(60_000));
      for (let turn = 0; turn < 10; turn += 1) await act(() => jest.advanceTimersByTimeAsync(5));
      expect(polls()).toBe(2);
      expect(screen.getByText('Automação com erro')).toBeInTheDocument();
    } finally {
      jest.useRealTimers();
    }
  });
});
