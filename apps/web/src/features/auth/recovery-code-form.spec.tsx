import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeRoutes, fakeApi, renderPage, testSession } from '../../testing/render-page';
import { AuthPage } from './auth-page';

const spent = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';

async function openCodeForm(routes: FakeRoutes) {
  window.location.hash = spent;
  const { requests } = fakeApi(routes);
  renderPage(<AuthPage />, { path: `/auth?mode=forgot${spent}` });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Já tenho um código' }));
  return { user, requests };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('the code of a recovery mail', () => {
  it('leads to the new password when a mail scanner has used up the link', async () => {
    const { user, requests } = await openCodeForm({ 'POST /auth/v1/verify': () => ({ body: testSession() }) });
    expect(screen.getByLabelText('Email')).toHaveFocus();
    await user.keyboard('ana@example.com');
    await user.type(screen.getByLabelText('Código de 6 números'), '123 456');
    await user.click(screen.getByRole('button', { name: 'Continuar' }));
    expect(await screen.findByRole('heading', { name: 'Escolha uma nova senha' })).toBeVisible();
    expect(requests.find(({ route }) => route === 'POST /auth/v1/verify')?.body).toMatchObject({
      email: 'ana@example.com',
      token: '123456',
      type: 'recovery',
    });
    expect(sessionStorage.getItem('decola.recovering')).not.toBeNull();
  });

  it('is asked for again when it is malformed or wrong', async () => {
    const { user, requests } = await openCodeForm({
      'POST /auth/v1/verify': () => ({ status: 403, body: { code: 'otp_expired', message: 'Token has expired or is invalid' } }),
    });
    await user.click(screen.getByRole('button', { name: 'Continuar' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Digite seu email.');
    await user.type(screen.getByLabelText('Email'), 'ana@example.com');
    await user.type(screen.getByLabelText('Código de 6 números'), '12');
    await user.click(screen.getByRole('button', { name: 'Continuar' }));
    expect(screen.getByLabelText('Código de 6 números')).toHaveAccessibleDescription(/^Digite os 6 números do código\./);
    expect(requests).toEqual([]);
    await user.type(screen.getByLabelText('Código de 6 números'), '3456');
    await user.click(screen.getByRole('button', { name: 'Continuar' }));
    await waitFor(() =>
      expect(screen.getByLabelText('Código de 6 números')).toHaveAccessibleDescription(
        /^Código incorreto ou vencido\. Confira o email mais recente\./,
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Pedir outro email' }));
    expect(screen.getByRole('button', { name: 'Enviar link' })).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('ana@example.com');
  });
});
