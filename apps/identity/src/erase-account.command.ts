/**
 * `node dist/erase-account.command.js <email>`: erases a person's account for good, as they can do themselves (LGPD): their sessions end,
 * every service forgets them, and a last mail tells them. DATABASE_URL says where; a running identity service tells the others.
 */
import { Outbox } from '@decola/messaging';
import { eraseAccount } from './account/erasure.js';
import { CommandRefusal, personCommand } from './person-command.js';

await personCommand('erase-account', async (manager, user, mails) => {
  if (!(await eraseAccount(manager, { outbox: new Outbox(), mails }, user.id, new Date())))
    throw new CommandRefusal('nobody has this address');
  return 'erased; every service forgets the person as soon as it hears of it';
});
