import { keyRingText } from '@decola/service-kit';
import { z } from 'zod';

/** Environment of a service that sends mails: `baseConfig.extend({ ...mailerConfig })`. */
export const mailerConfig = {
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).describe('mail server'),
  MAIL_FROM: z.string().min(3).describe('sender of mails: `Name <address>`'),
  MAIL_KEY_RING: keyRingText.describe('encrypts queued mails at rest; a key ring (active=<id>;<id>:<base64 of 32 bytes>,…)'),
  PRODUCT_NAME: z.string().default('Decola').describe('name of the product in mails'),
  SUPPORT_EMAIL: z.email().optional().describe('address for questions, shown in mails'),
};
