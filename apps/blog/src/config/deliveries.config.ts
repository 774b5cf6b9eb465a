import { z } from 'zod';

const seconds = (byDefault: string) =>
  z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be seconds, separated by commas')
    .default(byDefault)
    .transform((text) => text.split(',').map(Number));

/** How articles are delivered to customers' sites. */
export const deliveriesConfig = {
  ARTICLES_PER_SITE_PER_DAY: z.coerce.number().int().min(1).default(2).describe('articles that a customer’s site is sent on one day'),
  DELIVERY_RETRY_SECONDS: seconds('60,540,3000,18000,64800,172800').describe(
    'pauses between the attempts to deliver an article, separated by commas; by default 1 minute to 2 days, three days together',
  ),
  DELIVERY_LOOK_SECONDS: seconds('0,60,600,3600').describe(
    'when, after an article was published, its public page is looked at; the last two looks also pass page caches',
  ),
  DELIVERY_LEASE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .describe('how long a replica has a site to itself without renewing that'),
  DELIVERY_INTERVAL_MS: z.coerce.number().int().min(10).default(1_000).describe('how often due deliveries are looked for'),
};
