import { randomBytes, randomUUID } from 'node:crypto';
import { customerNeeded, defaultNotices, isPagePath, type PayloadOf, userAddress } from '@decola/contracts';
import { MailQueue } from '@decola/mailer';
import { Requester } from '@decola/messaging';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { accountExportOf, eventually, publishTestEvent, type ReceivedMail, tcpProxy, testCaller } from '@decola/testing';
import { DataSource } from 'typeorm';
import type { IdentityMail } from '../src/mails/identity-mail.js';
import { instantText, unsubscribeTexts } from '../src/texts/texts.js';
import { signUp as signUpAt, type IdentityUnderTest, startIdentity } from './support.js';

type Notice = PayloadOf<typeof customerNeeded>;

const now = new Date().toISOString();
const inADay = new Date(Date.parse(now) + 86_400_000).toISOString();

describe('mails that tell when something needs the customer', () => {
  let identity: IdentityUnderTest;
  let database: DataSource;
  let queue: MailQueue<IdentityMail>;
  beforeAll(async () => {
    identity = await startIdentity();
    database = identity.app.get(DataSource);
    queue = identity.app.get<MailQueue<IdentityMail>>(MailQueue);
  });
  afterAll(() => identity?.stop());

  const customer = async () => {
    const { user, email } = await signUpAt(identity);
    const own = identity.client(testCaller(user.id));
    const write = (notices: unknown) => own.from('profiles').update({ notices }).eq('user_id', user.id);
    const read = async () => (await own.from('profiles').select('notices').single<{ notices: unknown }>()).data?.notices;
    const mails = () => identity.mails.filter(({ to, headers }) => to === email && 'list-unsubscribe' in headers);
    return { userId: user.id, email, own, write, read, mails };
  };
  type Customer = Awaited<ReturnType<typeof customer>>;

  const publish = async ({ userId }: Pick<Customer, 'userId'>, notice: Partial<Notice>, id = randomUUID()) => {
    const everything: Notice = {
      ...{ userId, cause: 'session_ended', stop: 'session_ended', account: '@padaria', automations: 2, until: null },
      ...{ at: new Date().toISOString(), ...notice },
    };
    await publishTestEvent(identity.broker.url, customerNeeded, everything, { subject: userId, id });
    await handled(id);
  };
  const handled = (id: string) =>
    eventually(async () => expect(await database.query('select 1 from inbox where message_id = $1', [id])).toHaveLength(1));
  const nothingQueued = (userId: string) =>
    eventually(async () => expect(await database.query('select 1 from mail_outbox where user_id = $1', [userId])).toEqual([]));
  const mailOf = async (person: Customer): Promise<ReceivedMail> => {
    await eventually(() => expect(person.mails()).not.toHaveLength(0));
    return person.mails().at(-1)!;
  };
  /** The URL of the header, at the service under test. */
  const oneClickOf = ({ headers }: ReceivedMail) => {
    const { pathname, search } = new URL(/^<(.*)>$/.exec(headers['list-unsubscribe']!)![1]!);
    return `${identity.url}${pathname}${search}`;
  };
  /** As mail providers do (RFC 8058). */
  const oneClick = async (url: string) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), redirect: 'manual' });
    return { status: answer.status, body: await answer.json() };
  };

  it.each<[string, Partial<Notice>, string, RegExp[]]>([
    [
      'a session ended',
      { cause: 'session_ended', stop: 'session_ended' },
      'A sessão de @padaria no Instagram terminou',
      [
        /2 automações desta conta esperam, e nada se perdeu/,
        /1\. Entre no Instagram: Pelo navegador, com @padaria\./,
        /Abrir Contas: http:\/\/decola\.test\/contas/,
      ],
    ],
    [
      'a cookie opened another account',
      { cause: 'session_ended', stop: 'wrong_account' },
      'O cookie de @padaria abriu outra conta',
      [/Entre na conta certa/, /decola\.test\/contas/],
    ],
    [
      'the network asked for a confirmation',
      { cause: 'blocked', stop: 'challenge', automations: 1 },
      'O Instagram pediu uma confirmação em @padaria',
      [/Uma automação desta conta espera/, /2\. Confirme que é você/, /“Já resolvi no Instagram”/],
    ],
    [
      'the network suspended an account whose name is unknown',
      { cause: 'blocked', stop: 'suspended', account: null },
      'O Instagram suspendeu uma conta sua',
      [/Recorra pelo aplicativo/],
    ],
    [
      'the network blocked actions',
      { cause: 'blocked', stop: 'action_blocked', until: inADay },
      'O Instagram bloqueou ações em @padaria',
      [
        new RegExp(`Foi em ${instantText(now)}, e paramos na hora\\.`),
        new RegExp(`descansar até ${instantText(inADay)}`),
        /voltamos sozinhos/,
      ],
    ],
    [
      'the network blocked the account for long',
      { cause: 'blocked', stop: 'action_blocked_long', until: inADay },
      'O Instagram bloqueou @padaria por mais tempo',
      [/Ligue as automações de novo/, /Ver minhas automações: http:\/\/decola\.test\/adm/],
    ],
    [
      'the plan shrank',
      { cause: 'plan_shrank', stop: null, account: null, automations: 3 },
      'Desligamos automações: seu plano tem menos slots',
      [/desligamos as 3 mais novas\. Não apagamos nada/, /http:\/\/decola\.test\/adm/],
    ],
  ])('say what happened, since when, what was not lost and what to do: %s', async (_, notice, subject, sentences) => {
    const ana = await customer();
    await publish(ana, { at: now, ...notice });
    const mail = await mailOf(ana);
    expect(mail).toMatchObject({ to: ana.email, subject });
    for (const sentence of [/Precisa de você/, ...sentences]) expect(mail.text).toMatch(sentence);
    expect(mail.html).toContain('Precisa de você');
  });

  it('show times by the wall clock of the customer', async () => {
    const ana = await customer();
    expect((await ana.own.from('profiles').update({ time_zone: 'Asia/Tokyo' }).eq('user_id', ana.userId)).status).toBe(204);
    await publish(ana, { at: now });
    expect((await mailOf(ana)).text).toContain(`Foi em ${instantText(now, 'Asia/Tokyo')}, e paramos na hora.`);
    expect(instantText(now, 'Asia/Tokyo')).not.toBe(instantText(now));
  });

  it('are sent once for an event that is delivered twice, not for one older than a day, and not to people who were erased', async () => {
    const ana = await customer();
    const id = randomUUID();
    for (let time = 0; time < 2; time += 1) await publish(ana, {}, id);
    await publish(ana, { at: new Date(Date.now() - 90_000_000).toISOString() });
    await publish({ userId: randomUUID() }, {});
    // Events of a queue are handled in their order: this one is the last.
    await publish(ana, { cause: 'plan_shrank', stop: null });
    await eventually(() => expect(ana.mails()).toHaveLength(2));
    await nothingQueued(ana.userId);
    expect(ana.mails().map(({ subject }) => subject.slice(0, 9))).toEqual(['A sessão ', 'Desligamo']);
  });

  it('are dropped unsent when the mail server was away for more than a day', async () => {
    const proxy = await tcpProxy(identity.smtpUrl);
    const slow = await startIdentity({ SMTP_URL: proxy.url });
    try {
      await proxy.cut();
      const { user, email } = await signUpAt(slow);
      const rows = () =>
        slow.app.get(DataSource).query(`select tries from mail_outbox where user_id = $1 and kind = 'session_ended'`, [user.id]);
      const notice = { userId: user.id, cause: 'session_ended', stop: 'session_ended', account: null, automations: 1 } as const;
      await publishTestEvent(slow.broker.url, customerNeeded, { ...notice, at: now, until: null }, { subject: user.id });
      await eventually(async () => expect(await rows()).toMatchObject([{ tries: 1 }]));
      await slow.app
        .get(DataSource)
        .query(
          `update mail_outbox set created_at = created_at - interval '25 hours', due_at = clock_timestamp() where kind = 'session_ended'`,
        );
      await proxy.restore();
      await eventually(async () => expect(await rows()).toEqual([]));
      expect(identity.mails.filter(({ to }) => to === email)).toEqual([]);
    } finally {
      await slow.stop();
      await proxy.dispose();
    }
  });

  describe('can be switched off', () => {
    it('each for itself, and are off from then on, also a mail that waits already', async () => {
      const ana = await customer();
      expect(await ana.read()).toEqual(defaultNotices);
      expect((await ana.write({ blocked: false })).status).toBe(204);
      expect(await ana.read()).toEqual({ ...defaultNotices, blocked: false });
      await publish(ana, { cause: 'blocked', stop: 'challenge' });
      await publish(ana, { cause: 'session_ended' });
      expect((await mailOf(ana)).subject).toBe('A sessão de @padaria no Instagram terminou');
      await nothingQueued(ana.userId);
      expect(ana.mails()).toHaveLength(1);

      // Queued while it was on, and switched off before its next try.
      await database.transaction(async (manager) => {
        await queue.add(manager, ana.userId, {
          ...{ to: ana.email, kind: 'plan_shrank', link: null, code: null },
          notice: { userId: ana.userId, cause: 'plan_shrank', account: null, until: null },
        });
        await manager.query(`update mail_outbox set due_at = clock_timestamp() + interval '1 hour' where user_id = $1`, [ana.userId]);
      });
      expect((await ana.write({ plan_shrank: false })).status).toBe(204);
      await database.query(`update mail_outbox set due_at = clock_timestamp() where user_id = $1`, [ana.userId]);
      await nothingQueued(ana.userId);
      expect(ana.mails()).toHaveLength(1);
    });

    it('and on again', async () => {
      const ana = await customer();
      for (const blocked of [false, true]) expect((await ana.write({ blocked })).status).toBe(204);
      await publish(ana, { cause: 'blocked', stop: 'challenge' });
      await mailOf(ana);
    });

    it('only by their owner, with known names and true or false', async () => {
      const ana = await customer();
      for (const [given, message] of [
        [{ news: true }, 'notices "news" not recognized'],
        [{ blocked: 'no' }, 'notices blocked not recognized'],
        [{ blocked: null }, 'notices blocked not recognized'],
        [null, 'notices not recognized'],
        ['off', 'notices not recognized'],
        [[], 'notices not recognized'],
      ] as const)
        expect(await ana.write(given)).toMatchObject({ status: 400, error: { code: '22023', message } });
      const stranger = identity.client(testCaller(randomUUID()));
      await stranger
        .from('profiles')
        .update({ notices: { blocked: false } })
        .eq('user_id', ana.userId);
      expect(
        (
          await identity
            .client()
            .from('profiles')
            .update({ notices: { blocked: false } })
            .eq('user_id', ana.userId)
        ).status,
      ).toBe(401);
      expect(await ana.read()).toEqual(defaultNotices);
    });

    it('without telling other services, and are part of the data export', async () => {
      const ana = await customer();
      const heard = () => database.query(`select 1 from outbox where type = 'user.updated' and payload ->> 'userId' = $1`, [ana.userId]);
      const before = (await heard()).length;
      expect((await ana.write({ plan_shrank: false })).status).toBe(204);
      expect(await heard()).toHaveLength(before);
      const files = await accountExportOf(identity.url, ana.userId);
      expect(JSON.parse(files['conta/cadastro.json']!)).toMatchObject([{ avisos_por_email: { ...defaultNotices, plan_shrank: false } }]);
    });
  });

  describe('can be stopped from the mail, without a session', () => {
    it('by one click in the mail reader, once and again, and only mails of that kind', async () => {
      const ana = await customer();
      await publish(ana, { cause: 'blocked', stop: 'challenge' });
      const mail = await mailOf(ana);
      expect(mail.headers).toMatchObject({ 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
      for (let time = 0; time < 2; time += 1)
        expect(await oneClick(oneClickOf(mail))).toEqual({ status: 200, body: { success: true, cause: 'blocked' } });
      expect(await ana.read()).toEqual({ ...defaultNotices, blocked: false });
      await publish(ana, { cause: 'blocked', stop: 'action_blocked' });
      await publish(ana, { cause: 'plan_shrank', stop: null });
      await eventually(() => expect(ana.mails()).toHaveLength(2));
      await nothingQueued(ana.userId);
      expect(ana.mails()[1]!.subject).toBe('Desligamos automações: seu plano tem menos slots');
    });

    it('by a form with parts, or by none', async () => {
      const ana = await customer();
      await publish(ana, {});
      const url = oneClickOf(await mailOf(ana));
      const body = new FormData();
      body.set('List-Unsubscribe', 'One-Click');
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
      expect((await fetch(url, { method: 'POST' })).status).toBe(200);
      expect(await ana.read()).toEqual({ ...defaultNotices, session_ended: false });
    });

    it('not by opening a link, as programs do that check mails: that leads to the page which asks', async () => {
      const ana = await customer();
      await publish(ana, {});
      const mail = await mailOf(ana);
      const page = /Não quero mais receber este aviso: (\S+)/.exec(mail.text)![1]!;
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(oneClickOf(mail), { method, redirect: 'manual' });
        expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({ status: 303, location: page });
      }
      expect(new URL(page).pathname).toBe('/avisos-por-e-mail');
      expect(isPagePath(new URL(page).pathname)).toBe(true);
      expect(await ana.read()).toEqual(defaultNotices);
    });

    it('not with a wrong token: one of another purpose, a changed one, or none', async () => {
      const ana = await customer();
      const content = JSON.stringify({ userId: ana.userId, cause: 'blocked' });
      const ring = identity.environment['MAIL_KEY_RING']!;
      const sealed = (plain: string, purpose: string, keys = ring) => new Sealer(parseKeyRing(keys)).seal(plain, purpose);
      const right = sealed(content, 'unsubscribe');
      const wrong = [
        sealed(content, `mail:${ana.userId}`),
        sealed(content, ana.userId),
        sealed(content, 'unsubscribe', `k1:${randomBytes(32).toString('base64')}`),
        sealed(JSON.stringify({ userId: ana.userId, cause: 'news' }), 'unsubscribe'),
        `${right.slice(0, -4)}AAAA`,
        '',
        'x'.repeat(5_000),
      ];
      for (const query of [...wrong.map((token) => `token=${encodeURIComponent(token)}`), '', `token=${right}&token=${right}`])
        expect(await oneClick(`${identity.url}/functions/v1/unsubscribe?${query}`)).toEqual({
          status: 400,
          body: { error: unsubscribeTexts.invalidToken, code: 'invalid_token' },
        });
      expect(await ana.read()).toEqual(defaultNotices);
      expect((await oneClick(`${identity.url}/functions/v1/unsubscribe?token=${right}`)).status).toBe(200);
    });

    it('for somebody who was erased, which changes nothing', async () => {
      const ana = await customer();
      await publish(ana, {});
      const url = oneClickOf(await mailOf(ana));
      await database.query('delete from users where id = $1', [ana.userId]);
      expect((await oneClick(url)).status).toBe(200);
    });
  });

  it('go to an address that other services may ask for, of people who are still there', async () => {
    const { userId, email } = await customer();
    const ask = (id: string) => identity.app.get(Requester).ask(userAddress, { userId: id }, { timeoutMs: 10_000 });
    expect(await ask(userId)).toEqual({ email });
    expect(await ask(randomUUID())).toEqual({ email: null });
  });
});
