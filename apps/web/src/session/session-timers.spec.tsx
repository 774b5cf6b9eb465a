import '@testing-library/jest-dom';
import { act, cleanup } from '@testing-library/react';
import { fakeApi, renderPage, testSession } from '../testing/render-page';
import { heartbeatMs } from './session-refresh';

const minute = 60_000;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function open(secondsLeft: number, refresh = () => ({ body: testSession() as unknown })) {
  const runtime = fakeApi({ 'POST /auth/v1/token': refresh });
  runtime.signIn({ secondsLeft });
  renderPage(<p>página</p>);
  await pass(50);
  return { refreshes: () => runtime.requests.filter(({ route }) => route === 'POST /auth/v1/token').length };
}

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('refreshes a session five minutes before it expires', async () => {
  const { refreshes } = await open(23 * 60);
  await pass(17 * minute);
  expect(refreshes()).toBe(0);
  await pass(minute + 1_000);
  expect(refreshes()).toBe(1);
  await pass(30 * minute);
  expect(refreshes()).toBe(1);
});

it('waits at least a minute, however soon the session expires', async () => {
  const { refreshes } = await open(200);
  await pass(59_000);
  expect(refreshes()).toBe(0);
  await pass(2_000);
  expect(refreshes()).toBe(1);
});

it('refreshes at a heartbeat only a session with less than ten minutes left', async () => {
  const { refreshes } = await open(3600);
  await pass(4 * heartbeatMs + minute);
  expect(refreshes()).toBe(0);
  await pass(heartbeatMs);
  expect(refreshes()).toBe(1);
  await pass(4 * heartbeatMs);
  expect(refreshes()).toBe(1);
});

it('retries at the next heartbeat when the service was down', async () => {
  let isDown = true;
  const { refreshes } = await open(3600, () =>
    isDown ? { status: 400, body: { code: 'unexpected', message: 'fora do ar' } } : { body: testSession() },
  );
  await pass(5 * heartbeatMs + 1_000);
  expect(refreshes()).toBe(1);
  isDown = false;
  await pass(heartbeatMs);
  expect(refreshes()).toBeGreaterThan(1);
});
