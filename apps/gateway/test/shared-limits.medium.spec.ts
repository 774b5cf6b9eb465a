import { SharedLimits } from '@decola/service-kit/limits';
import { freePort, testRedis } from '@decola/testing';

describe('limits that replicas share', () => {
  const redis = testRedis();
  const logger = { warn: () => undefined };
  const replicas: SharedLimits[] = [];
  const replica = async (url = redis.url) => {
    const limits = new SharedLimits({ url, prefix: redis.prefix, logger });
    replicas.push(limits);
    await limits.contact();
    return limits.limiter('tries', 1, 60);
  };
  afterEach(() => {
    for (const one of replicas.splice(0)) one.close();
  });
  afterAll(() => redis.dispose());

  it('hold for a replica that has just started', async () => {
    await (await replica()).consume('somebody');
    await expect((await replica()).consume('somebody')).rejects.toMatchObject({ remainingPoints: 0 });
  });

  it('are each replica’s own while Redis is away', async () => {
    const away = `redis://127.0.0.1:${await freePort()}`;
    const limiter = await replica(away);
    await limiter.consume('somebody else');
    await expect(limiter.consume('somebody else')).rejects.toMatchObject({ remainingPoints: 0 });
    await (await replica(away)).consume('somebody else');
  });
});
