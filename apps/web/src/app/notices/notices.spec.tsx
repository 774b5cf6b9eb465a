import '@testing-library/jest-dom';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeRuntime, renderPage } from '../../testing/render-page';
import { RequireSession } from '../layout';
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

  it('an end that renews itself is no reason to worry', () => {
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
    expect(stopped({ ...automation, ...change }, now)?.title).toBe(title);
  });
});

describe('the bell', () => {
  function open({ rows = [] as unknown[], createdAt = '2026-01-01T00:00:00Z', end = null as string | null } = {}) {
    const world = { rows };
    const runtime = fakeRuntime({
      'POST /functions/v1/check-subscription': () => ({ body: { ...subscription, subscription_end: end } }),
      'GET /rest/v1/automations': () => ({ body: world.rows }),
    });
    runtime.signIn({ user: { created_at: createdAt } });
    renderPage(
      <Routes>
        <Route element={<RequireSession />}>
          <Route path="/" element={<NoticeBell />} />
        </Route>
      </Routes>,
    );
    return { ...runtime, world, user: userEvent.setup() };
  }
  const bell = () => screen.findByRole('button', { name: /^Avisos/ });

  beforeEach(() => {
    localStorage.clear();
    resetNotices();
  });
  afterEach(cleanup);

  it('tells what happened once, keeps it in the list, and counts it until the list was seen', async () => {
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
    await user.keyboard('{Escape}');
    expect(await bell()).toHaveAccessibleName('Avisos');
    expect(await bell()).toHaveFocus();
  });

  it('does not tell it again on the next visit', async () => {
    open({ rows: [automation] });
    await screen.findByText('Automação com erro');
    cleanup();
    resetNotices();
    const { requests } = open({ rows: [automation] });
    await waitFor(() => expect(requests.some(({ route }) => route === 'GET /rest/v1/automations')).toBe(true));
    expect(await screen.findByRole('button', { name: 'Avisos, 1 novo' })).toBeVisible();
    expect(screen.queryByText('Automação com erro')).not.toBeInTheDocument();
  });

  it('says that there is nothing', async () => {
    const { user } = open();
    await user.click(await bell());
    expect(screen.getByText(/Nenhum aviso por enquanto/)).toBeVisible();
  });

  it('looks again every five minutes', async () => {
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
