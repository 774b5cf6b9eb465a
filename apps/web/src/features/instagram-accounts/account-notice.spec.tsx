import '@testing-library/jest-dom';
import { useQuery } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import { fakeApi, type FakeRoutes, renderPage, testUserId } from '../../testing/render-page';
import { AccountNotice } from './account-notice';
import { type InstagramAccount, instagramAccountsQuery } from './stopped-accounts';
import { instagramAccount } from '../../testing/instagram-account';

afterEach(() => void toast.dismiss());

const reason = 'O Instagram pediu uma confirmação de segurança. Depois cole um novo cookie aqui ou use “Já resolvi no Instagram”.';
const account = instagramAccount({ state: 'needs_session', pause_cause: 'challenge', pause_reason: reason });
const pressed = { ...account, resolved_at: '2026-11-21T12:00:00Z', next_check_at: '2026-11-21T13:00:00Z' };
const ended = { ...account, pause_cause: 'session_ended', pause_reason: 'A sessão do Instagram terminou.' };
const session = (userId: string) =>
  JSON.stringify([
    { name: 'sessionid', value: `${userId}%3A${'a'.repeat(40)}%3A1%3AAYc`, domain: '.instagram.com' },
    { name: 'ds_user_id', value: userId, domain: '.instagram.com' },
  ]);

interface Options {
  stored?: InstagramAccount;
  waiting?: string[];
  hasFinishedLists?: boolean;
  routes?: FakeRoutes;
}

/** The notice of the account as the server has it now. */
function Live({ waiting, hasFinishedLists }: { waiting: readonly string[]; hasFinishedLists: boolean }) {
  const { session: signedIn } = useSession();
  const accounts = useQuery({ ...instagramAccountsQuery(testUserId), enabled: signedIn !== null });
  const [first] = accounts.data ?? [];
  return first ? <AccountNotice userId={testUserId} account={first} waiting={waiting} hasFinishedLists={hasFinishedLists} isFirst /> : null;
}

async function show({ stored = account, waiting = ['Seguir'], hasFinishedLists = false, routes = {} }: Options = {}) {
  const runtime = fakeApi({ 'GET /rest/v1/instagram_accounts': () => ({ body: [stored] }), ...routes });
  runtime.signIn();
  renderPage(<Live waiting={waiting} hasFinishedLists={hasFinishedLists} />);
  return { ...runtime, notice: within(await screen.findByRole('region', { name: /@cafe\.da\.lia/ })), user: userEvent.setup() };
}

const resolveName = 'Já resolvi no Instagram';

describe('the notice of a stopped account', () => {
  it.each<[string, Partial<InstagramAccount>]>([
    ['O Instagram pediu uma confirmação em @cafe.da.lia', {}],
    ['O Instagram suspendeu @cafe.da.lia', { pause_cause: 'suspended' }],
    ['A sessão de @cafe.da.lia terminou', { pause_cause: 'session_ended' }],
    ['O cookie abriu outra conta, não @cafe.da.lia', { pause_cause: 'wrong_account' }],
    ['Falta a sessão de @cafe.da.lia', { pause_cause: null }],
    ['@cafe.da.lia está parada por um tempo', { state: 'paused', pause_cause: 'action_blocked' }],
    ['Conferindo @cafe.da.lia', { state: 'checking' }],
  ])('is titled “%s”', async (title, change) => {
    await show({ stored: { ...account, ...change } });
    expect(screen.getByRole('region', { name: title })).toBeInTheDocument();
  });

  it('says which automations a new session revives, and that finished lists stay finished', async () => {
    const { notice } = await show({ stored: ended, waiting: ['A', 'B', 'C'], hasFinishedLists: true });
    expect(notice.getByText('Com a nova sessão voltam sozinhas: A, B e C. Listas concluídas continuam concluídas.')).toBeInTheDocument();
  });

  it('asks for nothing when the account goes on by itself', async () => {
    const { notice } = await show({ stored: { ...account, state: 'paused', pause_cause: 'action_blocked' } });
    expect(notice.getByText('Quando a conta voltar, volta sozinha: Seguir.')).toBeInTheDocument();
    expect(notice.queryByRole('button')).not.toBeInTheDocument();
  });

  it('names five of many automations', async () => {
    const { notice } = await show({ waiting: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] });
    expect(notice.getByText('Quando a conta voltar, voltam sozinhas: A, B, C, D, E e mais 2.')).toBeInTheDocument();
  });
});

describe('the place to paste a new session', () => {
  it('sends the session of the account, once, and closes', async () => {
    const { notice, user, requests } = await show({
      stored: ended,
      routes: { 'POST /rest/v1/instagram_sessions': () => ({ status: 201, body: [{ id: 's1' }] }) },
    });
    await user.click(notice.getByRole('button', { name: 'Colar novo cookie' }));
    const field = await notice.findByLabelText('Cookie do Instagram');
    expect(field).toHaveFocus();
    await user.click(field);
    await user.paste(session('4242424242'));
    expect(await notice.findByRole('status')).toHaveTextContent('Reconhecido: Lista em JSON.');
    await user.click(notice.getByRole('button', { name: 'Salvar sessão' }));
    expect(await screen.findByText('Sessão recebida')).toBeInTheDocument();
    expect(notice.queryByLabelText('Cookie do Instagram')).not.toBeInTheDocument();
    const sent = requests.filter(({ route }) => route === 'POST /rest/v1/instagram_sessions');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      user_id: testUserId,
      cookies: { raw_cookie: session('4242424242') },
      username: '4242424242',
      is_active: true,
    });
  });

  it.each([
    ['nothing', '', 'Cole o cookie antes de salvar'],
    ['the cookie of another account', session('1717171717'), /Este cookie é de outra conta\. Entre como @cafe\.da\.lia/],
  ])('refuses %s before it is sent', async (_, pasted, message) => {
    const { notice, user, requests } = await show({ stored: ended });
    await user.click(notice.getByRole('button', { name: 'Colar novo cookie' }));
    await user.click(await notice.findByLabelText('Cookie do Instagram'));
    if (pasted) await user.paste(pasted);
    await user.click(notice.getByRole('button', { name: 'Salvar sessão' }));
    expect(await notice.findByRole('alert')).toHaveTextContent(message);
    expect(requests.some(({ route }) => route.startsWith('POST'))).toBe(false);
  });

  it('keeps what was pasted when it could not be saved', async () => {
    const { notice, user } = await show({
      stored: ended,
      routes: {
        'POST /rest/v1/instagram_sessions': () => ({ status: 400, body: { code: 'P0001', message: 'Esta sessão já terminou.' } }),
      },
    });
    await user.click(notice.getByRole('button', { name: 'Colar novo cookie' }));
    await user.click(await notice.findByLabelText('Cookie do Instagram'));
    await user.paste(session('4242424242'));
    await user.click(notice.getByRole('button', { name: 'Salvar sessão' }));
    expect(await screen.findByText('Esta sessão já terminou.')).toBeInTheDocument();
    expect(notice.getByLabelText('Cookie do Instagram')).toHaveValue(session('4242424242'));
    await user.click(notice.getByRole('button', { name: 'Cancelar' }));
    expect(await notice.findByRole('button', { name: 'Colar novo cookie' })).toHaveFocus();
  });
});

describe('a stop that only the customer can resolve', () => {
  it.each(['challenge', 'suspended'])('can be reported as resolved after a %s, and says what happens next', async (cause) => {
    let stored = { ...account, pause_cause: cause };
    const { notice, user, requests } = await show({
      routes: {
        'GET /rest/v1/instagram_accounts': () => ({ body: [stored] }),
        'PATCH /rest/v1/instagram_accounts': () => ({ body: [(stored = { ...pressed, pause_cause: cause })] }),
      },
    });
    await user.click(notice.getByRole('button', { name: resolveName }));
    expect(await screen.findByText('Combinado')).toBeInTheDocument();
    expect(screen.getByText('Em uma hora conferimos a conta e, se estiver tudo certo, as automações voltam sozinhas.')).toBeInTheDocument();
    expect(await notice.findByRole('status')).toHaveTextContent('Aviso recebido. A conferência da conta está marcada.');
    expect(notice.queryByRole('button', { name: resolveName })).not.toBeInTheDocument();
    const [patch] = requests.filter(({ route }) => route.startsWith('PATCH'));
    expect(patch).toMatchObject({ route: 'PATCH /rest/v1/instagram_accounts', body: { resolved_at: expect.any(String) as string } });
    expect(patch?.search).toContain(`id=eq.${account.id}`);
    expect(notice.getByText(reason)).toBeInTheDocument();
  });

  it.each([
    ['A conferência da conta está marcada', pressed],
    ['Falta colar o cookie da conta', { ...pressed, next_check_at: null }],
    ['Conferindo a conta no Instagram', { ...pressed, state: 'checking' as const }],
  ])('still shows after a reload: %s', async (text, stored) => {
    const { notice } = await show({ stored });
    expect(await notice.findByRole('status')).toHaveTextContent(text);
    expect(notice.queryByRole('button', { name: resolveName })).not.toBeInTheDocument();
    expect(notice.getByRole('button', { name: 'Colar novo cookie' })).toBeEnabled();
  });

  it('says how to continue when no session is stored', async () => {
    const { notice, user } = await show({
      routes: { 'PATCH /rest/v1/instagram_accounts': () => ({ body: [{ ...pressed, next_check_at: null }] }) },
    });
    await user.click(notice.getByRole('button', { name: resolveName }));
    expect(await screen.findByText(/Em uma hora o mesmo cookie pode ser colado de novo/)).toBeInTheDocument();
  });

  it.each([
    [
      'O Instagram não espera nenhuma confirmação desta conta.',
      { status: 400, body: { code: 'P0001', message: 'O Instagram não espera nenhuma confirmação desta conta.' } },
    ],
    ['Tente novamente em alguns instantes.', { status: 500, body: { code: 'XX000', message: 'broken' } }],
    ['Tente novamente em alguns instantes.', { body: [] }],
  ])('shows that the report failed, and keeps the button: %s', async (text, answer) => {
    const { notice, user } = await show({ routes: { 'PATCH /rest/v1/instagram_accounts': () => answer } });
    await user.click(notice.getByRole('button', { name: resolveName }));
    expect(await screen.findByText('Não foi possível registrar seu aviso')).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(notice.getByRole('button', { name: resolveName })).toBeEnabled();
  });

  it('offers no report after a session that ended', async () => {
    const { notice } = await show({ stored: ended });
    expect(notice.queryByRole('button', { name: resolveName })).not.toBeInTheDocument();
  });
});
