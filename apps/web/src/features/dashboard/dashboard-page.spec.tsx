import '@testing-library/jest-dom';
import type { AutomationRow } from '@decola/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import type { Subscription } from '../../app/subscription';
import { type FakeRoutes, fakeRuntime, renderPage, testUserId } from '../../testing/render-page';
import { glanceOf } from './automation-list';
import { listed } from './automations';
import { DashboardPage } from './dashboard-page';

afterEach(() => {
  toast.dismiss();
  onlineManager.setOnline(true);
});

const row = (number: number, overrides: Partial<AutomationRow> = {}): AutomationRow => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  user_id: testUserId,
  name: `Automação ${number}`,
  type: 'auto-follow-unfollow',
  configuration: {},
  is_draft: false,
  is_active: true,
  last_run_at: null,
  next_run_at: '2036-11-21T15:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  status: 'waiting',
  status_reason: null,
  last_run: null,
  progress: null,
  session_stored: true,
  session_account: '@cafe',
  ...overrides,
});
const subscribed: Subscription = {
  subscribed: true,
  plan_name: 'Pro',
  max_slots: 3,
  used_slots: 1,
  subscription_end: '2026-12-20T12:00:00Z',
  is_trial: false,
};
const notSubscribed: Subscription = { ...subscribed, subscribed: false, plan_name: null, max_slots: 0, used_slots: 0 };

function WhenSignedIn({ children }: { children: ReactNode }) {
  return useSession().session ? children : null;
}

interface World {
  subscription?: Subscription;
  hasHistory?: boolean;
  rows?: AutomationRow[];
  extractions?: unknown[];
  free?: number;
  path?: string;
  routes?: FakeRoutes;
}

function show({ subscription = subscribed, hasHistory = true, rows = [], extractions = [], free = 2, path = '/', routes }: World = {}) {
  const runtime = fakeRuntime({
    'GET /rest/v1/automations': () => ({ body: rows }),
    'GET /rest/v1/blog_automations': () => ({ body: [] }),
    'GET /rest/v1/extracted_data': () => ({ body: extractions }),
    'GET /rest/v1/subscription_plans': () => ({ body: [] }),
    'GET /rest/v1/subscriptions': () => ({ body: hasHistory ? [{ id: 's1' }] : [] }),
    'POST /rest/v1/rpc/get_available_slots': () => ({ body: free }),
    'POST /functions/v1/check-subscription': () => ({ body: subscription }),
    ...routes,
  });
  runtime.signIn();
  renderPage(
    <WhenSignedIn>
      <Routes>
        <Route path="/" element={<DashboardPage />} />
        <Route path="/assinatura-cancelada" element={<h1>Assinatura cancelada</h1>} />
      </Routes>
    </WhenSignedIn>,
    { path },
  );
  return { ...runtime, user: userEvent.setup() };
}

describe('the door of the dashboard', () => {
  it('waits with its own words', async () => {
    show({ routes: { 'POST /functions/v1/check-subscription': () => new Promise<never>(() => undefined) } });
    expect(await screen.findByText('Verificando sua assinatura')).toBeVisible();
  });

  it('offers plans to who never had one', async () => {
    show({ subscription: notSubscribed, hasHistory: false });
    expect(await screen.findByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  });

  it('leads who had one to the plans that bring it back', async () => {
    show({ subscription: notSubscribed });
    expect(await screen.findByRole('heading', { name: 'Assinatura cancelada' })).toBeVisible();
  });

  it('sends nobody to buy again who comes from paying', async () => {
    show({ subscription: notSubscribed, path: '/?success=true' });
    expect(await screen.findByRole('progressbar', { hidden: true })).toBeInTheDocument();
    expect(screen.getByText('Verificando sua assinatura')).toBeInTheDocument();
  });

  it('says that a payment was given up', async () => {
    show({ path: '/?canceled=true' });
    expect(await screen.findByText('Pagamento cancelado')).toBeVisible();
    expect(screen.getByText('Você pode tentar novamente quando quiser.')).toBeVisible();
  });
});

describe('the tools', () => {
  it('are seven, each with its cost', async () => {
    show();
    expect(await screen.findAllByRole('link', { name: 'Use agora' })).toHaveLength(7);
    expect(screen.getAllByText('1 slot')).toHaveLength(6);
    expect(screen.getAllByText('2 slots')).toHaveLength(1);
  });

  it('lead to more slots when none is free', async () => {
    const { user } = show({ free: 0, subscription: { ...subscribed, used_slots: 3 } });
    const [first] = await screen.findAllByRole('button', { name: 'Sem slots' });
    expect(screen.getByRole('link', { name: 'Upgrade Plano' })).toHaveAttribute('href', '/planos');
    await user.click(first!);
    expect(await screen.findByRole('dialog', { name: 'Hora de Decolar!' })).toBeVisible();
  });
});

describe('the list', () => {
  it('says what to do when it is empty', async () => {
    show();
    expect(await screen.findByText('Nenhuma automação configurada')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Upgrade Plano' })).not.toBeInTheDocument();
  });

  it('offers a larger plan no longer when a deletion has made room that the subscription has not heard of', async () => {
    show({ free: 1, subscription: { ...subscribed, used_slots: 3 } });
    await screen.findAllByRole('link', { name: 'Use agora' });
    expect(screen.queryByRole('link', { name: 'Upgrade Plano' })).not.toBeInTheDocument();
  });

  it('says that it failed, and is there after a second try', async () => {
    let isBroken = true;
    const { user } = show({
      routes: { 'GET /rest/v1/automations': () => (isBroken ? { status: 500, body: { message: '' } } : { body: [row(1)] }) },
    });
    await screen.findByText('Não foi possível carregar suas automações.');
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByText('Automação 1')).toBeVisible();
  });

  it('draws a thousand rows a page at a time', async () => {
    const { user } = show({ rows: Array.from({ length: 1_000 }, (_, index) => row(index + 1)) });
    expect(await screen.findAllByTestId(/^automation-/)).toHaveLength(30);
    await user.click(screen.getByRole('button', { name: 'Mostrar mais (970)' }));
    expect(screen.getAllByTestId(/^automation-/)).toHaveLength(60);
  });

  it('takes a refused name back', async () => {
    const { user } = show({
      rows: [row(1)],
      routes: { 'PATCH /rest/v1/automations': () => ({ status: 400, body: { message: 'Não deu.', code: 'P0001' } }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Automação 1' }));
    await user.type(screen.getByRole('textbox', { name: 'Nome da automação' }), '{Control>}a{/Control}Outra{Enter}');
    expect(await screen.findByText('Erro ao renomear automação')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Automação 1' })).toBeVisible();
  });

  it('tells what was done without waiting for what the rest of the page asks', async () => {
    const never = () => new Promise<never>(() => undefined);
    let checks = 0;
    let isListSlow = false;
    const { user } = show({
      routes: {
        'GET /rest/v1/automations': () => (isListSlow ? never() : { body: [row(1), row(2)] }),
        'POST /functions/v1/check-subscription': () => ((checks += 1) === 1 ? { body: subscribed } : never()),
        'PATCH /rest/v1/automations': () => ({ body: [{ id: row(1).id }] }),
        'DELETE /rest/v1/extracted_data': () => ({ body: [] }),
        'DELETE /rest/v1/automations': () => ({ body: [] }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Automação 1' }));
    await user.type(screen.getByRole('textbox', { name: 'Nome da automação' }), '{Control>}a{/Control}Outra{Enter}');
    expect(await screen.findByText('Nome atualizado')).toBeVisible();
    expect(checks).toBe(2);
    const second = within(screen.getByTestId(`automation-${row(2).id}`));
    const toggle = second.getByRole('switch');
    await user.click(toggle);
    expect(await screen.findByText('Automação desativada')).toBeVisible();
    expect(toggle).toBeEnabled();
    await user.click(second.getByRole('button', { name: 'Excluir' }));
    isListSlow = true;
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByText('Automação 2')).not.toBeInTheDocument();
  });

  it('warns of automations that lose their list, and deletes all the same', async () => {
    const extractor = row(1, { name: 'Clientes', type: 'followers-following-extractor' });
    const reader = row(2, { name: 'Seguir clientes', configuration: { extractedSlotId: 'e1' } });
    const { user, requests } = show({
      rows: [extractor, reader],
      extractions: [
        {
          id: 'e1',
          automation_id: extractor.id,
          csv_url: '',
          file_name: '',
          total_records: 1,
          profile_total: 1,
          state: 'complete',
          state_reason: null,
        },
      ],
      routes: { 'DELETE /rest/v1/automations': () => ({ body: [] }), 'DELETE /rest/v1/extracted_data': () => ({ body: [] }) },
    });
    const item = await screen.findByTestId(`automation-${extractor.id}`);
    await within(item).findByTestId('progress');
    await user.click(within(item).getByRole('button', { name: 'Excluir' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Excluir automação' }));
    expect(dialog.getByText('Seguir clientes')).toBeVisible();
    expect(dialog.getByText(/irreversível/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Excluir mesmo assim' }));
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(requests.filter(({ route }) => route.startsWith('DELETE')).map(({ route }) => route)).toEqual([
      'DELETE /rest/v1/extracted_data',
      'DELETE /rest/v1/automations',
    ]);
  });

  it('asks before it deletes anything, and says when that failed', async () => {
    const { user, requests } = show({
      rows: [row(1)],
      routes: {
        'DELETE /rest/v1/extracted_data': () => ({ body: [] }),
        'DELETE /rest/v1/automations': () => ({ status: 500, body: { message: '' } }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Excluir automação' }));
    expect(requests.some(({ route }) => route.startsWith('DELETE'))).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Erro ao excluir automação')).toBeVisible();
  });

  it('says at once that nothing was deleted without a connection, and does not do it later', async () => {
    const noConnection = () => Promise.reject(new TypeError('Failed to fetch'));
    const { user, requests } = show({
      rows: [row(1)],
      routes: { 'DELETE /rest/v1/extracted_data': noConnection, 'DELETE /rest/v1/automations': noConnection },
    });
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    act(() => onlineManager.setOnline(false));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Erro ao excluir automação')).toBeVisible();
    const count = (method: string) => requests.filter(({ route }) => route.startsWith(method)).length;
    const [deletions, lists] = [count('DELETE'), count('GET /rest/v1/automations')];
    act(() => onlineManager.setOnline(true));
    // What is shown is read again, and nothing else happens.
    await waitFor(() => expect(count('GET /rest/v1/automations')).toBeGreaterThan(lists));
    expect(count('DELETE')).toBe(deletions);
  });

  it('keeps its question open while a deletion is under way', async () => {
    let answer: (answer: { body: unknown }) => void = () => undefined;
    const { user } = show({
      rows: [row(1)],
      routes: {
        'DELETE /rest/v1/extracted_data': () => new Promise((resolve) => (answer = resolve)),
        'DELETE /rest/v1/automations': () => ({ body: [] }),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Excluir automação' }));
    await user.click(dialog.getByRole('button', { name: 'Excluir' }));
    expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Excluir automação' })).toBeVisible();
    answer({ body: [] });
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

it('sums up at a glance what runs, what stands still and what comes next', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const list = [
    row(1, { next_run_at: '2026-11-21T18:00:00Z' }),
    row(2, { next_run_at: '2026-11-21T15:00:00Z' }),
    row(3, { is_active: false, status: 'blocked', next_run_at: null }),
    row(4, { is_draft: true, is_active: false, status: 'draft' }),
  ].map(listed);
  expect(glanceOf(list, now)).toBe('2 ativas · 1 parada · próxima execução hoje, 12:00');
});
