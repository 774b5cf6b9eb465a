import 'reflect-metadata';
import { keysCommand } from '@decola/database';
import { sealedMails } from '@decola/mailer';
import { sealedWebhookSecrets } from '../webhooks/webhook-secrets.js';

await keysCommand({
  service: 'extraction',
  sealed: [
    { ring: 'WEBHOOK_KEY_RING', columns: [sealedWebhookSecrets], notes: [] },
    { ring: 'MAIL_KEY_RING', columns: [sealedMails], notes: [] },
  ],
});
