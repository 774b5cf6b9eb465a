import { randomUUID } from 'node:crypto';
import { modelProviderDown, type PayloadOf } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { DataSource } from 'typeorm';
import { modelProviderTexts } from '../src/texts/texts.js';
import { type IdentityUnderTest, signUp, startIdentity } from './support.js';

describe('mails about the provider of the language model', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;
  beforeAll(async () => {
    identity = await startIdentity();
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const publish = async (change: Partial<PayloadOf<typeof modelProviderDown>> = {}) => {
    const id = randomUUID();
    const down = { provider: 'model.example', cause: 'quota', at: new Date().toISOString(), ...change };
    for (let time = 0; time < 2; time += 1) await publishTestEvent(identity.broker.url, modelProviderDown, down, { id });
    await eventually(async () => expect(await database.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
    await eventually(async () => expect(await database.query('select 1 from mail_outbox')).toEqual([]));
  };

  it('reach every administrator of the blog once, and nobody else', async () => {
    const people = [await signUp(identity), await signUp(identity), await signUp(identity), await signUp(identity)];
    const roles = ['admin_master', 'admin_master', 'admin'];
    for (const [index, role] of roles.entries())
      await database.query('insert into user_roles (user_id, role) values ($1, $2)', [people[index]!.user.id, role]);
    identity.mails.length = 0;
    await publish();
    expect(identity.mails.map(({ to }) => to).sort()).toEqual([people[0]!.email, people[1]!.email].sort());
    const [mail] = identity.mails;
    expect(mail!.subject).toContain('artigos do blog estão parados');
    expect(mail!.text).toContain('É model.example, desde ');
    expect(mail!.text).toContain(modelProviderTexts.causes.quota);
    expect(mail!.text).toContain('Abrir o blog: http://decola.test/blog');
  });

  it('say as much as is known of a cause that only a newer blog names, and nothing of an outage of last week', async () => {
    identity.mails.length = 0;
    await publish({ cause: 'constructor' });
    expect(identity.mails).toHaveLength(2);
    expect(identity.mails[0]!.text).not.toContain('Motivo');
    identity.mails.length = 0;
    await publish({ at: new Date(Date.now() - 7 * 86_400_000).toISOString() });
    expect(identity.mails).toEqual([]);
  });
});
