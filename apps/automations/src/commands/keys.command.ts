import 'reflect-metadata';
import { keysCommand } from '@decola/database';
import { sealedSessions } from '../sessions/session-vault.service.js';

await keysCommand({
  service: 'automations',
  sealed: [
    {
      ring: 'SESSION_KEY_RING',
      columns: sealedSessions,
      notes: [
        'browser-worker has the same ring: a key must be accepted there, too, before it seals here.',
        'Queued jobs have copies: remove a key RUN_JOB_TTL_MS (an hour) after the last session was sealed again, here and at the workers.',
      ],
    },
  ],
});
