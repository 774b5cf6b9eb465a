import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, testRedis } from '@decola/testing';
import { redisClient } from '@decola/service-kit';
import { LeaseStore } from '../src/accounts/lease-store.js';

describe('leases of accounts in Redis', () => {
  const redis = testRedis();
  const stores: LeaseStore[] = [];
  /** Its leases do not expire during a test, unless it says so. */
  const store = async (ttlMs = 60_000) => {
    const made = new LeaseStore({ url: redis.url, prefix: redis.prefix, ttlMs });
    stores.push(made);
    await made.connect();
    return made;
  };
  const account = () => `account-${randomUUID()}`;
  afterAll(async () => {
    for (const one of stores) one.close();
    await redis.dispose();
  });

  it('gives an account to only one of many simultaneous requests', async () => {
    const [one, other] = [await store(), await store()];
    const key = account();
    const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).acquire(key, randomUUID(), `w${n}`)));
    const granted = asked.filter((lease) => lease !== null);
    expect(granted).toHaveLength(1);
    expect(await one.heldForMs(key)).toBeLessThan(60_000);
    expect(await one.heldForMs(account())).toBeNull();
    await granted[0]!.release();
  });

  it('stores the cooldown of an account for all workers', async () => {
    const [one, other] = [(await store()).cooldownOf('resting'), (await store()).cooldownOf('resting')];
    expect(await other.remainingMs()).toBe(0);
    await one.start(600_000.4);
    expect(await other.remainingMs()).toBeGreaterThan(300_000);
    expect(await (await store()).cooldownOf('another').remainingMs()).toBe(0);
    await other.start(0);
    expect(await one.remainingMs()).toBe(0);
  });

  it('issues growing tokens, also when Redis lost its data', async () => {
    const leases = await store();
    const key = account();
    const tokens: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const lease = (await leases.acquire(key, randomUUID(), 'w'))!;
      tokens.push(lease.fencingToken);
      await lease.release();
    }
    const client = await redisClient({ url: redis.url }).connect();
    await client.del(`${redis.prefix}fence:${key}`);
    client.destroy();
    const after = (await leases.acquire(key, randomUUID(), 'w'))!;
    tokens.push(after.fencingToken);
    await after.release();
    expect([...tokens].sort((one, other) => one - other)).toEqual(tokens);
    expect(new Set(tokens).size).toBe(4);
  });

  it('keeps the account while its holder is alive, and frees it after the holder died', async () => {
    // Renewed after a third of it: a busy machine may stand still for seconds.
    const ttlMs = 15_000;
    const holder = await store(ttlMs);
    const key = account();
    const lease = (await holder.acquire(key, randomUUID(), 'holder'))!;
    const waiting = await store(ttlMs);
    const deadline = Date.now() + 1.3 * ttlMs;
    while (Date.now() < deadline) {
      expect(await waiting.acquire(key, randomUUID(), 'other')).toBeNull();
      await sleep(200);
    }
    holder.close(); // like a process that died: nobody renews the lease
    const next = await eventually(async () => {
      const granted = await waiting.acquire(key, randomUUID(), 'other');
      if (!granted) throw new Error('still taken');
      return granted;
    });
    expect(next.fencingToken).toBeGreaterThan(lease.fencingToken);
    expect(lease.held).toBe(false); // the old holder knew it before anybody else could act
    await next.release();
  });

  it('does not release a lease that belongs to somebody else by now', async () => {
    const leases = await store();
    const key = account();
    const old = (await leases.acquire(key, randomUUID(), 'old'))!;
    const client = await redisClient({ url: redis.url }).connect();
    await client.del(`${redis.prefix}lease:${key}`);
    const current = (await leases.acquire(key, randomUUID(), 'new'))!;
    await old.release();
    expect(await client.get(`${redis.prefix}lease:${key}`)).toContain(':new:');
    client.destroy();
    await current.release();
  });

  it('remembers that a run was begun, and that it finished', async () => {
    const leases = await store();
    const runId = randomUUID();
    expect(await leases.markOf(runId)).toBeNull();
    await leases.markBegun(runId);
    expect(await leases.markOf(runId)).toBe('begun');
    await leases.markFinished(runId);
    expect(await leases.markOf(runId)).toBe('finished');
  });
});
