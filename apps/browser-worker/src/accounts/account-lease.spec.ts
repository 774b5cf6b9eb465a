import { AccountLease } from './account-lease.js';

describe('a lease of an account', () => {
  let now = 0;
  const leaseWith = (renew: () => Promise<boolean>) => {
    now = 0;
    return new AccountLease(7, 900, 0, { renew, release: () => Promise.resolve(true) }, () => now);
  };

  it('lives on while it is renewed', async () => {
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

  it('survives a Redis that is away, but not longer than it was granted', async () => {
    const lease = leaseWith(() => Promise.reject(new Error('away')));
    now = 500;
    await lease.renew();
    expect(lease.held).toBe(true);
    now = 811; // nine tenths of 900
    expect(lease.held).toBe(false);
    expect(lease.lost.aborted).toBe(true);
  });

  it('counts a renewal from when it was asked, not from when it was answered', async () => {
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
});
