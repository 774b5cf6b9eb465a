import { networkCookie } from '@decola/contracts';
import { AccountLease } from '../accounts/account-lease.js';
import { StopError, StoppingError } from '../driver/errors.js';
import { RunControl } from './run-control.js';
import { cookiesFor } from './run-driver.js';

describe('what ends a run from outside', () => {
  let now = 0;
  let lease: AccountLease;
  let stopping: AbortController;
  beforeEach(() => {
    now = 0;
    stopping = new AbortController();
    lease = new AccountLease(3, 60_000, 0, { renew: () => Promise.resolve(true), release: () => Promise.resolve(true) }, () => now);
  });
  afterEach(() => lease.release());

  it('pauses within the bounds of the pace', async () => {
    const began = performance.now();
    await new RunControl(lease, stopping.signal, () => 0.5).pause({ min: 20, max: 60 });
    expect(performance.now() - began).toBeGreaterThanOrEqual(35);
  });
  it('ends a pause when the worker is asked to stop', async () => {
    const control = new RunControl(lease, stopping.signal);
    const paused = control.pause({ min: 60_000, max: 60_000 });
    stopping.abort();
    await expect(paused).rejects.toBeInstanceOf(StoppingError);
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
