import { AccountLease, clocksNow } from './account-lease.js';

describe('a lease of an account', () => {
  let now = 0;
  /** How far the wall clock is ahead of the monotonic one. */
  let ahead = 0;
  const clocks = () => ({ monotonic: now, wall: 1_763_776_800_000 + now + ahead });
  const leaseWith = (renew: () => Promise<boolean>) => {
    now = ahead = 0;
    return new AccountLease(7, 900, clocks(), { renew, release: () => Promise.resolve(true) }, clocks);
  };

  it('stays valid while it is renewed', async () => {
    const lease = leaseWith(() => Promise.resolve(true));
    now = 700;
    await lease.renew();
    now = 1400;
    expect(lease.held).toBe(true);
    await lease.release();
  });

  it('is lost at once when somebody else has it', async () => {
    const lease = leaseWith(() => Promise.resolve(false));
    await lease.renew();
    expect(lease.held).toBe(false);
    expect(lease.lost.aborted).toBe(true);
  });

  it('outlasts an outage of Redis, but not the granted time', async () => {
    const lease = leaseWith(() => Promise.reject(new Error('away')));
    now = 500;
    await lease.renew();
    expect(lease.held).toBe(true);
    now = 811; // nine tenths of 900
    expect(lease.held).toBe(false);
    expect(lease.lost.aborted).toBe(true);
  });

  it('counts a renewal from its request, not from its answer', async () => {
    const lease = leaseWith(() => {
      now = 700;
      return Promise.resolve(true);
    });
    now = 100;
    await lease.renew();
    now = 911;
    expect(lease.held).toBe(false);
  });

  it('never comes back once it is lost', async () => {
    const lease = leaseWith(() => Promise.resolve(true));
    now = 5_000;
    await lease.renew();
    expect(lease.held).toBe(false);
  });

  it('is lost after a suspension of the machine, which the monotonic clock does not count, and a late answer does not revive it', async () => {
    const lease = leaseWith(() => {
      ahead = 45_000; // suspended while Redis answered
      return Promise.resolve(true);
    });
    now = 300;
    await lease.renew();
    expect(lease.held).toBe(false);
    expect(lease.lost.aborted).toBe(true);
    expect(lease.msUntilEnd).toBeLessThan(0);
  });

  it('is not held longer when the wall clock is set back', () => {
    const lease = leaseWith(() => Promise.resolve(true));
    ahead = -3_600_000;
    now = 811;
    expect(lease.held).toBe(false);
  });

  it('reports every renewal, and until when its processes may run', async () => {
    const lease = leaseWith(() => Promise.resolve(true));
    const told: number[] = [];
    const stop = lease.onRenewed(() => told.push(lease.msUntilEnd));
    now = 300;
    expect(lease.msUntilEnd).toBe(555);
    await lease.renew();
    stop();
    now = 600;
    await lease.renew();
    expect(told).toEqual([855]);
    await lease.release();
  });

  it('is lost in time although a renewal is never answered and nobody reads it', async () => {
    const lease = new AccountLease(7, 300, clocksNow(), {
      renew: () => new Promise(() => undefined),
      release: () => Promise.resolve(true),
    });
    await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
    expect(lease.held).toBe(false);
  });
});
