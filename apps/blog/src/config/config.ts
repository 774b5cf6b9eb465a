import { databaseConfig } from '@decola/database';
import { mailerConfig } from '@decola/mailer';
import { outgoingHttpConfig } from '@decola/outgoing-http';
import { base64Key, baseConfig, keyRingText } from '@decola/service-kit';
import { z } from 'zod';
import { aiConfig } from './ai.config.js';
import { articlesConfig } from './articles.config.js';
import { deliveriesConfig } from './deliveries.config.js';
import { imagesConfig } from './images.config.js';

/** Everything that this service reads from its environment. It does not start when a value is missing or wrong. */
export const configSchema = baseConfig.extend({
  ...aiConfig,
  ...articlesConfig,
  ...deliveriesConfig,
  ...imagesConfig,
  ...mailerConfig,
  ...outgoingHttpConfig,
  ...databaseConfig,
  RABBITMQ_URL: z.url({ protocol: /^amqps?$/ }).describe('RabbitMQ'),
  INTERNAL_SIGNING_KEY: base64Key.describe('key of the gateway’s caller header'),
  SITE_URL: z.url({ protocol: /^https?$/ }).describe('public address of the product; links in mails begin with it'),
  WEBHOOK_TOKEN_KEY_RING: keyRingText.describe(
    'encrypts at rest the tokens by which customers’ sites recognise deliveries; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)',
  ),
});
export type BlogConfig = z.infer<typeof configSchema>;
