import { defaultNotices } from '@decola/contracts';
import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { RequireSession } from '../../session/require-session';
import { type FakeRoutes, fakeApi, renderPage, testSession, testUserId } from '../../testing/render-page';
import { AccessDenied, AccountPage } from './account-page';
import { deviceName } from './device';
import { findDialog } from '../../testing/dialog';

const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
const session = (id: string, change = {}) => ({
  id,
  created_at: '2026-11-20T12:00:00Z',
  refreshed_at: '2026-11-21T12:00:00Z',
  user_agent: chrome,
  ip: '200.10.20.30',
  aal: 'aal1',
  is_current: false,
  ...change,
});
const factor = { id: 'f1', friendly_name: 'Celular da Ana', factor_type: 'totp', status: 'verified', created_at: '2026-11-20T12:00:00Z' };
const me = testSession().user;

const everything: FakeRoutes = {
  'GET /rest/v1/profiles': () => ({ body: { full_name: 'Marina Alves', notices: defaultNotices } }),
  'GET /auth/v1/user': () => ({ body: me }),
  'PUT /auth/v1/user': () => ({ body: me }),
  'GET /rest/v1/user_sessions': () => ({ body: [session('s1'), session('s2', { is_current: true })] }),
  'GET /rest/v1/security_events': () => ({ body: [] }),
};

async function open(routes: FakeRoutes = {}, options?: Parameters<ReturnType<typeof fakeApi>['signIn']>[0]) {
  const runtime = fakeApi({ ...everything, ...routes });
  runtime.signIn(options);
  renderPage(
    <Routes>
      <Route element={<RequireSession otherwise={<AccessDenied />} />}>
        <Route path="/minha-conta" element={<AccountPage />} />
      </Route>
      <Route path="/auth" element={<h1>Entrada</h1>} />
      <Route path="/" element={<h1>Página inicial</h1>} />
    </Routes>,
    { path: '/minha-conta' },
  );
  await screen.findByRole('heading', { name: 'Minha Conta' });
  const group = (name: string) => within(screen.getByRole('region', { name }));
  const sent = (route: string) => runtime.requests.filter((request) => request.route === route);
  return { ...runtime, group, sent, user: userEvent.setup() };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(cleanup);

it('is denied without a session, with a link to sign in', async () => {
  fakeApi({});
  renderPage(
    <Routes>
      <Route element={<RequireSession otherwise={<AccessDenied />} />}>
        <Route path="/minha-conta" element={<AccountPage />} />
      </Route>
      <Route path="/auth" element={<h1>Entrada</h1>} />
    </Routes>,
    { path: '/minha-conta' },
  );
  expect(await screen.findByRole('heading', { name: 'Acesso negado' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Entrar' })).toHaveAttribute('href', '/auth');
});

describe('the name', () => {
  it('is saved in the profile and in the session', async () => {
    const { group, sent, user } = await open({ 'PATCH /rest/v1/profiles': () => ({ status: 204 }) });
    const field = await group('Perfil').findByLabelText('Nome completo');
    expect(field).toHaveValue('Marina Alves');
    await user.clear(field);
    await user.type(field, ' Marina Souza ');
    await user.click(group('Perfil').getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Perfil atualizado')).toBeInTheDocument();
    expect(sent('PATCH /rest/v1/profiles')).toMatchObject([{ body: { full_name: 'Marina Souza' }, search: `?user_id=eq.${testUserId}` }]);
    expect(sent('PUT /auth/v1/user')).toMatchObject([{ body: { data: { full_name: 'Marina Souza' } } }]);
  });

  it('must not be empty', async () => {
    const { group, requests, user } = await open();
    const field = await group('Perfil').findByLabelText('Nome completo');
    await user.clear(field);
    await user.click(group('Perfil').getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Nome obrigatório')).toBeInTheDocument();
    expect(screen.getByText('Por favor, insira seu nome completo.')).toBeInTheDocument();
    expect(field).toHaveFocus();
    expect(requests.some(({ route }) => route.startsWith('PATCH'))).toBe(false);
  });

  it('stays in its field when it could not be saved', async () => {
    const { group, user } = await open({ 'PATCH /rest/v1/profiles': () => ({ status: 500, body: { message: 'não' } }) });
    const field = await group('Perfil').findByLabelText('Nome completo');
    await user.type(field, ' Souza');
    await user.click(group('Perfil').getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Erro ao atualizar perfil')).toBeInTheDocument();
    expect(field).toHaveValue('Marina Alves Souza');
  });

  it('can be loaded again after an error', async () => {
    let isDown = true;
    const { group, user } = await open({
      'GET /rest/v1/profiles': () => (isDown ? { status: 400, body: { message: 'não' } } : { body: { full_name: 'Marina' } }),
    });
    expect(await group('Perfil').findByText('Não foi possível carregar seu perfil.')).toBeVisible();
    isDown = false;
    await user.click(group('Perfil').getByRole('button', { name: 'Tentar novamente' }));
    expect(await group('Perfil').findByLabelText('Nome completo')).toHaveValue('Marina');
  });
});

describe('the email', () => {
  it('is changed by a link that leads back to this page', async () => {
    const { group, sent, user } = await open({ 'PUT /auth/v1/user': () => ({ body: { ...me, new_email: 'nova@example.com' } }) });
    expect(group('Email').getByText('marina@cafeteria.example')).toBeVisible();
    await user.type(group('Email').getByLabelText('Novo email'), 'nova@example.com');
    await user.click(group('Email').getByRole('button', { name: 'Alterar email' }));
    expect(await screen.findByText('Email atualizado')).toBeInTheDocument();
    expect(sent('PUT /auth/v1/user')).toMatchObject([
      { body: { email: 'nova@example.com' }, search: `?redirect_to=${encodeURIComponent(`${window.location.origin}/minha-conta`)}` },
    ]);
    expect(await group('Email').findByText('nova@example.com')).toBeVisible();
  });

  it.each(['', 'nova'])('cannot be "%s"', async (text) => {
    const { group, sent, user } = await open();
    const field = group('Email').getByLabelText('Novo email');
    if (text) await user.type(field, text);
    await user.click(group('Email').getByRole('button', { name: 'Alterar email' }));
    expect(await screen.findByText('Email inválido')).toBeInTheDocument();
    expect(screen.getByText('Por favor, insira um email válido.')).toBeInTheDocument();
    expect(field).toBeInvalid();
    expect(sent('PUT /auth/v1/user')).toEqual([]);
  });
});

describe('the password', () => {
  async function change({ current = '', password = '', confirmation = '' }, routes: FakeRoutes = {}) {
    const page = await open(routes);
    const type = async (label: string, text: string) => {
      if (text) await page.user.type(page.group('Senha').getByLabelText(label), text);
    };
    await type('Senha atual', current);
    await type('Nova senha', password);
    await type('Confirmar nova senha', confirmation);
    await page.user.click(page.group('Senha').getByRole('button', { name: 'Alterar senha' }));
    return { ...page, changes: () => page.sent('PUT /auth/v1/user').map(({ body }) => body) };
  }

  it.each([
    [{ password: 'abc123' }, 'Campos obrigatórios'],
    [{ password: 'abc123', confirmation: 'abc124' }, 'Senhas não coincidem'],
    [{ password: 'abc12', confirmation: 'abc12' }, 'Senha muito curta'],
  ])('is refused as %j: %s', async (fields, title) => {
    const { changes } = await change(fields);
    expect(await screen.findByText(title)).toBeInTheDocument();
    expect(changes()).toEqual([]);
  });

  it('is changed without the current one', async () => {
    const { changes, group } = await change({ password: 'abc123', confirmation: 'abc123' });
    expect(await screen.findByText('Senha atualizada')).toBeInTheDocument();
    expect(changes()).toMatchObject([{ password: 'abc123' }]);
    expect(changes()[0]).not.toHaveProperty('current_password');
    expect(group('Senha').getByLabelText('Nova senha')).toHaveValue('');
  });

  it('is checked against the current one when that is filled in', async () => {
    const { changes, group } = await change(
      { current: 'errada', password: 'abc123', confirmation: 'abc123' },
      { 'PUT /auth/v1/user': () => ({ status: 400, body: { code: 'current_password_invalid', message: 'Current password is invalid' } }) },
    );
    expect(await screen.findByText('Erro ao atualizar senha')).toBeInTheDocument();
    expect(screen.getByText('A senha atual está incorreta.')).toBeInTheDocument();
    expect(changes()).toMatchObject([{ password: 'abc123', current_password: 'errada' }]);
    await waitFor(() => expect(group('Senha').getByLabelText('Senha atual')).toHaveFocus());
    expect(group('Senha').getByLabelText('Nova senha')).toHaveValue('abc123');
  });
});

describe('the second factor', () => {
  it('is added with a QR code or a key, and confirmed with a code', async () => {
    let verified = false;
    const { group, sent, user } = await open({
      'GET /auth/v1/user': () => ({
        body: {
          ...me,
          factors: verified ? [{ ...factor, friendly_name: 'Aplicativo autenticador' }] : [{ ...factor, id: 'f0', status: 'unverified' }],
        },
      }),
      'DELETE /auth/v1/factors/f0': () => ({ body: { id: 'f0' } }),
      'POST /auth/v1/factors': () => ({
        body: { id: 'f1', type: 'totp', totp: { qr_code: '<svg fill="#000"></svg>', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x' } },
      }),
      'POST /auth/v1/factors/f1/challenge': () => ({ body: { id: 'c1', type: 'totp', expires_at: 9_999_999_999 } }),
      'POST /auth/v1/factors/f1/verify': (body) => {
        if ((body as { code: string }).code !== '123456')
          return { status: 422, body: { code: 'mfa_verification_failed', message: 'Invalid' } };
        verified = true;
        return { body: testSession({ aal: 'aal2', user: { factors: [factor] } }) };
      },
    });
    await user.click(await group('Verificação em duas etapas').findByRole('button', { name: 'Ativar' }));
    const dialog = within(await findDialog('Verificação em duas etapas'));
    expect(await dialog.findByRole('img')).toHaveAttribute('src', 'data:image/svg+xml,%3Csvg%20fill%3D%22%23000%22%3E%3C%2Fsvg%3E');
    expect(dialog.getByTestId('totp-secret')).toHaveTextContent('JBSW Y3DP EHPK 3PXP');
    expect(sent('DELETE /auth/v1/factors/f0')).toHaveLength(1);
    expect(sent('POST /auth/v1/factors')).toMatchObject([
      { body: { factor_type: 'totp', issuer: 'Decola', friendly_name: 'Aplicativo autenticador' } },
    ]);
    const code = dialog.getByLabelText('2. Digite o código que ele mostra');
    await user.type(code, '000000{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Código incorreto/));
    await user.clear(code);
    await user.type(code, '123456{Enter}');
    expect(await screen.findByText('Verificação em duas etapas ativada')).toBeInTheDocument();
    expect(await group('Verificação em duas etapas').findByText('Ativada')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('requires a confirmed email first, and sends the mail for it', async () => {
    const { group, sent, user } = await open({
      'POST /auth/v1/factors': () => ({ status: 403, body: { code: 'email_not_confirmed', message: 'Prove that you read the mailbox' } }),
      'POST /auth/v1/recover': () => ({ body: {} }),
    });
    await user.click(await group('Verificação em duas etapas').findByRole('button', { name: 'Ativar' }));
    const dialog = within(await findDialog('Verificação em duas etapas'));
    expect(await dialog.findByText(/confirme que o email marina@cafeteria\.example é seu/)).toBeVisible();
    expect(dialog.queryByRole('img')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Enviar email de confirmação' }));
    expect(await dialog.findByText(/Enviamos o link para marina@cafeteria\.example/)).toBeVisible();
    expect(sent('POST /auth/v1/recover')).toMatchObject([
      { body: { email: 'marina@cafeteria.example' }, search: `?redirect_to=${encodeURIComponent(`${window.location.origin}/auth`)}` },
    ]);
    expect(dialog.getByRole('button', { name: 'Enviar de novo' })).toBeVisible();
  });

  it('is removed after a confirmation', async () => {
    let factors = [factor];
    const { group, user } = await open(
      {
        'GET /auth/v1/user': () => ({ body: { ...me, factors } }),
        'DELETE /auth/v1/factors/f1': () => {
          factors = [];
          return { body: { id: 'f1' } };
        },
        'POST /auth/v1/token': () => ({ body: testSession() }),
      },
      { aal: 'aal2', user: { factors: [factor] } },
    );
    await user.click(await group('Verificação em duas etapas').findByRole('button', { name: 'Remover Celular da Ana' }));
    const dialog = within(await findDialog('Remover aplicativo'));
    expect(dialog.getByText(/sua senha passa a bastar/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Remover' }));
    expect(await screen.findByText('Verificação em duas etapas desativada')).toBeInTheDocument();
    expect(await group('Verificação em duas etapas').findByRole('button', { name: 'Ativar' })).toBeVisible();
  });
});

describe('sessions', () => {
  it('are listed with the current one first, and can be ended one by one', async () => {
    let rows = [session('s1'), session('s2', { is_current: true, user_agent: null })];
    const { group, sent, user } = await open({
      'GET /rest/v1/user_sessions': () => ({ body: rows }),
      'DELETE /rest/v1/user_sessions': () => {
        rows = rows.slice(1);
        return { body: [{ id: 's1' }] };
      },
    });
    const items = await group('Sessões').findAllByRole('listitem');
    expect(items[0]).toHaveTextContent(/Dispositivo desconhecido.*Esta sessão/);
    expect(items[1]).toHaveTextContent('Chrome no Android');
    expect(within(items[0]!).queryByRole('button')).not.toBeInTheDocument();
    await user.click(within(items[1]!).getByRole('button', { name: /^Encerrar sessão: Chrome no Android/ }));
    expect(await screen.findByText('Sessão encerrada')).toBeInTheDocument();
    expect(sent('DELETE /rest/v1/user_sessions')).toMatchObject([{ search: '?id=eq.s1&select=id' }]);
    expect(await group('Sessões').findByText('Você só está conectado aqui.')).toBeVisible();
  });

  it('are shown in full on request', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => session(`s${index}`, { is_current: index === 7 }));
    const { group, user } = await open({ 'GET /rest/v1/user_sessions': () => ({ body: rows }) });
    const few = await group('Sessões').findAllByRole('listitem');
    expect(few).toHaveLength(5);
    expect(few[0]).toHaveTextContent('Esta sessão');
    await user.click(group('Sessões').getByRole('button', { name: 'Mostrar todas (8)' }));
    expect(group('Sessões').getAllByRole('listitem')).toHaveLength(8);
    expect(group('Sessões').queryByRole('button', { name: /^Mostrar todas/ })).not.toBeInTheDocument();
  });

  it('can all be ended except the current one', async () => {
    const { group, sent, user } = await open({ 'POST /auth/v1/logout': () => ({ status: 204 }) });
    await user.click(await group('Sessões').findByRole('button', { name: 'Encerrar todas as outras' }));
    expect(await screen.findByText('Outras sessões encerradas')).toBeInTheDocument();
    expect(sent('POST /auth/v1/logout')).toMatchObject([{ search: '?scope=others' }]);
    expect(screen.getByRole('heading', { name: 'Minha Conta' })).toBeVisible();
  });
});

describe('security events', () => {
  it('are shown with labels, ten at a time', async () => {
    const events = Array.from({ length: 30 }, (_, index) => ({
      id: index,
      kind: index === 0 ? 'sign_in.wrong_password' : index === 1 ? 'something.newer' : 'sign_in.password',
      ip: '200.10.20.30',
      user_agent: chrome,
      created_at: '2026-11-21T12:00:00Z',
    }));
    const { group, user } = await open({
      'GET /rest/v1/security_events': (_, url) => ({ body: events.slice(0, Number(url.searchParams.get('limit'))) }),
    });
    expect(await group('Atividade').findByText('Tentativa de entrada com senha errada')).toBeVisible();
    expect(group('Atividade').getByText('Atividade na conta')).toBeVisible();
    expect(group('Atividade').getAllByRole('listitem')).toHaveLength(10);
    await user.click(group('Atividade').getByRole('button', { name: 'Mostrar mais' }));
    await waitFor(() => expect(group('Atividade').getAllByRole('listitem')).toHaveLength(30));
    expect(group('Atividade').queryByRole('button', { name: 'Mostrar mais' })).not.toBeInTheDocument();
  });
});

describe('the data export', () => {
  const saved: { name: string; size: number }[] = [];
  let lastBlob: Blob | undefined;
  beforeEach(() => {
    saved.length = 0;
    URL.createObjectURL = (blob: Blob) => {
      lastBlob = blob;
      return 'blob:copy';
    };
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, size: lastBlob?.size ?? 0 });
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it('is downloaded as one file, with a progress indicator', async () => {
    let finish: (file: Blob) => void = () => undefined;
    const archive = new Promise<Blob>((resolve) => (finish = resolve));
    const { group, user } = await open({ 'POST /functions/v1/export-account': async () => ({ file: await archive }) });
    await user.click(group('Seus dados').getByRole('button', { name: 'Baixar meus dados' }));
    expect(await group('Seus dados').findByRole('progressbar')).toHaveAttribute('aria-valuetext', 'Reunindo seus dados...');
    finish(new Blob(['PK..']));
    expect(await screen.findByText('Download iniciado')).toBeInTheDocument();
    expect(saved).toEqual([{ name: 'decola-dados.zip', size: 4 }]);
    expect(group('Seus dados').queryByRole('progressbar')).not.toBeInTheDocument();
  });

  it('shows why it failed, and can be retried', async () => {
    const { group, user } = await open({
      'POST /functions/v1/export-account': () => ({
        status: 503,
        body: { error: 'Uma parte do sistema não respondeu.', code: 'unavailable' },
      }),
    });
    await user.click(group('Seus dados').getByRole('button', { name: 'Baixar meus dados' }));
    expect(await group('Seus dados').findByRole('alert')).toHaveTextContent('Uma parte do sistema não respondeu.');
    expect(group('Seus dados').getByRole('button', { name: 'Tentar novamente' })).toBeEnabled();
    expect(saved).toEqual([]);
  });
});

describe('the erasure of the account', () => {
  async function ask(routes: FakeRoutes) {
    const page = await open(routes);
    await page.user.click(page.group('Excluir conta').getByRole('button', { name: 'Excluir minha conta' }));
    const dialog = within(await findDialog('Excluir sua conta para sempre?'));
    return { ...page, dialog, confirm: () => page.user.click(dialog.getByRole('button', { name: 'Excluir para sempre' })) };
  }

  it('requires the word and the password, and opens the landing page', async () => {
    const answers = [{ success: false, error: 'Senha incorreta.' }, { success: true }];
    const { dialog, confirm, sent, user } = await ask({
      'POST /functions/v1/delete-account': () => ({ body: answers.shift() }),
      'POST /auth/v1/logout': () => ({ status: 403, body: { code: 'user_not_found', message: 'gone' } }),
    });
    expect(dialog.getByText('Suas automações param na hora.')).toBeVisible();
    await confirm();
    expect(dialog.getByLabelText('Digite EXCLUIR para confirmar')).toHaveFocus();
    expect(sent('POST /functions/v1/delete-account')).toEqual([]);
    await user.type(dialog.getByLabelText('Digite EXCLUIR para confirmar'), 'excluir');
    await user.type(dialog.getByLabelText('Sua senha'), 'errada');
    await confirm();
    await waitFor(() => expect(dialog.getByLabelText('Sua senha')).toHaveAccessibleDescription('Senha incorreta.'));
    await confirm();
    expect(await screen.findByRole('heading', { name: 'Página inicial' })).toBeVisible();
    expect(screen.getByText('Sua conta foi excluída')).toBeInTheDocument();
    expect(Object.values(localStorage).join()).not.toContain('access_token');
  });

  it('asks for a new sign-in when the second factor was not verified', async () => {
    const { dialog, confirm, user } = await ask({
      'POST /functions/v1/delete-account': () => ({ status: 403, body: { error: 'x', code: 'insufficient_aal' } }),
    });
    await user.type(dialog.getByLabelText('Digite EXCLUIR para confirmar'), 'EXCLUIR');
    await user.type(dialog.getByLabelText('Sua senha'), 'Segredo!123');
    await confirm();
    expect(await screen.findByText(/confirme com o código do seu aplicativo/)).toBeInTheDocument();
  });
});

it.each([
  [chrome, 'Chrome no Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari no iPhone',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge no Windows'],
  ['curl/8.0', 'Dispositivo desconhecido'],
  [null, 'Dispositivo desconhecido'],
])('names the user agent %s %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
