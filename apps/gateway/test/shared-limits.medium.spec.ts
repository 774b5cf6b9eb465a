import { SharedRateLimits } from '@decola/service-kit/rate-limits';
import { eventually, freePort, tcpProxy, testRedis } from '@decola/testing';

describe('rate limits that replicas share', () => {
  const redis = testRedis();
  const logger = { warn: () => undefined };
  const replicas: SharedRateLimits[] = [];
  const replicaOf = async (url = redis.url) => {
    const limits = new SharedRateLimits({ url, prefix: redis.prefix, logger });
    replicas.push(limits);
    await limits.waitForRedis();
    return limits;
  };
  const replica = async (url = redis.url) => (await replicaOf(url)).limiter('tries', 1, 60);
  afterEach(() => {
    for (const one of replicas.splice(0)) one.close();
  });
  afterAll(() => redis.dispose());

  it('also hold for a replica that has just started', async () => {
    await (await replica()).consume('somebody');
    await expect((await replica()).consume('somebody')).rejects.toMatchObject({ remainingPoints: 0 });
  });

  it('are counted per replica while Redis cannot be reached', async () => {
    const away = `redis://127.0.0.1:${await freePort()}`;
    const limiter = await replica(away);
    await limiter.consume('somebody else');
    await expect(limiter.consume('somebody else')).rejects.toMatchObject({ remainingPoints: 0 });
    await (await replica(away)).consume('somebody else');
  });

  it('are counted per replica while Redis does not answer, and shared again when it does', async () => {
    const way = await tcpProxy(redis.url);
    try {
      const limiter = await replica(way.url);
      way.hang();
      // Requests continue: traffic on the connection must not hide that Redis does not answer.
      const traffic = setInterval(() => void limiter.consume('traffic').catch(() => undefined), 50);
      await limiter.consume('a third');
      clearInterval(traffic);
      await expect(limiter.consume('a third')).rejects.toMatchObject({ remainingPoints: 0 });
      await way.restore();
      const other = await replica();
      await eventually(async () => {
        const key = `somebody ${performance.now()}`;
        await limiter.consume(key);
        await expect(other.consume(key)).rejects.toMatchObject({ remainingPoints: 0 });
      });
    } finally {
      await way.dispose();
    }
  });

  it('that are counted together count in order, and none after the first that refuses', async () => {
    const limits = await replicaOf();
    const [address, person] = [limits.limiter('addresses', 3, 60), limits.limiter('people', 2, 60)];
    const count = (who: string) =>
      limits.countAll([
        [address, 'network'],
        [person, who],
      ]);
    const consumed = async (limiter: typeof address, key: string) => (await limiter.get(key))?.consumedPoints;
    expect([await count('ana'), await count('ana')]).toEqual([null, null]);
    const wait = await count('ana');
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect([await consumed(address, 'network'), await consumed(person, 'ana')]).toEqual([3, 3]);
    // The address has to wait, so the person is not counted.
    expect(await count('bia')).toBeGreaterThan(0);
    expect([await consumed(address, 'network'), await consumed(person, 'bia')]).toEqual([4, undefined]);
  });

  it('that are counted together are those that are counted alone, and end like them', async () => {
    const limits = await replicaOf();
    const limiter = limits.limiter('both', 2, 60);
    await limiter.consume('first alone');
    expect(await limits.countAll([[limiter, 'first alone']])).toBeNull();
    await expect(limiter.consume('first alone')).rejects.toMatchObject({ consumedPoints: 3 });
    expect(await limits.countAll([[limiter, 'first together']])).toBeNull();
    const { msBeforeNext, consumedPoints } = await limiter.consume('first together');
    expect(consumedPoints).toBe(2);
    expect(msBeforeNext).toBeGreaterThan(0);
    expect(msBeforeNext).toBeLessThanOrEqual(60_000);
  });

  it('that are counted together are counted per replica while Redis cannot be reached', async () => {
    const limits = await replicaOf(`redis://127.0.0.1:${await freePort()}`);
    const [address, person] = [limits.limiter('addresses', 5, 60), limits.limiter('people', 1, 60)];
    const count = () =>
      limits.countAll([
        [address, 'network'],
        [person, 'ana'],
      ]);
    expect(await count()).toBeNull();
    expect(await count()).toBeGreaterThan(0);
  });

  it('keep the connection of a process that stood still for longer than a ping may take', async () => {
    const limiter = await replica();
    const { redis: client } = replicas.at(-1) as unknown as { redis: { ping: () => Promise<string>; destroy: () => void } };
    const [ping, destroy] = [client.ping.bind(client), jest.spyOn(client, 'destroy')];
    const stoodStill = new Promise<void>((resolve) => {
      jest.spyOn(client, 'ping').mockImplementationOnce(() => {
        const response = ping();
        // The client writes in this turn of the event loop, and the process stands still before it reads the response.
        setImmediate(() => {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
          resolve();
        });
        return response;
      });
    });
    await stoodStill;
    await eventually(async () => expect(await ping()).toBe('PONG'));
    await limiter.consume('a fourth');
    expect(destroy).not.toHaveBeenCalled();
  });
});
