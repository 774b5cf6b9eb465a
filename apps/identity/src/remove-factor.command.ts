/**
 * `node dist/remove-factor.command.js <email>`: takes the second factors from somebody who lost theirs and has shown otherwise who they are. Their
 * sessions end, their history tells it, and a mail. DATABASE_URL says where, MAIL_KEY_RING seals the mail; a running identity service sends it.
 */
import { removeFactors } from './factors/removal.js';
import { CommandRefusal, personCommand } from './person-command.js';

await personCommand('remove-factor', async (manager, user, mails) => {
  if (!(await removeFactors(manager, mails, user, new Date()))) throw new CommandRefusal('this person has no second factor');
  return 'removed; all sessions ended, and a mail tells the person. Their password alone lets them in now';
});
