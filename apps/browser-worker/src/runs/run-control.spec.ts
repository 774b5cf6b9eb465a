import { networkCookie } from '@decola/contracts';
import { AccountLease } from '../accounts/account-lease.js';
import { StopError, StoppingError } from '../driver/driver.errors.js';
import { RunControl } from './run-control.js';
import { cookiesFor } from './session-cookies.js';

describe('what ends a run from outside', () => {
  let now = 0;
  let lease: AccountLease;
  let stopping: AbortController;
  beforeEach(() => {
    now = 0;
    stopping = new AbortController();
    lease = new AccountLease(
      3,
      60_000,
      { monotonic: 0, wall: 0 },
      { renew: () => Promise.resolve(true), release: () => Promise.resolve(true) },
      () => ({ monotonic: now, wall: now }),
    );
  });
  afterEach(() => lease.release());

  it('pauses within the bounds of the pace', async () => {
    const began = performance.now();
    await new RunControl(lease, stopping.signal, null, () => 0.5).pause({ min: 20, max: 60 });
    expect(performance.now() - began).toBeGreaterThanOrEqual(35);
  });
  it('ends a pause when the worker is asked to stop', async () => {
    const control = new RunControl(lease, stopping.signal);
    const paused = control.pause({ min: 60_000, max: 60_000 });
    stopping.abort();
    await expect(paused).rejects.toBeInstanceOf(StoppingError);
  });
  it('ends a pause, and every step after it, when the quiet hours begin', async () => {
    const end = { at: new Date(60), now: () => new Date(now) };
    const control = new RunControl(lease, stopping.signal, end);
    control.betweenSteps();
    const paused = control.pause({ min: 60_000, max: 60_000 });
    now = 60;
    await expect(paused).rejects.toBeInstanceOf(StoppingError);
    // The action that is under way finishes.
    expect(() => control.assertMayGoOn()).not.toThrow();
  });
  it('ends the run after a pause that its end cuts short, also when the timer fires a moment before that', async () => {
    const end = { at: new Date(20), now: () => new Date(0) };
    await expect(new RunControl(lease, stopping.signal, end).pause({ min: 60_000, max: 60_000 })).rejects.toBeInstanceOf(StoppingError);
  });
  it('lets pauses pass on the clock of a simulation', async () => {
    const slept: number[] = [];
    const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
    await new RunControl(lease, stopping.signal, null, () => 0.5, sleep).pause({ min: 30_000, max: 90_000 });
    expect(slept).toEqual([60_000]);
  });
  it('lets an action finish while the worker is asked to stop', () => {
    stopping.abort();
    expect(() => new RunControl(lease, stopping.signal).assertMayGoOn()).not.toThrow();
  });
  it('stops at once when the lease is lost, and names the action', () => {
    const control = new RunControl(lease, stopping.signal);
    control.action = 'follow';
    now = 60_000;
    expect(() => control.assertMayGoOn()).toThrow(StopError);
    try {
      control.assertMayGoOn();
    } catch (error) {
      expect((error as StopError).signal).toMatchObject({ class: 'lease_lost', action: 'follow', row: null });
    }
  });
});

describe("a session's cookies", () => {
  const cookie = networkCookie.parse({
    name: 'sessionid',
    value: '1%3Aabc',
    domain: '.instagram.com',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: true,
    sameSite: 'None',
  });
  it('keep their domain on the site they were made for', () => {
    expect(cookiesFor(new URL('https://www.instagram.com'), [cookie])).toEqual([cookie]);
  });
  it('belong to the configured host alone where the network has another address', () => {
    expect(cookiesFor(new URL('http://127.0.0.1:4000'), [cookie])).toEqual([
      { ...cookie, domain: '127.0.0.1', secure: false, sameSite: 'Lax' },
    ]);
    expect(cookiesFor(new URL('https://notinstagram.com'), [cookie])).toMatchObject([{ domain: 'notinstagram.com', secure: true }]);
  });
});
