import { base64Key, baseConfig } from '@decola/service-kit';
import { z } from 'zod';

/** All that this service reads from its environment. It does not boot when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('PostgreSQL, as the role of this service'),
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
});
export type PrizeWheelConfig = z.infer<typeof configSchema>;
