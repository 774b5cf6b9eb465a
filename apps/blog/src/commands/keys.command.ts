import 'reflect-metadata';
import { keysCommand } from '@decola/database';
import { sealedMails } from '@decola/mailer';
import { sealedTokens } from '../tokens/token-seals.js';

await keysCommand({
  service: 'blog',
  sealed: [
    { ring: 'WEBHOOK_TOKEN_KEY_RING', columns: sealedTokens, notes: ['The service seals again by itself, too, every hour.'] },
    { ring: 'MAIL_KEY_RING', columns: [sealedMails], notes: [] },
  ],
});
