import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { type FakeRoutes, fakeApi, renderPage, testSession } from '../../testing/render-page';
import { AuthPage } from './auth-page';

function Elsewhere() {
  const { pathname, search } = useLocation();
  return <h1>{`Página ${pathname}${search}`}</h1>;
}

function open(
  routes: FakeRoutes = {},
  {
    path = '/auth',
    state,
    before,
  }: { path?: string; state?: unknown; before?: (signIn: ReturnType<typeof fakeApi>['signIn']) => void } = {},
) {
  const runtime = fakeApi(routes);
  before?.(runtime.signIn);
  renderPage(
    <Routes>
      <Route path="/auth" element={<AuthPage />} />
      <Route path="*" element={<Elsewhere />} />
    </Routes>,
    { path, state },
  );
  return { ...runtime, user: userEvent.setup() };
}

const refuse = (status: number, code: string, message: string) => () => ({ status, body: { code, message } });
const token = 'POST /auth/v1/token';
const password = 'Segredo!123';
const factor = { id: 'f1', friendly_name: 'Celular', factor_type: 'totp', status: 'verified', created_at: '', updated_at: '' };
const protectedUser = { user: { factors: [factor] } };

async function fillIn(user: ReturnType<typeof userEvent.setup>, secret = password) {
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Senha'), secret);
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('signing in', () => {
  it('redirects to the dashboard', async () => {
    const { user, requests } = open({ [token]: () => ({ body: testSession() }) });
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
    expect(screen.getByText('Login realizado com sucesso!')).toBeInTheDocument();
    expect(screen.getByText('Redirecionando...')).toBeInTheDocument();
    expect(requests[0]?.body).toMatchObject({ email: 'ana@example.com', password });
  });

  it('redirects to the page that was requested', async () => {
    const { user } = open({ [token]: () => ({ body: testSession() }) }, { state: { from: '/automation/auto-like?edit=a1' } });
    expect(await screen.findByText('Entre para continuar de onde parou.')).toBeVisible();
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByRole('heading', { name: 'Página /automation/auto-like?edit=a1' })).toBeVisible();
  });

  it.each(['https://mal.example', '//mal.example', '/\\mal.example', '/auth?mode=forgot'])('never redirects to %s', async (from) => {
    open({}, { state: { from }, before: (signIn) => signIn() });
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
  });

  it('goes on to the plan that was chosen on the landing page, by signing up or in', async () => {
    const { user } = open({ [token]: () => ({ body: testSession() }) }, { path: '/auth?mode=sign-up&plan=pro' });
    expect(await screen.findByRole('button', { name: 'Criar conta' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Entrar' }));
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByRole('heading', { name: 'Página /planos?plan=pro' })).toBeVisible();
    cleanup();
    open({}, { path: '/auth?plan=outro', before: (signIn) => signIn() });
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
  });

  it('shows that email or password are wrong, keeps both, and focuses the field', async () => {
    const { user } = open({ [token]: refuse(400, 'invalid_credentials', 'Invalid login credentials') });
    await fillIn(user, 'errada');
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByText('Erro ao fazer login')).toBeInTheDocument();
    expect(screen.getByText('Email ou senha incorretos')).toBeInTheDocument();
    const field = screen.getByLabelText('Senha');
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toBeInvalid();
    expect(field).toHaveValue('errada');
    expect(field).toHaveAccessibleDescription('Confira o email e a senha, ou recupere a senha abaixo.');
    expect(screen.getByLabelText('Email')).toHaveValue('ana@example.com');
  });

  it('resends the confirmation link of a new account', async () => {
    const { user, requests } = open({
      [token]: refuse(400, 'email_not_confirmed', 'Email not confirmed'),
      'POST /auth/v1/resend': () => ({ body: {} }),
    });
    expect(screen.queryByRole('button', { name: 'Enviar o link de novo' })).not.toBeInTheDocument();
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    await user.click(await screen.findByRole('button', { name: 'Enviar o link de novo' }));
    expect(await screen.findByText('Abra o link que enviamos para ana@example.com.')).toBeInTheDocument();
    expect(requests.at(-1)?.body).toMatchObject({ type: 'signup', email: 'ana@example.com' });
  });

  it('shows any other message as received', async () => {
    const { user } = open({ [token]: refuse(400, 'other', 'Signups are closed today') });
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByText('Signups are closed today')).toBeInTheDocument();
  });

  it('sends nothing until both fields are filled in, and says which one is missing', async () => {
    const { user, requests } = open();
    await user.click(await screen.findByRole('button', { name: 'Entrar' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Digite seu email.');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Senha')).toHaveAccessibleDescription('Digite sua senha.');
    await user.type(screen.getByLabelText('Email'), 'ana');
    expect(screen.getByLabelText('Email')).not.toHaveAttribute('aria-invalid');
    expect(screen.getByLabelText('Email')).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/^Digite um email válido/);
    expect(requests).toEqual([]);
  });

  it('disables the button while the request is running', async () => {
    const { user } = open({ [token]: () => new Promise(() => undefined) });
    await fillIn(user);
    const button = screen.getByRole('button', { name: 'Entrar' });
    await user.click(button);
    expect(button).toBeDisabled();
  });
});

describe('the second factor', () => {
  const verified = { ...testSession({ aal: 'aal2', ...protectedUser }) };

  it('is required before any page opens', async () => {
    const codes: unknown[] = [];
    const { user } = open({
      [token]: () => ({ body: testSession(protectedUser) }),
      'POST /auth/v1/factors/f1/challenge': () => ({ body: { id: 'c1', type: 'totp', expires_at: 9_999_999_999 } }),
      'POST /auth/v1/factors/f1/verify': (body) => {
        codes.push(body);
        return codes.length > 1
          ? { body: verified }
          : { status: 422, body: { code: 'mfa_verification_failed', message: 'Invalid TOTP code' } };
      },
    });
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Entrar' }));
    expect(await screen.findByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
    expect(screen.queryByText('Login realizado com sucesso!')).not.toBeInTheDocument();
    const field = screen.getByLabelText('Código de 6 números');
    expect(field).toHaveFocus();
    await user.type(field, '123 456{Enter}');
    await waitFor(() => expect(field).toBeInvalid());
    expect(field).toHaveAccessibleDescription(/Código incorreto/);
    await user.clear(field);
    await user.type(field, '654321{Enter}');
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
    expect(codes).toMatchObject([{ code: '123456' }, { code: '654321' }]);
  });

  it('is still required after a reload', async () => {
    open({}, { before: (signIn) => signIn(protectedUser) });
    expect(await screen.findByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
  });

  it('can be abandoned to use another account', async () => {
    const { user } = open({ 'POST /auth/v1/logout': () => ({ status: 204 }) }, { before: (signIn) => signIn(protectedUser) });
    await user.click(await screen.findByRole('button', { name: 'Entrar com outra conta' }));
    expect(await screen.findByRole('tab', { name: 'Entrar' })).toBeVisible();
  });
});

describe('a new account', () => {
  it('requires every password rule, and shows them while typing', async () => {
    const { user } = open({}, { path: '/auth?mode=sign-up' });
    const create = await screen.findByRole('button', { name: 'Criar conta' });
    expect(screen.getByRole('tab', { name: 'Cadastrar' })).toHaveAttribute('aria-selected', 'true');
    await user.type(screen.getByLabelText('Email'), 'ana@example.com');
    expect(create).toBeDisabled();
    expect(screen.getAllByLabelText('Falta')).toHaveLength(5);
    await user.type(screen.getByLabelText('Senha'), 'Segredo1');
    expect(screen.getAllByLabelText('Cumprido')).toHaveLength(4);
    expect(screen.getByText('4 de 5 regras cumpridas')).toBeInTheDocument();
    expect(create).toBeDisabled();
    await user.type(screen.getByLabelText('Senha'), '!');
    expect(create).toBeEnabled();
  });

  it('is created with the name, and is signed in at once', async () => {
    const { user, requests } = open({ 'POST /auth/v1/signup': () => ({ body: testSession() }) });
    await user.click(await screen.findByRole('tab', { name: 'Cadastrar' }));
    await user.type(screen.getByLabelText('Nome completo (opcional)'), ' Ana Souza ');
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Criar conta' }));
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
    expect(screen.getByText('Conta criada com sucesso!')).toBeInTheDocument();
    expect(screen.getByText('Você já pode fazer login.')).toBeInTheDocument();
    expect(requests[0]).toMatchObject({
      search: `?redirect_to=${encodeURIComponent(window.location.origin)}`,
      body: { email: 'ana@example.com', password, data: { full_name: 'Ana Souza' } },
    });
  });

  it('returns to the sign-in form when the email must be confirmed first', async () => {
    const { user } = open(
      { 'POST /auth/v1/signup': () => ({ body: { id: 'u1', email: 'ana@example.com', identities: [] } }) },
      { path: '/auth?mode=sign-up' },
    );
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Criar conta' }));
    expect(await screen.findByText(/Enviamos um link para ana@example.com/)).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Entrar' })).toHaveAttribute('aria-selected', 'true');
  });

  it('keeps the values when the email is taken', async () => {
    const { user } = open(
      { 'POST /auth/v1/signup': refuse(422, 'user_already_exists', 'User already registered') },
      { path: '/auth?mode=sign-up' },
    );
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Criar conta' }));
    expect(await screen.findByText('Erro ao criar conta')).toBeInTheDocument();
    expect(screen.getByText('Este email já está cadastrado')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText('Email')).toBeInvalid());
    expect(screen.getByLabelText('Senha')).toHaveValue(password);
    await user.click(screen.getByRole('tab', { name: 'Entrar' }));
    expect(screen.getByLabelText('Email')).toHaveValue('ana@example.com');
  });
});

it('keeps the plan chosen on the landing page through the sign-up, and in the link that confirms the email', async () => {
  const { user, requests } = open({ 'POST /auth/v1/signup': () => ({ body: testSession() }) }, { path: '/auth?mode=sign-up&plan=pro' });
  expect(await screen.findByText(/^Seu plano: 3 slots por R\$\s89 por mês\./)).toBeVisible();
  await fillIn(user);
  await user.click(screen.getByRole('button', { name: 'Criar conta' }));
  expect(await screen.findByRole('heading', { name: 'Página /planos?plan=pro' })).toBeVisible();
  expect(new URLSearchParams(requests[0]?.search).get('redirect_to')).toBe(`${window.location.origin}/?plan=pro`);
});

describe('a forgotten password', () => {
  it('sends a link that leads back to this page', async () => {
    const { user, requests } = open({ 'POST /auth/v1/recover': () => ({ body: {} }) });
    await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
    await user.click(screen.getByRole('button', { name: 'Esqueci minha senha' }));
    expect(screen.getByRole('heading', { name: 'Recuperar senha' })).toHaveFocus();
    expect(screen.getByLabelText('Email')).toHaveValue('ana@example.com');
    await user.click(screen.getByRole('button', { name: 'Enviar link' }));
    expect(await screen.findByText('Email enviado com sucesso!')).toBeInTheDocument();
    expect(screen.getByText('Verifique sua caixa de entrada para redefinir sua senha.')).toBeInTheDocument();
    expect(requests[0]).toMatchObject({
      search: `?redirect_to=${encodeURIComponent(`${window.location.origin}/auth`)}`,
      body: { email: 'ana@example.com' },
    });
    await user.click(screen.getByRole('button', { name: 'Voltar para entrar' }));
    expect(screen.getByRole('tab', { name: 'Entrar' })).toBeVisible();
  });

  it('says when another mail may be requested', async () => {
    const message = 'For security purposes, you can only request this after 30 seconds.';
    const { user } = open({ 'POST /auth/v1/recover': refuse(429, 'over_email_send_rate_limit', message) }, { path: '/auth?mode=forgot' });
    await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
    await user.click(screen.getByRole('button', { name: 'Enviar link' }));
    expect(await screen.findByText('Erro ao enviar email')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/Aguarde um minuto/));
  });

  const arrive = () => {
    const { access_token, refresh_token, expires_at } = testSession();
    window.location.hash = `#${new URLSearchParams({ access_token, refresh_token, expires_at: String(expires_at), expires_in: '3600', token_type: 'bearer', type: 'recovery' }).toString()}`;
  };
  const me = { 'GET /auth/v1/user': () => ({ body: testSession().user }) };

  it('asks for a new password after the link was opened, also after a reload', async () => {
    arrive();
    open(me);
    expect(await screen.findByRole('heading', { name: 'Escolha uma nova senha' })).toBeVisible();
    expect(window.location.href).toBe(`${window.location.origin}/`);
    cleanup();
    const { user, requests } = open({ ...me, 'PUT /auth/v1/user': () => ({ body: testSession().user }) }, { before: (signIn) => signIn() });
    await user.type(await screen.findByLabelText('Nova senha'), 'curta');
    await user.type(screen.getByLabelText('Confirmar nova senha'), 'curta');
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senha muito curta')).toBeInTheDocument();
    await user.clear(screen.getByLabelText('Nova senha'));
    await user.type(screen.getByLabelText('Nova senha'), 'Nova!123');
    await user.clear(screen.getByLabelText('Confirmar nova senha'));
    await user.type(screen.getByLabelText('Confirmar nova senha'), 'Nova!124');
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senhas não coincidem')).toBeInTheDocument();
    expect(requests.filter(({ route }) => route.startsWith('PUT'))).toEqual([]);
    await user.clear(screen.getByLabelText('Confirmar nova senha'));
    await user.type(screen.getByLabelText('Confirmar nova senha'), 'Nova!123');
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByRole('heading', { name: 'Página /adm' })).toBeVisible();
    expect(screen.getByText('Senha atualizada')).toBeInTheDocument();
    expect(requests.find(({ route }) => route.startsWith('PUT'))?.body).toMatchObject({ password: 'Nova!123' });
  });

  it('explains that a link is no longer valid', async () => {
    const hash = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';
    window.location.hash = hash;
    open({}, { path: `/auth${hash}` });
    expect(await screen.findByText(/Este link já foi usado ou expirou. Peça um novo./)).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Entrar' })).toBeVisible();
    expect(screen.getByText(/^Para mudar de email, entre e peça de novo/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Recuperar senha' }));
    expect(await screen.findByRole('heading', { name: 'Recuperar senha' })).toBeVisible();
    expect(screen.getByText(/Este link já foi usado ou expirou. Peça um novo./)).toBeVisible();
  });

  it('does not treat the first of two links as refused', async () => {
    open({}, { path: '/auth#message=Confirmation+link+accepted.&sb=' });
    expect(await screen.findByText('Confirmado. Agora abra o link que enviamos para o outro email.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Recuperar senha' })).not.toBeInTheDocument();
  });
});
