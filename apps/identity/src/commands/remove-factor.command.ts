/**
 * `node dist/remove-factor.command.js <email>`: removes the second factors of a person who lost theirs and has proven their identity
 * otherwise. Ends the person's sessions, records it and queues a mail, which a running identity service sends. Reads DATABASE_URL and
 * MAIL_KEY_RING.
 */
import { removeFactors } from '../factors/factor-removal.js';
import { CommandError, runUserCommand } from './user-command.js';

await runUserCommand('remove-factor', async (manager, user, mails) => {
  if (!(await removeFactors(manager, mails, user, new Date()))) throw new CommandError('this person has no second factor');
  return 'removed; all sessions ended, and a mail to the person is queued. The password alone is enough to sign in now';
});
