import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import { NoticesCard } from './notices-card';

const notices = { session_ended: true, blocked: false, plan_shrank: true, wheel_leads: true, wheel_stock: true };
const read = 'GET /rest/v1/profiles';
const write = 'PATCH /rest/v1/profiles';
const open = (routes: FakeRoutes) => {
  const { requests, signIn } = fakeApi({ [read]: () => ({ body: { notices } }), ...routes });
  signIn();
  renderPage(<NoticesCard userId={testUserId} />);
  return { sent: () => requests.flatMap(({ route, body }) => (route === write ? [body] : [])), user: userEvent.setup() };
};
const names = ['Sessão do Instagram terminou', 'Instagram bloqueou uma conta', 'Plano ficou menor'];
const toggle = (name: string) => screen.findByRole('switch', { name });
const states = () => names.map((name) => screen.getByRole('switch', { name }).getAttribute('aria-checked'));
/** An answer that the test gives later. */
const later = () => {
  let answer!: (given: FakeAnswer) => void;
  const promise = new Promise<FakeAnswer>((resolve) => (answer = resolve));
  return { promise, answer };
};

afterEach(cleanup);

it('shows which mails are sent, and stores only the one that is changed', async () => {
  const { sent, user } = open({ [write]: () => ({ body: [{ user_id: testUserId }] }) });
  await toggle(names[0]!);
  expect(states()).toEqual(['true', 'false', 'true']);
  await user.click(await toggle('Plano ficou menor'));
  await user.click(await toggle('Instagram bloqueou uma conta'));
  await waitFor(() => expect(sent()).toEqual([{ notices: { plan_shrank: false } }, { notices: { blocked: true } }]));
  expect(states()).toEqual(['true', 'true', 'false']);
});

it('shows a change at once, and takes back only that one when it could not be stored', async () => {
  const first = later();
  const answers = [first.promise, Promise.resolve({ body: [{ user_id: testUserId }] })];
  const { sent, user } = open({ [write]: () => answers.shift()! });
  await user.click(await toggle('Sessão do Instagram terminou'));
  await user.click(await toggle('Plano ficou menor'));
  expect(states()).toEqual(['false', 'false', 'false']);
  first.answer({ status: 500, body: { message: 'x' } });
  expect(await screen.findByText('Erro ao mudar os avisos')).toBeInTheDocument();
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(states()).toEqual(['true', 'false', 'false']);
});

it('takes a change back that reached no row, as when the session is somebody else’s', async () => {
  const { user } = open({ [write]: () => ({ body: [] }) });
  await user.click(await toggle('Sessão do Instagram terminou'));
  expect(await screen.findByText('Erro ao mudar os avisos')).toBeInTheDocument();
  expect(states()).toEqual(['true', 'false', 'true']);
});

it('can be operated by the keyboard', async () => {
  const { sent, user } = open({ [write]: () => ({ body: [{ user_id: testUserId }] }) });
  (await toggle('Sessão do Instagram terminou')).focus();
  await user.keyboard(' ');
  await waitFor(() => expect(sent()).toEqual([{ notices: { session_ended: false } }]));
});

it('offers to load again when the switches could not be loaded', async () => {
  const answers: FakeAnswer[] = [{ status: 400, body: { message: 'x' } }];
  const { user } = open({ [read]: () => answers.shift() ?? { body: { notices } } });
  expect(await screen.findByText('Não foi possível carregar seus avisos.')).toBeVisible();
  await user.click(screen.getByRole('button'));
  await toggle(names[0]!);
  expect(states()).toEqual(['true', 'false', 'true']);
});
