import '@testing-library/jest-dom';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { isRecoveryPending } from '../../lib/mail-link';
import { type FakeRoutes, fakeApi, testSession } from '../../testing/render-page';
import { SignInPage } from './sign-in-page';

function open(routes: FakeRoutes = {}, search = '') {
  window.history.replaceState({ usr: { from: '/minha-conta' } }, '', `/auth${search}`);
  const events: string[] = [];
  const { requests } = fakeApi(routes);
  render(<SignInPage search={search} onPrepare={() => events.push('prepare')} onSession={() => events.push('session')} />);
  return { events, requests, user: userEvent.setup() };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  window.history.replaceState(null, '', '/');
});

it('loads the app once, when the person begins to use the form, and opens it with the session', async () => {
  const { events, user } = open({ 'POST /auth/v1/token': () => ({ body: testSession() }) });
  expect(events).toEqual([]);
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Senha'), 'Segredo!123');
  expect(events).toEqual(['prepare']);
  await user.click(screen.getByRole('button', { name: 'Entrar' }));
  await waitFor(() => expect(events).toEqual(['prepare', 'session']));
  // The app takes over: no form that could be sent twice.
  expect(screen.queryByRole('button', { name: 'Entrar' })).not.toBeInTheDocument();
});

it('says what was wrong, in a message and at the field', async () => {
  const { events, user } = open({
    'POST /auth/v1/token': () => ({ status: 400, body: { code: 'invalid_credentials', message: 'Invalid login credentials' } }),
  });
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Senha'), 'errada{Enter}');
  expect(await screen.findByText('Email ou senha incorretos')).toBeInTheDocument();
  expect(screen.getByLabelText('Senha')).toHaveAccessibleDescription('Confira o email e a senha, ou recupere a senha abaixo.');
  expect(events).toEqual(['prepare']);
});

it('opens the app for the new password after the code of a recovery mail', async () => {
  const { events, user } = open({ 'POST /auth/v1/verify': () => ({ body: testSession() }) }, '?mode=forgot');
  await user.click(screen.getByRole('button', { name: 'Já tenho um código' }));
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Código de 6 números'), '123456{Enter}');
  await waitFor(() => expect(events).toContain('session'));
  expect(isRecoveryPending()).toBe(true);
});

it('keeps the address in step with the form, and what led here', async () => {
  const { user } = open({}, '?mode=sign-up&plan=pro');
  expect(screen.getByRole('heading', { name: 'Crie sua conta' })).toBeVisible();
  screen.getByRole('tab', { name: 'Cadastrar' }).focus();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('tab', { name: 'Entrar' })).toHaveFocus();
  expect(screen.getByRole('tab', { name: 'Entrar' })).toHaveAttribute('aria-selected', 'true');
  expect(window.location.search).toBe('?plan=pro');
  expect(window.history.state).toMatchObject({ usr: { from: '/minha-conta' } });
  await user.click(screen.getByRole('button', { name: 'Esqueci minha senha' }));
  expect(screen.getByRole('heading', { name: 'Recuperar senha' })).toBeVisible();
  window.history.back();
  expect(await screen.findByRole('heading', { name: 'Entre na sua conta' })).toBeVisible();
});
