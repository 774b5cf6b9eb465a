import '@testing-library/jest-dom';
import type { AutomationRow } from '@decola/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import type { Subscription } from '../../session/subscription';
import { type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { overviewOf } from './automation-list';
import { toListed } from './automations';
import { DashboardPage } from './dashboard-page';
import { instagramAccount } from '../../testing/instagram-account';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { findDialog } from '../../testing/dialog';

afterEach(() => {
  toast.dismiss();
  resetOperation();
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
  instagram_account_id: null,
  pause_cause: null,
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
  accounts?: unknown[];
  free?: number;
  path?: string;
  /** Shown beside the page. */
  around?: ReactNode;
  routes?: FakeRoutes;
}

function show({
  subscription = subscribed,
  hasHistory = true,
  rows = [],
  extractions = [],
  accounts = [],
  free = 2,
  path = '/',
  around,
  routes,
}: World = {}) {
  const runtime = fakeApi({
    'GET /rest/v1/automations': () => ({ body: rows }),
    'GET /rest/v1/blog_automations': () => ({ body: [] }),
    'GET /rest/v1/extracted_data': () => ({ body: extractions }),
    'GET /rest/v1/instagram_accounts': () => ({ body: accounts }),
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
      {around}
    </WhenSignedIn>,
    { path },
  );
  return { ...runtime, user: userEvent.setup() };
}

describe('access to the dashboard', () => {
  it('shows its own loading text', async () => {
    show({ routes: { 'POST /functions/v1/check-subscription': () => new Promise<never>(() => undefined) } });
    expect(await screen.findByText('Verificando sua assinatura')).toBeVisible();
  });

  it('offers plans to people who never had one', async () => {
    show({ subscription: notSubscribed, hasHistory: false });
    expect(await screen.findByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  });

  it('redirects former subscribers to the page of their ended subscription', async () => {
    show({ subscription: notSubscribed });
    expect(await screen.findByRole('heading', { name: 'Assinatura cancelada' })).toBeVisible();
  });

  it('does not send a customer who has just paid to the plans', async () => {
    show({ subscription: notSubscribed, path: '/?success=true' });
    expect(await screen.findByText('Verificando sua assinatura')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('shows that a payment was cancelled', async () => {
    show({ path: '/?canceled=true' });
    expect(await screen.findByText('Pagamento cancelado')).toBeVisible();
    expect(screen.getByText('Você pode tentar novamente quando quiser.')).toBeVisible();
  });
});

describe('the tools', () => {
  it('are seven, each with its number of slots', async () => {
    show();
    expect(await screen.findAllByRole('link', { name: /^Use agora/ })).toHaveLength(7);
    expect(screen.getAllByText('1 slot')).toHaveLength(6);
    expect(screen.getAllByText('2 slots')).toHaveLength(1);
    // Articles for a site have no card, so a link leads to their wizard.
    expect(screen.getByRole('link', { name: 'Artigos Automáticos para Blog' })).toHaveAttribute('href', '/automation/blog-automation');
  });

  it('offer larger plans when no slot is free', async () => {
    const { user } = show({ free: 0, subscription: { ...subscribed, used_slots: 3 } });
    const [first] = await screen.findAllByRole('button', { name: /^Sem slots/ });
    expect(screen.getByRole('link', { name: 'Upgrade Plano' })).toHaveAttribute('href', '/planos');
    await user.click(first!);
    expect(await findDialog('Hora de Decolar!')).toBeVisible();
  });
});

describe('how things are', () => {
  const account = (number: number, overrides: Partial<InstagramAccount> = {}) =>
    instagramAccount({ id: `acc${number}`, network_user_id: `${number}`, username: `@conta${number}`, ...overrides });
  const usage = (accountId: string, action: string, used: number, most: number) => ({
    id: `${accountId}${action}`,
    user_id: testUserId,
    instagram_account_id: accountId,
    action,
    hour_used: 0,
    hour_ceiling: 10,
    day_used: used,
    day_ceiling: most,
  });
  const growth = (day: string, followers: number | null) => ({ id: day, instagram_account_id: 'acc1', day, followers });
  const missing = () => ({ status: 404, body: { code: 'PGRST205', message: 'Could not find the table' } });

  it('comes after the tools for a new customer: no panel, one loud button', async () => {
    show();
    expect(await screen.findByRole('heading', { level: 1, name: /Marina\. O que decola primeiro\?$/ })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Resultados' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Use agora: Seguir e Desseguir (1 slot)' })).toBeVisible();
  });

  it('comes first once there are automations, then the tools in one row with names that say all', async () => {
    show({ rows: [row(1, { instagram_account_id: 'acc1' })], accounts: [account(1)] });
    const panel = await screen.findByRole('region', { name: 'Resultados' });
    expect(await within(panel).findByRole('radio', { name: /@conta1/ })).toBeChecked();
    expect(within(panel).getByText('No ar · 1 automação')).toBeVisible();
    expect(screen.getByText('Uma automação no ar.')).toBeVisible();
    const tools = screen.getByRole('region', { name: 'Ferramentas' });
    expect(panel.compareDocumentPosition(tools)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const direct = within(tools).getByRole('link', { name: /^Use agora: Direct Automático \(2 slots\)/ });
    expect(direct).toHaveAccessibleDescription(/Envie um direct a quem comentar/);
  });

  it('says of a tool that does not run yet that only a draft can be saved', async () => {
    setInOperation('prize-extractor', false);
    show({ rows: [row(1)] });
    const wheel = await screen.findByRole('link', { name: /^Use agora: Roleta de Prêmios \(1 slot\).*Em breve/ });
    expect(wheel).toHaveAccessibleDescription(/salve só um rascunho/);
    expect(screen.getByRole('link', { name: 'Use agora: Seguir e Desseguir (1 slot)' })).not.toHaveAccessibleDescription(/rascunho/);
  });

  it('counts the actions of the chosen account against its limits', async () => {
    const { user } = show({
      rows: [row(1, { instagram_account_id: 'acc1' })],
      accounts: [account(1), account(2)],
      routes: {
        'GET /rest/v1/account_usage': () => ({ body: [usage('acc1', 'follow', 55, 60), usage('acc2', 'follow', 3, 25)] }),
        'GET /rest/v1/account_growth': missing,
      },
    });
    expect(await screen.findByRole('img', { name: 'Seguir: 55 de 60 ações' })).toBeInTheDocument();
    expect(screen.getByText('quase lá')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: /@conta2/ }));
    expect(await screen.findByRole('img', { name: 'Seguir: 3 de 25 ações' })).toBeInTheDocument();
    expect(screen.queryByText('quase lá')).not.toBeInTheDocument();
  });

  it('shows empty scales while the server has no data yet, or not even the tables', async () => {
    show({
      rows: [row(1, { instagram_account_id: 'acc1' })],
      accounts: [account(1)],
      routes: { 'GET /rest/v1/account_usage': missing, 'GET /rest/v1/account_growth': missing },
    });
    expect(await screen.findByRole('img', { name: 'Seguir: ainda sem dados' })).toBeInTheDocument();
    expect(screen.getByText('As marcas se acendem com a primeira execução desta conta.')).toBeVisible();
    expect(screen.getByText('O número aparece quando a primeira execução passar pelo seu perfil.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Tentar novamente' })).not.toBeInTheDocument();
  });

  it('shows followers by day, as a table too, and draws no line through one day', async () => {
    const days = [growth('2026-11-20', 1_200), growth('2026-11-18', 1_150), growth('2026-11-19', null)];
    let shown = days;
    const { user } = show({
      rows: [row(1, { instagram_account_id: 'acc1' })],
      accounts: [account(1), account(2)],
      routes: { 'GET /rest/v1/account_growth': () => ({ body: shown }) },
    });
    expect(await screen.findByText('+50 em 2 dias')).toBeVisible();
    const table = within(screen.getByRole('table', { name: 'Seguidores por dia' }));
    expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['1.150', '1.200']);
    shown = [];
    await user.click(screen.getByRole('radio', { name: /@conta2/ }));
    expect(screen.queryByRole('table', { name: 'Seguidores por dia' })).not.toBeInTheDocument();
  });

  it('tells a stop once, on its account, with the automations that a new session revives', async () => {
    const stopped = { is_active: false, status: 'blocked', pause_cause: 'session_ended', status_reason: 'A sessão terminou.' } as const;
    show({
      rows: [
        row(1, { ...stopped, instagram_account_id: 'acc1' }),
        row(2, { ...stopped, instagram_account_id: 'acc1' }),
        row(3, { instagram_account_id: 'acc1', type: 'followers-following-extractor', status: 'done' }),
        row(4, { instagram_account_id: 'acc1', is_active: false, status: 'paused' }),
      ],
      accounts: [account(1, { state: 'needs_session', pause_cause: 'session_ended', pause_reason: 'A sessão terminou.' }), account(2)],
    });
    const notice = within(await screen.findByRole('region', { name: 'A sessão de @conta1 terminou' }));
    expect(
      notice.getByText('Com a nova sessão voltam sozinhas: Automação 1 e Automação 2. Listas concluídas continuam concluídas.'),
    ).toBeVisible();
    expect(screen.getAllByText('A sessão terminou.')).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Colar novo cookie' })).toHaveLength(1);
    expect(screen.getAllByText(/Espera a conta @conta1\./)).toHaveLength(2);
    expect(screen.getByText('Nenhuma automação no ar. Uma conta precisa de você.')).toBeVisible();
    expect(screen.getByText('Precisa de você')).toBeVisible();
  });

  it('asks for no session of an account that no automation waits for', async () => {
    show({
      rows: [row(1, { instagram_account_id: 'acc1', type: 'followers-following-extractor', status: 'done' })],
      accounts: [account(1, { state: 'needs_session', pause_cause: 'session_ended', pause_reason: 'A sessão terminou.' })],
    });
    expect(await screen.findByText('Sem sessão')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Colar novo cookie' })).not.toBeInTheDocument();
  });
});

describe('the list', () => {
  it('says how to start when it is empty', async () => {
    show();
    expect(await screen.findByText('Nenhuma automação configurada')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Upgrade Plano' })).not.toBeInTheDocument();
  });

  it('offers more slots, and a larger plan when all are in use', async () => {
    const { user } = show({ rows: [row(1)], free: 0, subscription: { ...subscribed, used_slots: 3 } });
    expect(await screen.findByRole('link', { name: 'Upgrade Plano' })).toHaveAttribute('href', '/planos');
    await user.click(screen.getByRole('button', { name: 'Adicionar mais slots' }));
    const dialog = await findDialog('Hora de Decolar!');
    expect(within(dialog).getByText('Limite de slots atingido!')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Talvez depois...' }));
    expect(screen.getByRole('button', { name: 'Adicionar mais slots' })).toHaveFocus();
  });

  it('does not offer a larger plan after a deletion freed a slot, although the subscription’s count lags behind', async () => {
    show({ free: 1, subscription: { ...subscribed, used_slots: 3 } });
    await screen.findAllByRole('link', { name: /^Use agora/ });
    expect(screen.queryByRole('link', { name: 'Upgrade Plano' })).not.toBeInTheDocument();
  });

  it('shows that it failed to load, and loads on retry', async () => {
    let isBroken = true;
    const { user } = show({
      routes: { 'GET /rest/v1/automations': () => (isBroken ? { status: 500, body: { message: '' } } : { body: [row(1)] }) },
    });
    await screen.findByText('Não foi possível carregar suas automações.');
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByText('Automação 1')).toBeVisible();
  });

  it('restores the old name when a rename is refused', async () => {
    const { user } = show({
      rows: [row(1)],
      routes: { 'PATCH /rest/v1/automations': () => ({ status: 400, body: { message: 'Não deu.', code: 'P0001' } }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Automação 1' }));
    await user.type(screen.getByRole('textbox', { name: 'Nome da automação' }), '{Control>}a{/Control}Outra{Enter}');
    expect(await screen.findByText('Erro ao renomear automação')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Automação 1' })).toBeVisible();
  });

  it('shows the success without waiting for the refetch of other queries', async () => {
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
    await user.click(second.getByRole('button', { name: /^Excluir/ }));
    isListSlow = true;
    await user.click(within(await findDialog()).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByText('Automação 2')).not.toBeInTheDocument();
  });

  it('warns of automations that use the list, and deletes on confirmation', async () => {
    const extractor = row(1, {
      name: 'Clientes',
      type: 'followers-following-extractor',
      configuration: { targets: '@cafe', extractionType: 'followers' },
    });
    const reader = row(2, { name: 'Seguir clientes', configuration: { extractedSlotId: 'e1' } });
    const { user, requests } = show({
      rows: [extractor, reader],
      extractions: [
        {
          id: 'e1',
          automation_id: extractor.id,
          data_type: 'followers',
          csv_url: '',
          file_name: '',
          total_records: 5_000,
          profile_total: 5_000,
          state: 'complete',
          state_reason: null,
          created_at: '2026-11-03T12:00:00Z',
        },
        {
          id: 'e2',
          automation_id: extractor.id,
          data_type: 'comments',
          csv_url: '',
          file_name: '',
          total_records: 1,
          profile_total: 1,
          state: 'complete',
          state_reason: null,
          created_at: '2026-11-02T12:00:00Z',
        },
      ],
      routes: { 'DELETE /rest/v1/automations': () => ({ body: [] }), 'DELETE /rest/v1/extracted_data': () => ({ body: [] }) },
    });
    const item = await screen.findByTestId(`automation-${extractor.id}`);
    await within(item).findByTestId('progress');
    await user.click(within(item).getByRole('button', { name: /^Excluir/ }));
    const dialog = within(await findDialog('Excluir automação'));
    expect(dialog.getByText('Seguir clientes')).toBeVisible();
    expect(dialog.getByText('Clientes · Extrair · seguidores de @cafe')).toBeVisible();
    expect(dialog.getByText('Lista com 5.000 pessoas, de 3 de novembro de 2026')).toBeVisible();
    expect(dialog.getByText('Lista com 1 comentário, de 2 de novembro de 2026')).toBeVisible();
    expect(dialog.getByText(/irreversível/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Excluir mesmo assim' }));
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(requests.filter(({ route }) => route.startsWith('DELETE')).map(({ route }) => route)).toEqual([
      'DELETE /rest/v1/extracted_data',
      'DELETE /rest/v1/automations',
    ]);
  });

  it('asks for confirmation before a deletion, and shows when it failed', async () => {
    const { user, requests } = show({
      rows: [row(1)],
      routes: {
        'DELETE /rest/v1/extracted_data': () => ({ body: [] }),
        'DELETE /rest/v1/automations': () => ({ status: 500, body: { message: '' } }),
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Excluir/ }));
    const dialog = within(await findDialog('Excluir automação'));
    expect(requests.some(({ route }) => route.startsWith('DELETE'))).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Erro ao excluir automação')).toBeVisible();
  });

  it('shows at once that nothing was deleted while offline, and does not delete later', async () => {
    const noConnection = () => Promise.reject(new TypeError('Failed to fetch'));
    const { user, requests } = show({
      rows: [row(1)],
      routes: { 'DELETE /rest/v1/extracted_data': noConnection, 'DELETE /rest/v1/automations': noConnection },
    });
    await user.click(await screen.findByRole('button', { name: /^Excluir/ }));
    act(() => onlineManager.setOnline(false));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Erro ao excluir automação')).toBeVisible();
    const count = (method: string) => requests.filter(({ route }) => route.startsWith(method)).length;
    const [deletions, lists] = [count('DELETE'), count('GET /rest/v1/automations')];
    act(() => onlineManager.setOnline(true));
    // Active queries are refetched, and nothing else happens.
    await waitFor(() => expect(count('GET /rest/v1/automations')).toBeGreaterThan(lists));
    expect(count('DELETE')).toBe(deletions);
  });

  it('keeps the dialog open while a deletion is running', async () => {
    let answer: (answer: { body: unknown }) => void = () => undefined;
    const { user } = show({
      rows: [row(1)],
      routes: {
        'DELETE /rest/v1/extracted_data': () => new Promise((resolve) => (answer = resolve)),
        'DELETE /rest/v1/automations': () => ({ body: [] }),
      },
    });
    await user.click(await screen.findByRole('button', { name: /^Excluir/ }));
    const dialog = within(await findDialog('Excluir automação'));
    await user.click(dialog.getByRole('button', { name: 'Excluir' }));
    expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Excluir automação' })).toBeVisible();
    answer({ body: [] });
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('a long list', () => {
  const thousand = Array.from({ length: 1_000 }, (_, index) =>
    row(index + 1, {
      created_at: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
      ...(index % 10 === 9 ? { is_active: false, status: 'paused' } : {}),
      ...(index === 998 ? { is_draft: true, is_active: false, status: 'draft' } : {}),
      ...(index === 999 ? { name: 'Pão de queijo', configuration: { action: 'follow', method: 'hashtag', targets: '#café' } } : {}),
    }),
  );
  const names = () => screen.getAllByTestId(/^automation-/).map((item) => within(item).getByRole('heading').textContent);
  const Address = () => <output aria-label="endereço">{useLocation().search}</output>;
  const address = () => screen.getByRole('status', { name: 'endereço' }).textContent;
  const open = (path = '/', world: World = {}) => show({ rows: thousand, path, around: <Address />, ...world });

  it('has few nodes, and leads to every automation with the keyboard alone', async () => {
    const { user } = open();
    expect(await screen.findAllByTestId(/^automation-/)).toHaveLength(25);
    expect(document.body.querySelectorAll('*').length).toBeLessThan(3_000);
    const pages = () => screen.getByRole('navigation', { name: 'Páginas da lista' });
    expect(within(pages()).getByText('1 a 25 de 1.000')).toBeVisible();
    expect(within(pages()).getByRole('button', { name: 'Anteriores' })).toBeDisabled();

    within(pages()).getByRole('button', { name: 'Próximas' }).focus();
    await user.keyboard('{Enter}');
    expect(within(pages()).getByText('26 a 50 de 1.000')).toBeVisible();
    expect(names()[0]).toBe('Automação 26');
    expect(screen.getByRole('heading', { name: 'Suas automações' })).toHaveFocus();
    expect(address()).toBe('?pagina=2');
    expect(document.body.querySelectorAll('*').length).toBeLessThan(3_000);
  });

  it('shows the page that the address names, and the last one when there are fewer', async () => {
    open('/?pagina=99');
    expect(await screen.findByText('976 a 1.000 de 1.000')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Próximas' })).toBeDisabled();
    expect(names().at(-1)).toBe('Pão de queijo');
  });

  it('is searched by name, target, tool and account, without accents, and says how many were found', async () => {
    const { user } = open('/?pagina=2');
    const field = await screen.findByRole('searchbox', { name: 'Buscar automação' });
    await user.type(field, 'pao  #CAFE');
    await waitFor(() => expect(names()).toEqual(['Pão de queijo']));
    expect(screen.getByText('1 automação na lista')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Todas 1' })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.queryByRole('navigation', { name: 'Páginas da lista' })).not.toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('?busca=pao++%23CAFE'));

    await user.type(field, ' nada disso');
    expect(await screen.findByText('Nenhuma automação encontrada')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Mostrar todas' }));
    expect(await screen.findByText('1 a 25 de 1.000')).toBeVisible();
    expect(field).toHaveValue('');
    await waitFor(() => expect(address()).toBe(''));
  });

  it('is narrowed down to a state, with the number of each', async () => {
    const { user } = open();
    const states = await screen.findByRole('group', { name: 'Mostrar' });
    expect(
      within(states)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Todas 1.000', 'Ativas 899', 'Paradas 100', 'Rascunhos 1', 'Concluídas 0']);
    await user.click(within(states).getByRole('button', { name: 'Rascunhos 1' }));
    expect(names()).toEqual(['Automação 999']);
    expect(address()).toBe('?estado=rascunhos');
  });

  it('begins with what the address says', async () => {
    open('/?busca=Automa%C3%A7%C3%A3o+99&estado=paradas');
    expect(await screen.findByRole('searchbox', { name: 'Buscar automação' })).toHaveValue('Automação 99');
    expect(names()).toEqual(['Automação 990']);
  });

  it('is searched only when it is long', async () => {
    open('/', { rows: thousand.slice(0, 10) });
    expect(await screen.findAllByTestId(/^automation-/)).toHaveLength(10);
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
  });
});

it('counts active and stopped automations, and names the next run', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const list = [
    row(1, { next_run_at: '2026-11-21T18:00:00Z' }),
    row(2, { next_run_at: '2026-11-21T15:00:00Z' }),
    row(3, { is_active: false, status: 'blocked', next_run_at: null }),
    row(4, { is_draft: true, is_active: false, status: 'draft' }),
  ].map(toListed);
  expect(overviewOf(list, now)).toBe('2 ativas · 1 parada · próxima execução hoje, 12:00');
});
