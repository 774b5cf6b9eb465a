import 'reflect-metadata';
import { keysCommand } from '@decola/database';
import { sealedMails } from '@decola/mailer';
import { loadConfig } from '@decola/service-kit';
import { z } from 'zod';
import { tokenKeys } from '../config/token-keys.js';
import { sealedFactors } from '../factors/factors.service.js';
import { tokenKeysReport } from '../tokens/token-keys-report.js';

await keysCommand({
  service: 'identity',
  sealed: [
    { ring: 'FACTOR_KEY_RING', columns: [sealedFactors], notes: [] },
    {
      ring: 'MAIL_KEY_RING',
      columns: [sealedMails],
      notes: [
        'Codes in mails that were sent: keep a key for MAIL_TOKEN_SECONDS (an hour) after the next one became the active one.',
        'The links in mails that were sent, by which people stop these mails, end when their key is removed.',
      ],
    },
  ],
  others: (environment) => {
    const { TOKEN_KEYS: keys } = loadConfig('identity', z.object({ TOKEN_KEYS: tokenKeys }), environment);
    return (dataSource) => tokenKeysReport(dataSource.manager, keys, new Date());
  },
});
