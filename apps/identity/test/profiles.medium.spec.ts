import { randomUUID } from 'node:crypto';
import { misplacedSessionText, subscriptionChanged } from '@decola/contracts';
import { accountExportOf, type CollectedEvent, collectEvents, eventually, publishTestEvent, testCaller, tracesOf } from '@decola/testing';
import { DataSource } from 'typeorm';
import { freshEmail, type IdentityUnderTest, signUp, startIdentity, strongPassword } from './support.js';

describe('profiles', () => {
  let identity: IdentityUnderTest;
  let heard: { events: CollectedEvent[]; dispose(): Promise<void> };

  beforeAll(async () => {
    identity = await startIdentity();
    heard = await collectEvents(identity.broker.url, 'user.updated');
  });
  afterAll(async () => {
    await heard?.dispose();
    await identity?.stop();
  });

  const toldOf = (userId: string) => heard.events.flatMap(({ payload }) => (payload['userId'] === userId ? [payload] : []));

  it('copies the newest subscription to the profile, and lets people write only their name', async () => {
    const { user } = await signUp(identity);
    const planId = randomUUID();
    const state = (subscribed: boolean) => ({
      subscribed,
      plan_id: subscribed ? planId : null,
      plan_key: subscribed ? ('pro' as const) : null,
      plan_name: subscribed ? 'Pro' : null,
      max_slots: subscribed ? 3 : 0,
      subscription_status: subscribed ? 'active' : 'canceled',
      subscription_end: '2026-12-21T12:00:00.000Z',
      is_trial: false,
      trial_ends_at: null,
      is_canceled: !subscribed,
      is_past_due: false,
      will_renew: subscribed,
    });
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 2, cause: 'subscribed', state: state(true), previous: null },
      { subject: user.id },
    );
    await publishTestEvent(
      identity.broker.url,
      subscriptionChanged,
      { user_id: user.id, sequence: 1, cause: 'ended', state: state(false), previous: null },
      { subject: user.id },
    );
    const own = identity.client(testCaller(user.id));
    await eventually(async () => {
      const { data } = await own
        .from('profiles')
        .select('subscription_status,subscription_plans(name,max_slots)')
        .eq('user_id', user.id)
        .single();
      expect(data).toEqual({ subscription_status: 'active', subscription_plans: { name: 'Pro', max_slots: 3 } });
    });
    expect((await own.from('profiles').update({ full_name: 'Ana Nova' }).eq('user_id', user.id)).status).toBe(204);
    expect((await own.from('profiles').update({ subscription_status: 'active' }).eq('user_id', user.id)).error).toMatchObject({
      code: '42501',
    });
    expect((await own.from('user_roles').insert({ user_id: user.id, role: 'admin_master' })).error).toMatchObject({ code: '42501' });
    expect((await identity.client(testCaller(randomUUID())).from('profiles').select('*')).data).toEqual([]);
    expect((await identity.client().from('profiles').select('*')).data ?? []).toEqual([]);
  });

  describe('time zone and language', () => {
    const person = async () => {
      const { user, email } = await signUp(identity);
      const own = identity.client(testCaller(user.id));
      const write = (patch: Record<string, unknown>) => own.from('profiles').update(patch).eq('user_id', user.id);
      const read = async () => (await own.from('profiles').select('full_name,time_zone,locale').single()).data;
      return { userId: user.id, email, own, write, read };
    };

    it('can be written only by their owner, are published when they change, and are exported', async () => {
      const ana = await person();
      expect(await ana.read()).toEqual({ full_name: 'Ana Souza', time_zone: null, locale: null });
      expect((await ana.write({ time_zone: 'america/manaus', locale: 'pt-BR' })).status).toBe(204);
      expect(await ana.read()).toEqual({ full_name: 'Ana Souza', time_zone: 'America/Manaus', locale: 'pt-BR' });
      await eventually(() =>
        expect(toldOf(ana.userId)).toMatchObject([
          { email: ana.email, fullName: 'Ana Souza', timeZone: 'America/Manaus', locale: 'pt-BR', updatedAt: expect.any(String) as string },
        ]),
      );
      // The same values publish nothing; another name publishes the whole person.
      expect((await ana.write({ time_zone: 'America/Manaus', locale: 'pt-BR' })).status).toBe(204);
      expect((await ana.write({ full_name: 'Ana Lima' })).status).toBe(204);
      await eventually(() => expect(toldOf(ana.userId)).toHaveLength(2));
      expect(toldOf(ana.userId)[1]).toMatchObject({ fullName: 'Ana Lima', timeZone: 'America/Manaus', locale: 'pt-BR' });
      expect((await ana.write({ time_zone: null })).status).toBe(204);
      await eventually(() => expect(toldOf(ana.userId)[2]).toMatchObject({ timeZone: null, locale: 'pt-BR' }));

      // Whether the customer chose the zone is for their browsers alone.
      const isChosen = async () => (await ana.own.from('profiles').select('time_zone_chosen').single()).data;
      expect(await isChosen()).toEqual({ time_zone_chosen: false });
      expect((await ana.write({ time_zone_chosen: true })).status).toBe(204);
      expect(await isChosen()).toEqual({ time_zone_chosen: true });

      const stranger = identity.client(testCaller(randomUUID()));
      expect((await stranger.from('profiles').update({ time_zone: 'Asia/Tokyo' }).eq('user_id', ana.userId).select()).data).toEqual([]);
      expect((await identity.client().from('profiles').update({ time_zone: 'Asia/Tokyo' }).eq('user_id', ana.userId)).status).toBe(401);
      expect(await ana.read()).toMatchObject({ time_zone: null, locale: 'pt-BR' });
      const files = await accountExportOf(identity.url, ana.userId);
      expect(JSON.parse(files['conta/cadastro.json']!)).toMatchObject([{ fuso_horario: null, idioma: 'pt-BR' }]);
    });

    it.each(['', 'Lua/Base', '-03:00', '+02', '../etc/passwd', `America/${'x'.repeat(100)}`, '{}'])(
      'refuse %j as a time zone',
      async (given) => {
        const ana = await person();
        expect(await ana.write({ time_zone: given, full_name: 'Outra' })).toMatchObject({
          status: 400,
          error: { code: '22023', message: `time zone "${given.slice(0, 64)}" not recognized` },
        });
        expect(await ana.read()).toEqual({ full_name: 'Ana Souza', time_zone: null, locale: null });
      },
    );

    it.each(['', 'português', 'pt_BR', 'PT', 'pt-', `pt-${'a'.repeat(9)}`, `pt${'-aaaaaaaa'.repeat(10)}`])(
      'refuse %j as a language',
      async (given) => {
        const ana = await person();
        expect(await ana.write({ locale: given })).toMatchObject({
          status: 400,
          error: { code: '22023', message: `locale "${given.slice(0, 64)}" not recognized` },
        });
        expect(await ana.read()).toMatchObject({ locale: null });
      },
    );

    it.each(['UTC', 'America/Sao_Paulo', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3'])('accept %s', async (given) => {
      const ana = await person();
      expect((await ana.write({ time_zone: given })).status).toBe(204);
      expect(await ana.read()).toMatchObject({ time_zone: given });
    });

    it('wait for another change of the same person, and then publish the new address', async () => {
      const ana = await person();
      const other = await new DataSource({ type: 'postgres', url: identity.database.url }).initialize();
      try {
        const newAddress = `nova-${ana.email}`;
        let writing: PromiseLike<{ status: number }> | undefined;
        await other.transaction(async (manager) => {
          await manager.query('select 1 from users where id = $1 for no key update', [ana.userId]);
          writing = Promise.resolve(ana.write({ time_zone: 'Europe/Lisbon' }));
          await eventually(async () =>
            expect(
              await other.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
            ).toHaveLength(1),
          );
          // The transaction that holds the person's lock can update the profile too: the waiting request has not locked it.
          await manager.query('update profiles set updated_at = now() where user_id = $1', [ana.userId]);
          await manager.query('update users set email = $2 where id = $1', [ana.userId, newAddress]);
        });
        expect((await writing!).status).toBe(204);
        await eventually(() => expect(toldOf(ana.userId)).toMatchObject([{ email: newAddress, timeZone: 'Europe/Lisbon' }]));
      } finally {
        await other.destroy();
      }
    });
  });

  it('stores no session cookie of the network in names and metadata', async () => {
    const { client, user } = await signUp(identity);
    const secret = 'Kq7Zp2Wm9Xt4Rb6';
    const session = `123456789%3A${secret}%3A12%3AAYdHash`;
    const named = await identity.client(testCaller(user.id)).from('profiles').update({ full_name: session }).eq('user_id', user.id);
    expect(named.error).toMatchObject({ code: 'P0001', message: misplacedSessionText });
    const refused = { code: 'validation_failed', message: misplacedSessionText };
    expect((await client.auth.updateUser({ data: { full_name: session } })).error).toMatchObject(refused);
    const signedUp = await identity
      .client()
      .auth.signUp({ email: freshEmail(), password: strongPassword, options: { data: { x: [session] } } });
    expect(signedUp.error).toMatchObject(refused);
    expect(await tracesOf(identity.database.url, { secret })).toEqual([]);
  });
});
