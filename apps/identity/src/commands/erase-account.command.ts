/**
 * `node dist/erase-account.command.js <email>`: erases a person's account for good, as people can do themselves (LGPD). A running identity
 * service then publishes the event that makes the other services erase the person, and sends the last mail. Reads DATABASE_URL and
 * MAIL_KEY_RING.
 */
import { Outbox } from '@decola/messaging';
import { eraseAccount } from '../account/account-erasure.js';
import { CommandError, runUserCommand } from './user-command.js';

await runUserCommand('erase-account', async (manager, user, mails) => {
  if (!(await eraseAccount(manager, { outbox: new Outbox(), mails }, user.id, new Date())))
    throw new CommandError('nobody has this address');
  return 'erased; every other service erases the person when it receives the event';
});
