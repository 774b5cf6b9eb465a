import { randomUUID } from 'node:crypto';
import { eventually, testRedis } from '@decola/testing';
import { createClient } from 'redis';
import { LeaseStore } from '../src/accounts/account-lease.js';

describe('leases of accounts in Redis', () => {
  const redis = testRedis();
  const stores: LeaseStore[] = [];
  const store = async (ttlMs = 2_000) => {
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

  it('gives an account to one of many who ask at the same moment', async () => {
    const [one, other] = [await store(), await store()];
    const key = account();
    const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).acquire(key, randomUUID(), `w${n}`)));
    const granted = asked.filter((lease) => lease !== null);
    expect(granted).toHaveLength(1);
    expect(await one.heldForMs(key)).toBeLessThan(5_000);
    expect(await one.heldForMs(account())).toBeNull();
    await granted[0]!.release();
  });

  it('remembers for how long an account rests, for whichever worker asks', async () => {
    const [one, other] = [(await store()).restOf('resting'), (await store()).restOf('resting')];
    expect(await other.leftMs()).toBe(0);
    await one.begin(60_000.4);
    expect(await other.leftMs()).toBeGreaterThan(50_000);
    expect(await (await store()).restOf('another').leftMs()).toBe(0);
    await other.begin(0);
    expect(await one.leftMs()).toBe(0);
  });

  it('hands out growing tokens, also when Redis forgot everything', async () => {
    const leases = await store();
    const key = account();
    const tokens: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const lease = (await leases.acquire(key, randomUUID(), 'w'))!;
      tokens.push(lease.fencingToken);
      await lease.release();
    }
    const client = await createClient({ url: redis.url }).connect();
    await client.del(`${redis.prefix}fence:${key}`);
    client.destroy();
    const after = (await leases.acquire(key, randomUUID(), 'w'))!;
    tokens.push(after.fencingToken);
    await after.release();
    expect([...tokens].sort((one, other) => one - other)).toEqual(tokens);
    expect(new Set(tokens).size).toBe(4);
  });

  it('keeps the account for as long as its holder lives, and frees it after its death', async () => {
    const holder = await store(1_000);
    const key = account();
    const lease = (await holder.acquire(key, randomUUID(), 'holder'))!;
    const waiting = await store(1_000);
    const deadline = Date.now() + 2_500;
    while (Date.now() < deadline) {
      expect(await waiting.acquire(key, randomUUID(), 'other')).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    holder.close(); // as if the process had died: nobody renews
    const next = await eventually(async () => {
      const granted = await waiting.acquire(key, randomUUID(), 'other');
      if (!granted) throw new Error('still taken');
      return granted;
    });
    expect(next.fencingToken).toBeGreaterThan(lease.fencingToken);
    expect(lease.held).toBe(false); // the old holder knew before anybody else could act
    await next.release();
  });

  it('does not release what belongs to somebody else by now', async () => {
    const leases = await store(1_000);
    const key = account();
    const old = (await leases.acquire(key, randomUUID(), 'old'))!;
    const client = await createClient({ url: redis.url }).connect();
    await client.del(`${redis.prefix}lease:${key}`);
    const current = (await leases.acquire(key, randomUUID(), 'new'))!;
    await old.release();
    expect(await client.get(`${redis.prefix}lease:${key}`)).toContain(':new:');
    client.destroy();
    await current.release();
  });

  it('remembers that a run was begun, and that it is over', async () => {
    const leases = await store();
    const runId = randomUUID();
    expect(await leases.markOf(runId)).toBeNull();
    await leases.markBegun(runId);
    expect(await leases.markOf(runId)).toBe('begun');
    await leases.markFinished(runId);
    expect(await leases.markOf(runId)).toBe('finished');
  });
});
