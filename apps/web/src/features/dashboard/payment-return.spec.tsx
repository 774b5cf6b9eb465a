import '@testing-library/jest-dom';
import { act, cleanup, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { RequireSession } from '../../session/require-session';
import { cacheSubscription } from '../../session/subscription-cache';
import { type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import { usePaymentReturn } from './payment-return';
import { SuccessProgress } from './success-progress';

const paid = { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 0, subscription_end: '2099-01-01T00:00:00Z', is_trial: false };
const unpaid = { ...paid, subscribed: false, plan_name: null, max_slots: 0 };
const check = 'POST /functions/v1/check-subscription';

function Page() {
  const { isCelebrating, endCelebration, isAwaitingPayment } = usePaymentReturn();
  return (
    <>
      <SuccessProgress isOpen={isCelebrating} onDone={endCelebration} />
      <p>{isAwaitingPayment ? 'Esperando' : 'Pronto'}</p>
      <p>{`Endereço ${useLocation().search}`}</p>
    </>
  );
}

function open(answer: FakeRoutes[string], path = '/?success=true') {
  const { signIn } = fakeApi({ [check]: answer });
  signIn();
  renderPage(
    <Routes>
      <Route element={<RequireSession />}>
        <Route path="/" element={<Page />} />
      </Route>
    </Routes>,
    { path },
  );
}
/** Advances the timers, and waits for the requests that they start. */
async function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += 100) await act(() => jest.advanceTimersByTimeAsync(100));
}
const dialog = () => screen.queryByRole('dialog', { name: 'Tudo pronto para decolar' });

beforeEach(() => {
  localStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('celebrates a payment once the subscription check has confirmed it', async () => {
  let state: unknown = unpaid;
  open(() => ({ body: state }));
  await pass(1_000);
  expect(dialog()).not.toBeInTheDocument();
  expect(screen.getByText('Esperando')).toBeInTheDocument();
  expect(screen.getByText('Endereço')).toBeInTheDocument();
  state = paid;
  await pass(2_000);
  expect(dialog()).toBeInTheDocument();
  await pass(3_000);
  expect(dialog()).not.toBeInTheDocument();
  expect(screen.getByText('Pagamento realizado com sucesso!')).toBeInTheDocument();
});

it('celebrates nothing that this device only remembers', async () => {
  cacheSubscription(testUserId, paid);
  open(() => new Promise<never>(() => undefined));
  await pass(5_000);
  expect(dialog()).not.toBeInTheDocument();
});

it('says after 20 seconds that no payment was confirmed', async () => {
  open(() => ({ body: unpaid }));
  await pass(21_000);
  expect(screen.getByText('Pronto')).toBeInTheDocument();
  expect(screen.getByText('Pagamento ainda não confirmado')).toBeInTheDocument();
  expect(screen.queryByText('Pagamento realizado com sucesso!')).not.toBeInTheDocument();
});

it('celebrates nothing without the parameter', async () => {
  open(() => ({ body: paid }), '/');
  await pass(2_000);
  expect(dialog()).not.toBeInTheDocument();
});
