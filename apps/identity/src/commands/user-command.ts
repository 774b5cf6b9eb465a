import 'reflect-metadata';
import { dataSourceOptions } from '@decola/database';
import { mailerConfig, MailQueue } from '@decola/mailer';
import { loadConfig } from '@decola/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { configSchema } from '../config/config.js';
import type { IdentityMail } from '../mails/identity-mail.js';
import { userByEmail } from '../users/user-store.js';
import type { UserRecord } from '../users/user.view.js';

/** What such a command reads from its environment: it queues mails, and a running service sends them. */
const commandConfig = z.object({ DATABASE_URL: configSchema.shape.DATABASE_URL, MAIL_KEY_RING: mailerConfig.MAIL_KEY_RING });

/** Why a command did nothing, in words for the operator. */
export class CommandError extends Error {}

/**
 * Runs an operator's command `<name> <email>` that does one thing to a person, in one transaction.
 * @param work returns what it did, for the operator. @throws CommandError when there is nothing to do
 */
export async function runUserCommand(
  name: string,
  work: (manager: EntityManager, user: UserRecord, mails: MailQueue<IdentityMail>) => Promise<string>,
): Promise<void> {
  try {
    const [email, ...more] = process.argv.slice(2);
    if (!email || more.length > 0) throw new Error(`usage: DATABASE_URL=... MAIL_KEY_RING=... node dist/${name}.command.js <email>`);
    const { DATABASE_URL: url, MAIL_KEY_RING: keyRing } = loadConfig(name, commandConfig, process.env);
    const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 1, applicationName: name })).initialize();
    try {
      const done = await dataSource.transaction(async (manager) => {
        const user = await userByEmail(manager, email.trim().toLowerCase());
        if (!user) throw new CommandError('nobody has this address');
        return work(manager, user, new MailQueue(keyRing));
      });
      process.stdout.write(`${done}\n`);
    } finally {
      await dataSource.destroy();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
