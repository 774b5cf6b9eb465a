/**
 * `node dist/erase-account.command.js <email>`: erases a person's account for good, as they can do themselves (LGPD): their sessions end and
 * every service forgets them. DATABASE_URL says where; a running identity service tells the others.
 */
import 'reflect-metadata';
import { dataSourceOptions } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { DataSource } from 'typeorm';
import { eraseAccount } from './account/erasure.js';
import { userByEmail } from './users/user-store.js';

const [email, ...more] = process.argv.slice(2);
const url = process.env['DATABASE_URL'];
if (!url || !email || more.length > 0) {
  console.error('usage: DATABASE_URL=... node dist/erase-account.command.js <email>');
  process.exit(1);
}
const dataSource = await new DataSource(
  dataSourceOptions({ url, entities: [], poolSize: 1, applicationName: 'erase-account' }),
).initialize();
try {
  const isErased = await dataSource.transaction(async (manager) => {
    const user = await userByEmail(manager, email.trim().toLowerCase());
    return user !== null && (await eraseAccount(manager, new Outbox(), user.id, new Date()));
  });
  if (isErased) console.log('erased; every service forgets the person as soon as it hears of it');
  else {
    console.error('nobody has this address');
    process.exitCode = 1;
  }
} finally {
  await dataSource.destroy();
}
