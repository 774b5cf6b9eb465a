import '@testing-library/jest-dom';
import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, screen } from '@testing-library/react';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testSession, testUserId } from '../testing/render-page';
import { useSession } from './session';
import { type Subscription, useSubscription } from './subscription';
import { cacheSubscription } from './subscription-cache';

const minute = 60_000;
const hour = 60 * minute;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
const checkRoute = 'POST /functions/v1/check-subscription';
const down: FakeAnswer = { status: 503, body: { error: 'fora do ar' } };

const state = (change: Partial<Subscription> = {}): Subscription => ({
  subscribed: true,
  plan_name: 'Pro',
  max_slots: 3,
  used_slots: 1,
  subscription_end: later(20 * 24 * hour),
  is_trial: false,
  ...change,
});

function Shown() {
  const { data, isPending, isError } = useSubscription();
  if (isPending) return <p>verificando</p>;
  return <p>{`${data?.plan_name ?? 'sem plano'}, ${data?.max_slots ?? 0} slots${isError ? ', sem resposta' : ''}`}</p>;
}
function WhenSignedIn() {
  return useSession().session ? <Shown /> : null;
}

async function open(
  check: () => FakeAnswer | Promise<FakeAnswer>,
  { routes = {}, secondsLeft = 3600 }: { routes?: FakeRoutes; secondsLeft?: number } = {},
) {
  const runtime = fakeApi({ [checkRoute]: check, ...routes });
  runtime.signIn({ secondsLeft });
  renderPage(<WhenSignedIn />);
  await pass(50);
  const count = (route: string) => runtime.requests.filter((request) => request.route === route).length;
  return { ...runtime, checks: () => count(checkRoute), refreshes: () => count('POST /auth/v1/token') };
}
/** Advances the timers, and waits for the requests that they start. */
async function pass(ms: number) {
  await act(() => jest.advanceTimersByTimeAsync(ms));
  for (let turn = 0; turn < 10; turn += 1) await act(() => jest.advanceTimersByTimeAsync(1));
}
const renewed = { 'POST /auth/v1/token': () => ({ body: testSession() }) };
const shown = (text: string) => expect(screen.getByText(text)).toBeInTheDocument();

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  jest.useRealTimers();
});

describe('the check of a subscription', () => {
  it('repeats after an hour for a subscriber', async () => {
    const { checks } = await open(() => ({ body: state() }), { routes: renewed });
    shown('Pro, 3 slots');
    await pass(59 * minute);
    expect(checks()).toBe(1);
    await pass(2 * minute);
    expect(checks()).toBe(2);
  });

  it('repeats after five minutes for everybody else', async () => {
    const answers = [state({ subscribed: false, plan_name: null, max_slots: 0 }), state()];
    const { checks } = await open(() => ({ body: answers.shift() ?? state() }));
    shown('sem plano, 0 slots');
    await pass(5 * minute + 100);
    expect(checks()).toBe(2);
    shown('Pro, 3 slots');
  });

  it.each([
    [119, 1],
    [125, 0],
  ])('with %i seconds left of the session refreshes it %i times first', async (secondsLeft, times) => {
    const { refreshes, requests } = await open(() => ({ body: state() }), { secondsLeft, routes: renewed });
    shown('Pro, 3 slots');
    expect(refreshes()).toBe(times);
    expect(requests.at(-1)?.route).toBe(checkRoute);
  });

  it('refreshes a refused session once, and repeats the request', async () => {
    const answers: FakeAnswer[] = [{ status: 401, body: { code: 401, message: 'Invalid JWT' } }, { body: state() }];
    const { checks, refreshes } = await open(() => answers.shift()!, { routes: renewed });
    shown('Pro, 3 slots');
    expect([checks(), refreshes()]).toEqual([2, 1]);
  });

  it('times out after 15 seconds', async () => {
    cacheSubscription(testUserId, state({ plan_name: 'Premium', max_slots: 6 }));
    jest.setSystemTime(Date.now() + 3 * hour);
    await open(() => new Promise(() => undefined));
    shown('verificando');
    await pass(14_000);
    shown('verificando');
    await pass(1_500);
    shown('Premium, 6 slots');
  });
});

describe('the last known state', () => {
  it('is shown at once when it is younger than two hours, and replaced by the check', async () => {
    cacheSubscription(testUserId, state({ plan_name: 'Starter', max_slots: 1 }));
    jest.setSystemTime(Date.now() + 119 * minute);
    await open(() => new Promise((resolve) => setTimeout(() => resolve({ body: state() }), 5_000)));
    shown('Starter, 1 slots');
    await pass(5_000);
    shown('Pro, 3 slots');
  });

  it.each([
    ['older than two hours', 121 * minute, 20 * 24 * hour],
    ['of a subscription that has ended', minute, 1_000],
  ])('is not shown before the check when it is %s', async (_, age, end) => {
    cacheSubscription(testUserId, state({ subscription_end: later(end) }));
    jest.setSystemTime(Date.now() + age);
    await open(() => new Promise(() => undefined));
    shown('verificando');
  });

  it('is kept for two failed checks in the background, and not for a third', async () => {
    let isDown = false;
    await open(() => (isDown ? down : { body: state({ subscription_end: later(40 * 24 * hour) }) }), { routes: renewed });
    isDown = true;
    await pass(61 * minute);
    shown('Pro, 3 slots');
    await pass(5 * minute + 500);
    shown('Pro, 3 slots');
    await pass(5 * minute + 500);
    shown('sem plano, 0 slots, sem resposta');
    isDown = false;
    await pass(5 * minute + 500);
    shown('Pro, 3 slots');
  });

  it('is kept while there is no connection', async () => {
    const { checks } = await open(() => ({ body: state({ subscription_end: later(40 * 24 * hour) }) }), { routes: renewed });
    act(() => onlineManager.setOnline(false));
    await pass(5 * hour);
    shown('Pro, 3 slots');
    expect(checks()).toBe(1);
    act(() => onlineManager.setOnline(true));
    await pass(100);
    expect(checks()).toBe(2);
  });

  it('comes from a recent profile when this device has none', async () => {
    const profile = {
      subscription_status: 'trialing',
      subscription_end: later(24 * hour),
      last_subscription_check: later(-hour),
      subscription_plans: { name: 'Plano Starter', max_slots: 1 },
    };
    await open(() => down, { routes: { 'GET /rest/v1/profiles': () => ({ body: profile }) } });
    shown('Plano Starter, 1 slots');
  });

  it('is dropped after five failed checks while a page waits', async () => {
    const { checks } = await open(() => down);
    shown('verificando');
    await pass(20_000);
    shown('sem plano, 0 slots, sem resposta');
    expect(checks()).toBe(5);
  });
});
