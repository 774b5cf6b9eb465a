import { randomBytes } from 'node:crypto';
import { redisClient } from '@decola/service-kit';
import { infrastructure } from './infrastructure.js';

export interface TestRedis {
  url: string;
  /** Prefix for all keys of the test. */
  prefix: string;
  dispose(): Promise<void>;
}

/** Reserves a key prefix for one test on the running Redis. `dispose` deletes its keys. */
export function testRedis(): TestRedis {
  const { url } = infrastructure().redis;
  const prefix = `test:${randomBytes(8).toString('hex')}:`;
  return {
    url,
    prefix,
    dispose: async () => {
      const client = redisClient({ url });
      await client.connect();
      try {
        for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 500 })) {
          if (keys.length > 0) await client.del(keys);
        }
      } finally {
        client.destroy();
      }
    },
  };
}
