import { randomUUID } from 'node:crypto';
import { mailerMigrations } from '@decola/mailer';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { eventually, testDatabase } from '@decola/testing';
import { DataSource } from 'typeorm';
import { freshEmail, type IdentityUnderTest, mailTo, startIdentity } from './support.js';

describe('the mail queue of identity', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity();
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  it('has the columns that libs/mailer creates for other services', async () => {
    const columnsOf = (each: DataSource) =>
      each.query(
        `select column_name, data_type, is_nullable, column_default from information_schema.columns
         where table_schema = current_schema() and table_name = 'mail_outbox' order by column_name`,
      );
    const other = await testDatabase({ migrations: mailerMigrations });
    const otherSource = await new DataSource({ type: 'postgres', url: other.url }).initialize();
    try {
      const columns: unknown[] = await columnsOf(database);
      expect(columns).toHaveLength(7);
      expect(columns).toEqual(await columnsOf(otherSource));
    } finally {
      await otherSource.destroy();
      await other.dispose();
    }
  });

  it('sends mails that an earlier release queued', async () => {
    const [id, email] = [randomUUID(), freshEmail()];
    // As the releases before libs/mailer stored it: same members, same additional data.
    const mail = { to: email, kind: 'recovery', link: 'http://decola.test/auth/v1/verify?token=ab&type=recovery', code: '012345' };
    const sealed = new Sealer(parseKeyRing(identity.environment['MAIL_KEY_RING']!)).seal(JSON.stringify(mail), `mail:${id}`);
    await database.query('insert into mail_outbox (id, user_id, kind, sealed) values ($1, null, $2, $3)', [id, mail.kind, sealed]);
    const sent = await mailTo(identity, email);
    expect(sent).toMatchObject({ subject: 'Redefina sua senha', messageId: `<${id}@decola.test>` });
    expect(sent.text).toContain('Código: 012345');
    await eventually(async () => expect(await database.query('select 1 from mail_outbox where id = $1', [id])).toEqual([]));
  });
});
