import {
  accountActivityRow,
  type AccountPauseRow,
  accountPauseRow,
  followBacksRow,
  instagramAccountRow,
  type InstagramAccountRow,
  userDeleted,
  userUpdated,
} from '@decola/contracts';
import { accountExportOf } from '@decola/testing';
import { randomUUID } from 'node:crypto';
import { pauseAccount } from '../src/accounts/account-pauses.js';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { hourMs, person, RunKit } from './run-kit.js';
import { type Bench, cookieOf, type Json, networkId } from './support.js';

const dayMs = 24 * hourMs;
const kit = new RunKit();
const { later, tell, reserveOne, announce, act, look, finish, stopped, followRun, nextRun } = kit;
let bench: Bench;
beforeAll(async () => {
  // The view of follow-backs counts back from the database's own time.
  kit.now = new Date(Math.floor(Date.now() / dayMs) * dayMs - 40 * dayMs + 15 * hourMs);
  bench = await kit.start();
});
afterAll(() => kit.stop());

const accountOf = async (userId: string): Promise<InstagramAccountRow> =>
  instagramAccountRow.parse((await bench.call('GET', 'instagram_accounts', userId)).body[0]);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

describe('account_activity', () => {
  const activity = async (userId: string) =>
    accountActivityRow.array().parse((await bench.call('GET', 'account_activity?order=day,action', userId)).body);

  it('counts each action once, by its outcome, on the day of its try in the customer’s time zone', async () => {
    const { userId, id, job, fence } = await followRun(networkId(), { rowsPerLaunch: 5 });
    const account = await accountOf(userId);
    const outcomes = ['confirmed', 'refused', 'requested', 'not_confirmed'];
    const tried = [];
    for (const outcome of outcomes) {
      const reserved = await reserveOne(job, person(), fence);
      await announce(job, fence, reserved);
      await act(job, fence, reserved, outcome);
      tried.push(reserved);
    }
    const lost = await reserveOne(job, person(), fence);
    await announce(job, fence, lost);
    await act(job, fence, { ...person(), reservationId: randomUUID() }, 'skipped', { skipReason: 'target_private' });
    await finish(job, fence, { outcome: 'partial', tried: 4 });
    const day = dayOf(kit.now);
    const row = { user_id: userId, instagram_account_id: account.id, day, action: 'follow' };
    expect(await activity(userId)).toMatchObject([{ ...row, confirmed: 2, skipped: 1, refused: 1, unconfirmed: 1 }]);

    // Looks on the next day show that one without proof happened, and that the one of the dead worker did not; a request was accepted.
    const next = await nextRun(id, dayMs);
    await look(next.job, next.fence, tried[3]!, 'confirmed');
    await look(next.job, next.fence, tried[2]!, 'confirmed');
    await look(next.job, next.fence, lost, 'not_confirmed');
    expect(await activity(userId)).toMatchObject([{ ...row, confirmed: 3, skipped: 1, refused: 1, unconfirmed: 0 }]);
    later(10 * 60_000);
    await look(next.job, next.fence, lost, 'not_confirmed');
    expect(await activity(userId)).toMatchObject([{ ...row, confirmed: 3, skipped: 1, refused: 1, unconfirmed: 1 }]);
    await finish(next.job, next.fence);
  });

  it('begins a day at the customer’s midnight, is the customer’s own, and is exported, erased and deleted after 90 days', async () => {
    const network = networkId();
    kit.now = new Date(Math.ceil(kit.now.getTime() / dayMs) * dayMs + hourMs);
    later(0);
    const ana = await followRun(network);
    const reserved = await reserveOne(ana.job, person(), ana.fence);
    await act(ana.job, ana.fence, reserved);
    // 01:00 in UTC is 22:00 of the day before in São Paulo, and 10:00 in Tokyo.
    const [utcDay, dayBefore] = [dayOf(kit.now), dayOf(new Date(kit.now.getTime() - dayMs))];
    await tell(userUpdated, {
      userId: ana.userId,
      email: 'ana@exemplo.com.br',
      fullName: null,
      timeZone: 'Asia/Tokyo',
      locale: 'ja',
      updatedAt: kit.now.toISOString(),
    });
    await act(ana.job, ana.fence, await reserveOne(ana.job, person(), ana.fence));
    await finish(ana.job, ana.fence, { tried: 2, confirmed: 2 });
    expect((await activity(ana.userId)).map(({ day, confirmed }) => [day, confirmed])).toEqual([
      [dayBefore, 1],
      [utcDay, 1],
    ]);
    const bia = await followRun(network);
    expect(await activity(bia.userId)).toEqual([]);
    await act(bia.job, bia.fence, { ...person(), reservationId: randomUUID() }, 'skipped', { skipReason: 'own' });
    await finish(bia.job, bia.fence);
    const files = await accountExportOf(bench.url, ana.userId);
    expect(JSON.parse(files['automacoes/atividade-das-contas.json']!)).toMatchObject([
      { numero_da_conta: network, dia: dayBefore, acao: 'follow', confirmadas: 1, puladas: 0, recusadas: 0, sem_confirmacao: 0 },
      { dia: utcDay },
    ]);
    await tell(userDeleted, { userId: ana.userId, deletedAt: kit.now.toISOString() });
    const left = () => bench.db.query('select skipped from account_activity where user_id = any($1)', [[ana.userId, bia.userId]]);
    expect(await left()).toEqual([{ skipped: 1 }]);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 89 * dayMs));
    expect(await left()).toEqual([{ skipped: 1 }]);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 92 * dayMs));
    expect(await left()).toEqual([]);
  });
});

describe('account_pauses', () => {
  const pauses = async (userId: string): Promise<AccountPauseRow[]> =>
    accountPauseRow.array().parse((await bench.call('GET', 'account_pauses?order=began_at,cause', userId)).body);
  const settings = (userId: string, patch: Record<string, unknown>) =>
    bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, patch);

  it('has what the network paused, for every customer who has proven the account, with the sentence that they read', async () => {
    const network = networkId();
    const ana = await followRun(network);
    const biasId = await bench.customer(1);
    await bench.call('POST', 'instagram_sessions', biasId, {
      user_id: biasId,
      session_id: 's',
      cookies: { raw_cookie: cookieOf(network) },
    });
    const carlaId = await bench.customer(1);
    await bench.call('POST', 'instagram_sessions', carlaId, {
      user_id: carlaId,
      session_id: 's',
      cookies: { raw_cookie: cookieOf(network) },
    });
    await bench.db.query('update instagram_accounts set proven_at = null where user_id = $1', [carlaId]);
    await stopped(ana.job, ana.fence, 'rate_limited');
    const account = await accountOf(ana.userId);
    const pause = {
      cause: 'rate_limited',
      part: null,
      began_at: kit.now.toISOString().replace('.000Z', '+00:00'),
      until: account.paused_until,
      resolved_at: null,
      reason: account.pause_reason,
    };
    expect(pause.reason).toContain('O Instagram recebeu acessos demais desta conta');
    expect(await pauses(ana.userId)).toMatchObject([{ ...pause, user_id: ana.userId, instagram_account_id: account.id }]);
    expect(await pauses(biasId)).toMatchObject([{ ...pause, user_id: biasId }]);
    expect(await pauses(carlaId)).toEqual([]);
    // The same cause again while the pause lasts makes it longer; after its end it is another pause.
    const [{ account_key: accountKey }] = await bench.db.query('select account_key from instagram_accounts where id = $1', [account.id]);
    const blockUntil = (until: Date) =>
      pauseAccount(bench.db.manager, accountKey, { cause: 'rate_limited', until, resumes: true, isBlock: false }, kit.now);
    const longer = new Date(kit.now.getTime() + 5 * hourMs);
    await blockUntil(longer);
    expect((await pauses(ana.userId)).map(({ until }) => new Date(until!))).toEqual([longer]);
    later(6 * hourMs);
    await blockUntil(new Date(kit.now.getTime() + hourMs));
    expect(await pauses(ana.userId)).toHaveLength(2);
  });

  it('has a paused action with its name', async () => {
    const { userId, job, fence } = await followRun();
    for (let times = 0; times < 2; times++) await act(job, fence, await reserveOne(job, person(), fence), 'refused');
    expect(await pauses(userId)).toMatchObject([
      { cause: 'refused', part: 'follow', reason: expect.stringMatching(/^O Instagram recusou/) },
    ]);
    await finish(job, fence);
  });

  it('has a stop that waits for a session until the customer gave one', async () => {
    const { userId, account, job, fence } = await followRun();
    await stopped(job, fence, 'session_ended');
    expect(await pauses(userId)).toMatchObject([{ cause: 'session_ended', part: null, until: null, resolved_at: null }]);
    later(hourMs);
    await bench.call('POST', 'instagram_sessions', userId, {
      user_id: userId,
      session_id: 's',
      cookies: { raw_cookie: cookieOf(account) },
    });
    const [pause] = await pauses(userId);
    expect(pause).toMatchObject({ cause: 'session_ended', until: null, reason: expect.stringMatching(/^A sessão do Instagram terminou/) });
    expect(new Date(pause!.resolved_at!)).toEqual(kit.now);
  });

  it('has the customer’s own pause as they make, change and end it', async () => {
    const { userId, job, fence } = await followRun();
    await finish(job, fence);
    const inHours = (hours: number) => new Date(kit.now.getTime() + hours * hourMs).toISOString();
    const ends = async () => (await pauses(userId)).map(({ cause, until, resolved_at }) => [cause, until, resolved_at]);
    const written = (iso: string) => iso.replace('.000Z', '+00:00');
    const [long, short] = [inHours(10), inHours(5)];
    await settings(userId, { paused_until: long });
    expect(await ends()).toEqual([['customer', written(long), null]]);
    expect((await pauses(userId))[0]!.reason).toMatch(/^Você pausou esta conta até \d/);
    await settings(userId, { paused_until: short });
    expect(await ends()).toEqual([['customer', written(short), null]]);
    later(hourMs);
    const end = written(kit.now.toISOString());
    await settings(userId, { paused_until: null });
    expect(await ends()).toEqual([['customer', written(short), end]]);
    later(hourMs);
    const another = inHours(3);
    await settings(userId, { paused_until: another });
    expect(await ends()).toEqual([
      ['customer', written(short), end],
      ['customer', written(another), null],
    ]);
  });

  it('is exported, erased, and deleted 90 days after its begin unless it still lasts', async () => {
    const ana = await followRun();
    const bia = await followRun();
    await stopped(ana.job, ana.fence, 'limited');
    await stopped(bia.job, bia.fence, 'challenge');
    const files = await accountExportOf(bench.url, ana.userId);
    expect(JSON.parse(files['automacoes/pausas-das-contas.json']!)).toMatchObject([
      { numero_da_conta: ana.account, motivo: 'limited', parte: null, resolvida_em: null },
    ]);
    const left = (userId: string) => bench.db.query('select cause from account_pauses where user_id = $1', [userId]);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 91 * dayMs));
    expect([await left(ana.userId), await left(bia.userId)]).toEqual([[], [{ cause: 'challenge' }]]);
    await tell(userDeleted, { userId: bia.userId, deletedAt: kit.now.toISOString() });
    expect(await left(bia.userId)).toEqual([]);
  });
});

describe('instagram_accounts', () => {
  it('tells the day of the warm-up, until when ceilings are halved, and when the session was last found good', async () => {
    const { userId, id, job, fence } = await followRun();
    expect(await accountOf(userId)).toMatchObject({ warmup_day: 1, warmup_days: 14, halved_until: null, session_checked_at: null });
    await finish(job, fence);
    expect(new Date((await accountOf(userId)).session_checked_at!)).toEqual(kit.now);
    later(13 * dayMs - 1_000);
    expect(await accountOf(userId)).toMatchObject({ warmup_day: 13 });
    const next = await nextRun(id, 1_000);
    await stopped(next.job, next.fence, 'action_blocked');
    const blocked = await accountOf(userId);
    expect(blocked.warmup_day).toBe(14);
    expect(new Date(blocked.halved_until!)).toEqual(new Date(kit.now.getTime() + 14 * dayMs));
    // Nothing of the account is told to a customer who has not proven it.
    await bench.db.query('update instagram_accounts set proven_at = null where user_id = $1', [userId]);
    expect(await accountOf(userId)).toMatchObject({ warmup_day: null, warmup_days: 14, halved_until: null });
    await bench.db.query('update instagram_accounts set proven_at = now() where user_id = $1', [userId]);
    later(15 * dayMs);
    expect(await accountOf(userId)).toMatchObject({ warmup_day: null, halved_until: null });
  });
});

describe('follow_backs', () => {
  const followBacks = async (userId: string) =>
    Object.fromEntries(
      followBacksRow
        .array()
        .parse((await bench.call('GET', 'follow_backs?order=days', userId)).body)
        .map(({ days, followed, seen, followed_back }) => [days, [followed, seen, followed_back]]),
    );

  it('counts who follows back among those who were seen again, 3, 7 and 14 days after their follow', async () => {
    kit.now = new Date(Date.now() - 30 * dayMs);
    later(0);
    const network = networkId();
    const { userId, id, job, fence } = await followRun(network, { rowsPerLaunch: 5 });
    expect(await followBacks(userId)).toEqual({ 3: [0, 0, 0], 7: [0, 0, 0], 14: [0, 0, 0] });
    const followed = [];
    for (let index = 0; index < 4; index++) {
      const reserved = await reserveOne(job, person(), fence);
      // The first one followed the customer already.
      await act(job, fence, reserved, 'confirmed', { followsCustomer: index === 0 });
      followed.push(reserved);
    }
    await finish(job, fence, { tried: 4, confirmed: 4 });
    expect(await followBacks(userId)).toEqual({ 3: [3, 0, 0], 7: [3, 0, 0], 14: [3, 0, 0] });

    const [before, second, third] = followed;
    const sight = async (afterMs: number, target: Json, followsCustomer: boolean | null) => {
      const run = await nextRun(id, afterMs);
      const { reservationId: _, ...somebody } = target;
      await act(run.job, run.fence, { ...somebody, reservationId: null }, 'skipped', {
        action: 'unfollow',
        skipReason: 'keep_list',
        followsCustomer,
      });
      await finish(run.job, run.fence);
    };
    await sight(2 * dayMs, second, true);
    expect(await followBacks(userId)).toMatchObject({ 3: [3, 0, 0] });
    await sight(3 * dayMs, second, true);
    await sight(hourMs, third, false);
    await sight(hourMs, before, true);
    // A page that does not show it changes nothing.
    await sight(hourMs, third, null);
    expect(await followBacks(userId)).toEqual({ 3: [3, 2, 1], 7: [3, 0, 0], 14: [3, 0, 0] });
    await sight(10 * dayMs, second, false);
    expect(await followBacks(userId)).toEqual({ 3: [3, 2, 0], 7: [3, 1, 0], 14: [3, 1, 0] });

    const files = await accountExportOf(bench.url, userId);
    expect(
      JSON.parse(files['automacoes/acoes-registradas.json']!)
        .filter(({ acao }: Json) => acao === 'follow')
        .map((entry: Json) => [entry.ja_seguia_voce, entry.segue_voce])
        .sort(),
    ).toEqual([
      [false, null],
      [false, false],
      [false, false],
      [true, true],
    ]);
    // Another customer of the account reads of their own follows only.
    const bia = await followRun(network);
    expect(await followBacks(bia.userId)).toEqual({ 3: [0, 0, 0], 7: [0, 0, 0], 14: [0, 0, 0] });
  });
});
