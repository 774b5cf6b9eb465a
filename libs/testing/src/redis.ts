import { randomBytes } from 'node:crypto';
import { createClient } from 'redis';
import { infrastructure } from './infrastructure.js';

export interface TestRedis {
  url: string;
  /** Prefix of the test's own keys. */
  prefix: string;
  dispose(): Promise<void>;
}

/** A key prefix of the test's own on the real Redis; its keys are removed afterwards. */
export function testRedis(): TestRedis {
  const { url } = infrastructure().redis;
  const prefix = `test:${randomBytes(8).toString('hex')}:`;
  return {
    url,
    prefix,
    dispose: async () => {
      const client = createClient({ url });
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
