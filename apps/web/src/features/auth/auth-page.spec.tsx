import '@testing-library/jest-dom';
import type { SupabaseClient } from '@supabase/supabase-js';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { Toaster } from 'sonner';
import { SessionProvider } from '../../app/session';
import { setRuntime } from '../../lib/runtime';
import { AuthPage } from './auth-page';

type Listener = (event: string, session: unknown) => void;

const session = { user: { id: 'ana', email: 'ana@example.com' }, expires_at: 9_999_999_999 };
let announce: Listener;
let auth: Record<'signInWithPassword' | 'signUp' | 'resetPasswordForEmail' | 'updateUser', jest.Mock>;

function show() {
  auth = {
    signInWithPassword: jest.fn(() => Promise.resolve({ error: null })),
    signUp: jest.fn(() => Promise.resolve({ error: null })),
    resetPasswordForEmail: jest.fn(() => Promise.resolve({ error: null })),
    updateUser: jest.fn(() => Promise.resolve({ error: null })),
  };
  const onAuthStateChange = (listener: Listener) => {
    announce = listener;
    return { data: { subscription: { unsubscribe: () => undefined } } };
  };
  setRuntime({ publishableKey: 'key', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' }, {
    auth: { ...auth, onAuthStateChange },
  } as unknown as SupabaseClient);
  render(
    <SessionProvider>
      <MemoryRouter initialEntries={['/auth']}>
        <Routes>
          <Route path="/auth" element={<AuthPage />} />
          <Route path="/adm" element={<h1>Painel</h1>} />
        </Routes>
      </MemoryRouter>
      <Toaster />
    </SessionProvider>,
  );
  return userEvent.setup();
}

afterEach(cleanup);

it('waits until it is known who is there', () => {
  show();
  expect(screen.getByRole('status')).toHaveTextContent('Carregando...');
});

it('signs in, and leads a person who is signed in to the dashboard', async () => {
  const user = show();
  act(() => announce('INITIAL_SESSION', null));
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Senha'), 'Segredo!123');
  await user.click(screen.getByRole('button', { name: 'Entrar' }));
  expect(auth.signInWithPassword).toHaveBeenCalledWith({ email: 'ana@example.com', password: 'Segredo!123' });
  act(() => announce('SIGNED_IN', session));
  expect(screen.getByRole('heading', { name: 'Painel' })).toBeVisible();
});

it('says in plain words that email or password are wrong', async () => {
  const user = show();
  act(() => announce('INITIAL_SESSION', null));
  auth.signInWithPassword.mockResolvedValueOnce({ error: { message: 'Invalid login credentials' } });
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Senha'), 'errada');
  await user.click(screen.getByRole('button', { name: 'Entrar' }));
  expect(await screen.findByText('Erro ao fazer login')).toBeInTheDocument();
  expect(screen.getByText('Email ou senha incorretos')).toBeInTheDocument();
});

it('admits a new account only once every rule of the password is met', async () => {
  const user = show();
  act(() => announce('INITIAL_SESSION', null));
  await user.click(screen.getByRole('tab', { name: 'Cadastrar' }));
  const create = screen.getByRole('button', { name: 'Criar conta' });
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  expect(create).toBeDisabled();
  expect(screen.getAllByLabelText('Falta')).toHaveLength(5);
  await user.type(screen.getByLabelText('Senha'), 'Segredo1');
  expect(screen.getAllByLabelText('Cumprido')).toHaveLength(4);
  expect(create).toBeDisabled();
  await user.type(screen.getByLabelText('Senha'), '!');
  expect(create).toBeEnabled();
  auth.signUp.mockResolvedValueOnce({ error: { message: 'User already registered' } });
  await user.click(create);
  expect(await screen.findByText('Este email já está cadastrado')).toBeInTheDocument();
});

it('sends the link for a forgotten password back to this page', async () => {
  const user = show();
  act(() => announce('INITIAL_SESSION', null));
  await user.click(screen.getByRole('button', { name: 'Esqueci minha senha' }));
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.click(screen.getByRole('button', { name: 'Enviar link' }));
  expect(auth.resetPasswordForEmail).toHaveBeenCalledWith('ana@example.com', { redirectTo: `${window.location.origin}/auth` });
  expect(await screen.findByText('Email enviado com sucesso!')).toBeInTheDocument();
});

it('asks whoever came by that link for a new password before anything else', async () => {
  const user = show();
  act(() => announce('PASSWORD_RECOVERY', session));
  await user.type(screen.getByLabelText('Nova senha'), 'curta');
  await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
  expect(await screen.findByText('Senha muito curta')).toBeInTheDocument();
  expect(auth.updateUser).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText('Nova senha'), 'Nova!123');
  await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Painel' })).toBeVisible());
});
