import { RedisClient } from '@redis/client';

/**
 * Makes a client of Redis from its options. The package's own `createClient` builds a class with all commands for each set of options, which takes 40 ms;
 * this builds it once.
 */
export const redisClient = RedisClient.factory({});

export type Redis = ReturnType<typeof redisClient>;
