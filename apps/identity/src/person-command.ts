import 'reflect-metadata';
import { dataSourceOptions } from '@decola/database';
import { keyRingText, loadConfig } from '@decola/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { MailQueue } from './mail/mail-queue.js';
import { userByEmail } from './users/user-store.js';
import type { UserRecord } from './users/user.view.js';

/** What such a command reads: the service that runs sends the mails that it queues. */
const configSchema = z.object({ DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }), MAIL_KEY_RING: keyRingText });

/** Why a command did nothing, in words for the operator. */
export class CommandRefusal extends Error {}

/**
 * Runs an operator's command that takes an address and does one thing to its person, in one transaction.
 * @param work says what was done. @throws CommandRefusal when there is nothing to do
 */
export async function personCommand(
  name: string,
  work: (manager: EntityManager, user: UserRecord, mails: MailQueue) => Promise<string>,
): Promise<void> {
  try {
    const [email, ...more] = process.argv.slice(2);
    if (!email || more.length > 0) throw new Error(`usage: DATABASE_URL=... MAIL_KEY_RING=... node dist/${name}.command.js <email>`);
    const { DATABASE_URL: url, MAIL_KEY_RING: keyRing } = loadConfig(name, configSchema, process.env);
    const dataSource = await new DataSource(dataSourceOptions({ url, entities: [], poolSize: 1, applicationName: name })).initialize();
    try {
      const done = await dataSource.transaction(async (manager) => {
        const user = await userByEmail(manager, email.trim().toLowerCase());
        if (!user) throw new CommandRefusal('nobody has this address');
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
