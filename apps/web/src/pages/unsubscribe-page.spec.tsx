import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, fakeApi, renderPage } from '../testing/render-page';
import { UnsubscribePage } from './unsubscribe-page';

const route = 'POST /functions/v1/unsubscribe';
const open = (path: string, ...answers: FakeAnswer[]) => {
  const { requests } = fakeApi({ [route]: () => answers.shift() ?? { status: 500, body: {} } });
  renderPage(<UnsubscribePage />, { path });
  return { requests, user: userEvent.setup() };
};

afterEach(cleanup);

it('stops nothing when it is opened, and stops the mails when the button is pressed', async () => {
  const { requests, user } = open('/avisos-por-e-mail?token=v1.k1.a_b.c-d', { body: { success: true, cause: 'blocked' } });
  expect(screen.getByRole('heading', { name: 'Parar de receber este aviso?' })).toBeVisible();
  expect(requests).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Parar de receber' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Pronto, este aviso não chega mais' })).toHaveFocus());
  expect(screen.getByRole('status')).toHaveTextContent('quando o Instagram bloqueia uma conta');
  expect(requests.map(({ route: sent, search }) => [sent, new URLSearchParams(search).get('token')])).toEqual([[route, 'v1.k1.a_b.c-d']]);
  expect(screen.queryByRole('button', { name: /Parar|Tentar/ })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Minha Conta' })).toHaveAttribute('href', '/minha-conta');
});

it('says that nothing changed when the server does not answer well, and tries again', async () => {
  const { requests, user } = open(
    '/avisos-por-e-mail?token=t',
    { status: 503, body: { error: 'x', code: 'unavailable' } },
    { body: { cause: 'news' } },
  );
  await user.click(screen.getByRole('button', { name: 'Parar de receber' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Nada mudou.');
  await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
  // A kind of mail that is newer than the page.
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Você não recebe mais este tipo de aviso por e-mail.'));
  expect(requests).toHaveLength(2);
});

it('says clearly that a link is not valid, and where the mails are chosen instead', async () => {
  const { user } = open('/avisos-por-e-mail?token=t', { status: 400, body: { error: 'x', code: 'invalid_token' } });
  await user.click(screen.getByRole('button', { name: 'Parar de receber' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Este link está incompleto ou não vale mais.');
  expect(screen.queryByRole('button', { name: /Parar|Tentar/ })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Minha Conta' })).toBeVisible();
});

it('does not offer a button without a token', async () => {
  const { requests } = open('/avisos-por-e-mail');
  expect(await screen.findByRole('alert')).toHaveTextContent('Este link está incompleto ou não vale mais.');
  expect(screen.queryByRole('button', { name: /Parar/ })).not.toBeInTheDocument();
  expect(requests).toEqual([]);
});
