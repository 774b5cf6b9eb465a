import { eventually, tcpProxy, testCaller, tracesOf } from '@decola/testing';
import { DataSource } from 'typeorm';
import { freshEmail, type IdentityUnderTest, mailTo, startIdentity, strongPassword } from './support.js';

describe('the last mail, after the account was erased', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;

  beforeAll(async () => {
    identity = await startIdentity({ MAIL_GAP_SECONDS: '0', SUPPORT_EMAIL: 'suporte@decola.test' });
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const newPerson = async (at = identity) => {
    const email = freshEmail();
    const { data, error } = await at.client().auth.signUp({ email, password: strongPassword });
    expect(error).toBeNull();
    return { email, userId: data.user!.id };
  };
  const erase = (userId: string, at = identity) =>
    at.client(testCaller(userId)).functions.invoke<{ success: boolean }>('delete-account', { body: { password: strongPassword } });
  const waiting = (at = database) =>
    at.query<{ user_id: string | null; text: string }[]>('select user_id, m::text as text from mail_outbox m');

  it('is sent once, as text and HTML, and then no trace of the person is left', async () => {
    const { email, userId } = await newPerson();
    const answers = await Promise.all([erase(userId), erase(userId), erase(userId)]);
    expect(answers.some(({ data }) => data?.success)).toBe(true);
    const mail = await mailTo(identity, email);
    expect(mail.subject).toBe('Sua conta no Decola foi excluída');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('Sua conta foi excluída, e com ela os seus dados');
      expect(part).toContain('suporte@decola.test');
    }
    expect(mail.html).toContain('lang="pt-BR"');
    await eventually(async () => expect(await waiting()).toEqual([]));
    expect(await tracesOf(identity.database.url, { email, userId })).toEqual(['outbox: userId']);
    expect(identity.mails.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('waits encrypted and without user id while the mail server is away; earlier mails are deleted with the person', async () => {
    const proxy = await tcpProxy(identity.smtpUrl);
    await proxy.cut();
    const slow = await startIdentity({ MAIL_GAP_SECONDS: '0', SMTP_URL: proxy.url });
    const slowDatabase = slow.app.get(DataSource);
    try {
      const { email, userId } = await newPerson(slow);
      await slow.client().auth.resetPasswordForEmail(email);
      expect(await waiting(slowDatabase)).toHaveLength(1);
      expect((await erase(userId, slow)).data).toEqual({ success: true });
      const left = await waiting(slowDatabase);
      expect(left).toMatchObject([{ user_id: null }]);
      for (const value of [email, userId]) expect(left[0]!.text).not.toContain(value);
      await proxy.restore();
      expect((await mailTo(identity, email)).subject).toBe('Sua conta no Decola foi excluída');
      await eventually(async () => expect(await waiting(slowDatabase)).toEqual([]));
      expect(identity.mails.filter(({ to }) => to === email)).toHaveLength(1);
    } finally {
      await slow.stop();
      await proxy.dispose();
    }
  });

  it('is not sent to an unconfirmed address', async () => {
    const { email, userId } = await newPerson();
    await database.query('update users set email_confirmed_at = null where id = $1', [userId]);
    expect((await erase(userId)).data).toEqual({ success: true });
    expect(await waiting()).toEqual([]);
    expect(identity.mails.filter(({ to }) => to === email)).toEqual([]);
  });

  it('is dropped after a day, so that the address does not stay stored', async () => {
    const proxy = await tcpProxy(identity.smtpUrl);
    await proxy.cut();
    const slow = await startIdentity({ SMTP_URL: proxy.url });
    const slowDatabase = slow.app.get(DataSource);
    try {
      const { userId } = await newPerson(slow);
      await erase(userId, slow);
      await slowDatabase.query(`update mail_outbox set created_at = created_at - interval '25 hours', due_at = clock_timestamp()`);
      await eventually(async () => expect(await waiting(slowDatabase)).toEqual([]));
    } finally {
      await slow.stop();
      await proxy.dispose();
    }
  });
});
