import { instagramAccountRow, runReserve, userDeleted, userUpdated } from '@decola/contracts';
import { connectBroker, Requester } from '@decola/messaging';
import { eventually, publishTestEvent } from '@decola/testing';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { Bench, cookieOf, followConfiguration, type Json, networkId } from './support.js';

const hourMs = 3_600_000;

describe('accounts over rest/v1', () => {
  let bench: Bench;
  let now = new Date('2026-11-21T15:00:00Z');
  beforeAll(async () => {
    bench = await Bench.start({ QUIET_HOURS: '{"from":"23:00","to":"07:00"}' });
  });
  beforeEach(() => {
    // Noon in Brasília.
    now = new Date('2026-11-21T15:00:00Z');
    bench.setTime(now);
  });
  afterAll(() => bench?.stop());

  const at = (iso: string) => {
    now = new Date(iso);
    bench.setTime(now);
  };
  const accountOf = async (userId: string): Promise<Json> => {
    const row = (await bench.call('GET', 'instagram_accounts', userId)).body[0];
    expect(instagramAccountRow.safeParse(row).error).toBeUndefined();
    return row;
  };
  const set = (userId: string, patch: Record<string, unknown>) =>
    bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, patch);
  const runsOf = async (automationId: string) => (await bench.jobs()).filter((job) => job.automationId === automationId);
  const tell = async (userId: string, more: Record<string, unknown>) => {
    const event = { userId, email: 'ana@exemplo.com.br', fullName: null, updatedAt: now.toISOString(), ...more };
    const messageId = await publishTestEvent(bench.broker.url, userUpdated, event, { subject: userId });
    await eventually(async () => expect(await bench.db.query('select 1 from inbox where message_id = $1', [messageId])).toHaveLength(1));
  };
  /** A customer whose automation has run once, so that quiet hours apply to it. */
  const customer = async (account = networkId()) => {
    const userId = await bench.customer(2);
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    await bench.tick();
    const [run] = await runsOf(id);
    if (!run) throw new Error('nothing ran');
    await bench.db.query(`update runs set state = 'finished', finished_at = $2 where id = $1`, [run.runId, now]);
    return { userId, id, account, accountKey: run.accountKey };
  };
  /** Makes the automation due now. */
  const due = async (id: string) => {
    await bench.db.query(`update automations set next_run_at = $2 where id = $1`, [id, now]);
    await bench.tick();
  };

  it('show the state of an account and its settings', async () => {
    const { userId, account } = await customer();
    expect(await accountOf(userId)).toMatchObject({
      user_id: userId,
      network_user_id: account,
      username: account,
      state: 'active',
      paused_until: null,
      pause_cause: null,
      pause_reason: null,
      resolved_at: null,
      quiet_from: null,
      quiet_to: null,
      time_zone: 'America/Sao_Paulo',
      keep_list: [],
    });
  });

  describe('quiet hours', () => {
    it.each([
      [{ quiet_from: '22:00', quiet_to: null }, 'Informe o início e o fim do descanso da conta'],
      [{ quiet_from: '22:00' }, 'Informe o início e o fim do descanso da conta'],
      [{ quiet_from: '02:00', quiet_to: '05:30' }, 'pelo menos 6 horas seguidas por dia: de 02:00 às 05:30 são 3 h 30 min'],
      [{ quiet_from: '07:00', quiet_to: '07:00' }, 'são 0 min'],
      [{ quiet_from: '25:00', quiet_to: '07:00' }, 'Use horas e minutos, como 23:00'],
      [{ quiet_from: '23h', quiet_to: '07h' }, 'Use horas e minutos, como 23:00'],
    ])('refuse %j with the sentence for the person', async (patch, message) => {
      const { userId } = await customer();
      const answer = await set(userId, patch);
      expect(answer).toMatchObject({ status: 400, body: { code: 'P0001', message: expect.stringContaining(message) } });
      expect(await accountOf(userId)).toMatchObject({ quiet_from: null, quiet_to: null });
    });

    it('hold runs during the account’s own hours, and the configured ones apply again when these are removed', async () => {
      const { userId, id } = await customer();
      expect((await set(userId, { quiet_from: '11:00', quiet_to: '17:00' })).status).toBe(204);
      await due(id);
      expect(await runsOf(id)).toHaveLength(1);
      expect((await bench.automation(userId, id)).status_reason).toContain('21/11 às 17:00');
      // After the setting is removed, the scheduler decides again at once.
      expect((await set(userId, { quiet_from: null, quiet_to: null })).status).toBe(204);
      await bench.tick();
      expect(await runsOf(id)).toHaveLength(2);
      const run = (await runsOf(id)).pop();
      expect(run?.endsAt).toBe('2026-11-22T02:00:00.000Z');
    });

    it('are in the customer’s time zone, whose events may arrive in any order and are ignored when it is invalid', async () => {
      const { userId, id } = await customer();
      at('2026-11-22T02:30:00Z');
      // 23:30 in Brasília, 22:30 in Manaus.
      await due(id);
      expect(await runsOf(id)).toHaveLength(1);
      await tell(userId, { timeZone: 'America/Manaus', locale: 'en-US', updatedAt: '2026-11-22T02:00:00Z' });
      await bench.tick();
      const [, run] = await runsOf(id);
      expect(run).toMatchObject({ endsAt: '2026-11-22T03:00:00.000Z', browser: { locale: 'en-US', timeZone: 'America/Manaus' } });
      await tell(userId, { timeZone: 'America/Rio_Branco', locale: 'fr', updatedAt: '2026-11-22T01:00:00Z' });
      expect((await accountOf(userId)).time_zone).toBe('America/Manaus');
      await tell(userId, { timeZone: 'Terra/Média', locale: 'fr; drop', updatedAt: '2026-11-22T03:00:00Z' });
      expect(await bench.db.query('select time_zone, locale from customers where user_id = $1', [userId])).toEqual([
        { time_zone: null, locale: null },
      ]);
    });

    it('lose the time zone of an erased customer, and late events do not store it again', async () => {
      const { userId } = await customer();
      await tell(userId, { timeZone: 'America/Manaus' });
      await publishTestEvent(bench.broker.url, userDeleted, { userId, deletedAt: now.toISOString() }, { subject: userId });
      const known = () => bench.db.query('select 1 from customers where user_id = $1', [userId]);
      await eventually(async () => expect(await known()).toEqual([]));
      at('2026-11-21T16:00:00Z');
      await tell(userId, { timeZone: 'America/Manaus' });
      expect(await known()).toEqual([]);
    });
  });

  describe('a pause of the customer’s own', () => {
    it('holds their automations of the account until then, or until they end it', async () => {
      const { userId, id } = await customer();
      const until = new Date(now.getTime() + 3 * 24 * hourMs);
      expect((await set(userId, { paused_until: until.toISOString() })).status).toBe(204);
      await due(id);
      expect(await runsOf(id)).toHaveLength(1);
      expect(await accountOf(userId)).toMatchObject({
        state: 'paused',
        pause_cause: 'customer',
        pause_reason: 'Você pausou esta conta até 24/11 às 12:00. Depois disso as automações continuam sozinhas.',
      });
      expect(await bench.automation(userId, id)).toMatchObject({ status: 'paused', is_active: true });
      expect((await set(userId, { paused_until: null })).status).toBe(204);
      await bench.tick();
      expect(await runsOf(id)).toHaveLength(2);
      expect(await accountOf(userId)).toMatchObject({ state: 'active', paused_until: null, pause_cause: null });
    });

    it.each(['2026-11-21T14:59:00Z', '2028-01-01T00:00:00Z', 'infinity'])('is refused until %s', async (until) => {
      const { userId } = await customer();
      expect(await set(userId, { paused_until: until })).toMatchObject({ status: 400, body: { code: 'P0001' } });
    });

    it('never shortens the network’s pause: the later end counts', async () => {
      const { userId, accountKey } = await customer();
      const ours = new Date(now.getTime() + 24 * hourMs);
      await bench.db.query(
        `update network_accounts set paused_cause = 'action_blocked', paused_since = $2, paused_until = $3 where account_key = $1`,
        [accountKey, now, ours],
      );
      expect(await set(userId, { paused_until: new Date(now.getTime() + hourMs).toISOString() })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('não pode ser encurtado') },
      });
      expect(await set(userId, { paused_until: null })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('O Instagram bloqueou ações desta conta (desde 21/11 às 12:00)') },
      });
      expect(await accountOf(userId)).toMatchObject({
        state: 'paused',
        pause_cause: 'action_blocked',
        pause_reason: expect.stringMatching(/desde 21\/11 às 12:00.* Voltamos sozinhos em 22\/11 às 12:00/),
      });
      const longer = new Date(now.getTime() + 48 * hourMs);
      expect((await set(userId, { paused_until: longer.toISOString() })).status).toBe(204);
      const account = await accountOf(userId);
      expect([new Date(account.paused_until as string), account.pause_cause]).toEqual([longer, 'customer']);
      expect((await set(userId, { paused_until: null })).status).toBe(204);
      expect(new Date((await accountOf(userId)).paused_until as string)).toEqual(ours);
    });
  });

  describe('the keep list', () => {
    let connection: ReturnType<typeof connectBroker>;
    let requester: Requester;
    beforeAll(() => {
      connection = connectBroker(bench.broker.url, 'test');
      requester = new Requester(connection, '/test');
    });
    afterAll(async () => {
      await requester?.close();
      await connection?.close();
    });

    /** Somebody whom the account followed ten days ago. */
    const followed = async (accountKey: string, username: string, targetId = networkId()) => {
      await bench.db.query(
        `insert into account_actions (id, account_key, action, target_id, target_username, state, run_id, reserved_at, settled_at)
         values (gen_random_uuid(), $1, 'follow', $2, $3, 'confirmed', gen_random_uuid(), $4, $4)`,
        [accountKey, targetId, username, new Date(now.getTime() - 240 * hourMs)],
      );
      return { targetId, username };
    };
    const unfollower = (userId: string, account: string) =>
      bench.made(userId, {
        configuration: followConfiguration(account, { action: 'unfollow', sessionCookie: '', sessionAccount: account }),
      });
    const mayUnfollow = async (automationId: string, candidates: { targetId: string; username: string }[]) => {
      const job = await bench.lastJobOf(automationId);
      return requester.ask(
        runReserve,
        {
          runId: job.runId,
          automationId,
          userId: job.userId,
          accountKey: job.accountKey,
          fencingToken: 1,
          pageViews: 0,
          action: 'unfollow',
          candidates,
          givenBack: [],
        },
        { timeoutMs: 10_000 },
      );
    };

    it('accepts names in any form, stores each once, and refuses texts that are not names', async () => {
      const { userId } = await customer();
      expect((await set(userId, { keep_list: ['@Maria.Doces', 'https://www.instagram.com/joao/', 'maria.doces'] })).status).toBe(204);
      expect((await accountOf(userId)).keep_list).toEqual(['maria.doces', 'joao']);
      expect(await set(userId, { keep_list: ['joao', 'a casa'] })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('“a casa” não é um nome de perfil') },
      });
      expect((await set(userId, { keep_list: null })).status).toBe(204);
      expect((await accountOf(userId)).keep_list).toEqual([]);
    });

    it('protects people by name and by id, also after a renaming, as long as they are on it', async () => {
      const { userId, account, accountKey } = await customer();
      const maria = await followed(accountKey, 'Maria.Doces');
      const other = await followed(accountKey, 'outra_pessoa');
      await set(userId, { keep_list: ['maria.doces', 'ainda_ninguem'] });
      // The person is met only later: the list has only the name until the ledger has the id.
      const late = await followed(accountKey, 'ainda_ninguem');
      const id = await unfollower(userId, account);
      await bench.tick();
      const { plan } = await bench.lastJobOf(id);
      expect(plan.kind === 'unfollow' && plan.targets.map(({ targetId }) => targetId)).toEqual([other.targetId]);
      const refused = await mayUnfollow(id, [{ ...maria, username: 'maria.novo' }, late, other]);
      expect(refused.reserved.map(({ targetId }) => targetId)).toEqual([other.targetId]);
      expect(refused.refused.map(({ reason }) => reason)).toEqual(['keep_list', 'keep_list']);
      await forgetOld(bench.db.manager, now);
      const renamed = await mayUnfollow(id, [{ ...late, username: 'mudou_de_nome' }]);
      expect(renamed.refused.map(({ reason }) => reason)).toEqual(['keep_list']);
      await set(userId, { keep_list: ['maria.doces'] });
      expect((await mayUnfollow(id, [late])).reserved).toHaveLength(1);
    });

    it('of either customer of an account protects, and neither reads the other’s', async () => {
      const account = networkId();
      const ana = await customer(account);
      const bia = await customer(account);
      const maria = await followed(ana.accountKey, 'maria');
      await set(bia.userId, { keep_list: ['maria'] });
      expect((await accountOf(ana.userId)).keep_list).toEqual([]);
      const id = await unfollower(ana.userId, account);
      const other = await followed(ana.accountKey, 'outra');
      await bench.tick();
      expect((await mayUnfollow(id, [maria])).refused.map(({ reason }) => reason)).toEqual(['keep_list']);
      // Emptying one customer's list does not change the other's.
      await set(ana.userId, { keep_list: [] });
      expect((await mayUnfollow(id, [maria])).refused.map(({ reason }) => reason)).toEqual(['keep_list']);
      await publishTestEvent(bench.broker.url, userDeleted, { userId: bia.userId, deletedAt: now.toISOString() }, { subject: bia.userId });
      await eventually(async () => expect(await bench.db.query('select 1 from keep_list where user_id = $1', [bia.userId])).toEqual([]));
      expect((await mayUnfollow(id, [other])).reserved).toHaveLength(1);
    });
  });

  it('are deleted when the account has neither a session nor an automation', async () => {
    const { userId, id } = await customer();
    await set(userId, { keep_list: ['maria'] });
    await bench.call('DELETE', `automations?id=eq.${id}`, userId);
    await bench.call('DELETE', `instagram_sessions?user_id=eq.${userId}`, userId);
    await forgetOld(bench.db.manager, new Date(now.getTime() + 89 * 24 * hourMs));
    expect((await bench.call('GET', 'instagram_accounts', userId)).body).toMatchObject([{ state: 'needs_session', keep_list: ['maria'] }]);
    await forgetOld(bench.db.manager, new Date(now.getTime() + 91 * 24 * hourMs));
    expect((await bench.call('GET', 'instagram_accounts', userId)).body).toEqual([]);
    expect(await bench.db.query('select 1 from keep_list where user_id = $1', [userId])).toEqual([]);
  });

  it('are separate rows for customers of one account, each with its own date', async () => {
    const account = networkId();
    await customer(account);
    at('2026-12-01T15:00:00Z');
    const bia = await bench.customer(1);
    await bench.call('POST', 'instagram_sessions', bia, { user_id: bia, cookies: { raw_cookie: cookieOf(account) } });
    expect(await accountOf(bia)).toMatchObject({ created_at: expect.stringContaining('2026-12-01') });
    expect((await bench.call('GET', 'instagram_accounts', bia)).body).toHaveLength(1);
  });
});
