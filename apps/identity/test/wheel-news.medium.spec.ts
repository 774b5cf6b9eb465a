import { randomUUID } from 'node:crypto';
import { defaultNotices, type PayloadOf, wheelNews } from '@decola/contracts';
import { eventually, publishTestEvent, testCaller } from '@decola/testing';
import { DataSource } from 'typeorm';
import { type IdentityUnderTest, signUp, startIdentity } from './support.js';

type News = PayloadOf<typeof wheelNews>;

const automationId = randomUUID();
const at = () => new Date().toISOString();
const lead = (userId: string): News => ({
  ...{ kind: 'lead', userId, automationId, wheel: 'Roleta de Natal', number: 12, prize: 'Caneca <azul>', at: at() },
});

describe('mails about the wheels of a customer', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;
  beforeAll(async () => {
    identity = await startIdentity();
    database = identity.app.get(DataSource);
  });
  afterAll(() => identity?.stop());

  const publish = async (news: News, id: string = randomUUID()) => {
    await publishTestEvent(identity.broker.url, wheelNews, news, { subject: news.userId, id });
    await eventually(async () => expect(await database.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
  };
  const mailsOf = (email: string) => identity.mails.filter(({ to, headers }) => to === email && 'list-unsubscribe' in headers);
  const mailAfter = async (news: (userId: string) => News) => {
    const { user, email } = await signUp(identity);
    await publish(news(user.id));
    await eventually(() => expect(mailsOf(email)).toHaveLength(1));
    return mailsOf(email)[0]!;
  };

  it.each<[string, (userId: string) => News, string, RegExp[]]>([
    [
      'each lead',
      lead,
      'Novo lead na roleta Roleta de Natal',
      [/A participação nº 12 ganhou: Caneca <azul>\./, new RegExp(`Ver os leads: http://decola\\.test/automation/${automationId}/roleta`)],
    ],
    [
      'a day of two wheels',
      (userId) => ({
        ...{ kind: 'day', userId, at: at() },
        wheels: [
          {
            automationId,
            wheel: 'Natal',
            leads: 3,
            prizes: [
              { name: 'Caneca', won: 2 },
              { name: 'Vale', won: 1 },
            ],
            chain: 'ab12',
          },
          { automationId: randomUUID(), wheel: 'Loja', leads: 1, prizes: [{ name: 'Boné', won: 1 }], chain: null },
        ],
      }),
      '4 novos leads nas suas roletas',
      [
        /1\. Natal: 3 novos leads: 2 × Caneca, 1 × Vale\. Corrente de auditoria: ab12/,
        /2\. Loja: 1 novo lead: 1 × Boné\.\n/,
        /Ver os leads: http:\/\/decola\.test\/adm/,
      ],
    ],
    [
      'few prizes',
      (userId) => ({ kind: 'low', userId, automationId, wheel: 'Natal', remaining: 10, total: 100, at: at() }),
      'Poucos prêmios na roleta Natal',
      [/Restam 10 de 100\./, /Aumentar o estoque/],
    ],
    [
      'no prizes',
      (userId) => ({ kind: 'sold_out', userId, automationId, wheel: 'Natal', remaining: 0, total: 100, at: at() }),
      'A roleta Natal esgotou',
      [/Precisa de você/, /Todos os prêmios foram sorteados/],
    ],
  ])('tell of %s', async (_, news, subject, sentences) => {
    const mail = await mailAfter(news);
    expect(mail.subject).toBe(subject);
    for (const sentence of sentences) expect(mail.text).toMatch(sentence);
  });

  it('are sent once for an event that is delivered twice, and not a day late', async () => {
    const { user, email } = await signUp(identity);
    const id = randomUUID();
    for (let time = 0; time < 2; time += 1) await publish(lead(user.id), id);
    await publish({ ...lead(user.id), at: new Date(Date.now() - 90_000_000).toISOString() });
    await publish({ ...lead(user.id), number: 13 } as News);
    await eventually(() => expect(mailsOf(email)).toHaveLength(2));
  });

  it('are stopped by one click, those about leads apart from those about stock', async () => {
    const { user, email } = await signUp(identity);
    await publish(lead(user.id));
    await eventually(() => expect(mailsOf(email)).toHaveLength(1));
    const { pathname, search } = new URL(/^<(.*)>$/.exec(mailsOf(email)[0]!.headers['list-unsubscribe']!)![1]!);
    expect(await (await fetch(`${identity.url}${pathname}${search}`, { method: 'POST' })).json()).toEqual({
      success: true,
      cause: 'wheel_leads',
    });
    const own = identity.client(testCaller(user.id));
    const { data } = await own.from('profiles').select('notices').single<{ notices: unknown }>();
    expect(data?.notices).toEqual({ ...defaultNotices, wheel_leads: false });
    await publish(lead(user.id));
    await publish({ kind: 'sold_out', userId: user.id, automationId, wheel: 'Natal', remaining: 0, total: 9, at: at() });
    await eventually(() => expect(mailsOf(email)).toHaveLength(2));
    expect(mailsOf(email)[1]?.subject).toBe('A roleta Natal esgotou');
  });
});
