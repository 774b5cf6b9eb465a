import { accountGrowthRow, userDeleted, userUpdated } from '@decola/contracts';
import { accountExportOf } from '@decola/testing';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { hourMs, RunKit } from './run-kit.js';
import { type Bench, networkId } from './support.js';

const kit = new RunKit();

describe('account_growth', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const growth = async (userId: string) =>
    accountGrowthRow.array().parse((await bench.call('GET', 'account_growth?order=day', userId)).body);
  const seen = (followers: number | null, posts: number | null = 7) => ({
    followers,
    following: 20,
    posts,
    seenAt: kit.now.toISOString(),
  });

  it('has the counters that the last run of a day saw on the account’s own profile, by day of the customer’s time zone', async () => {
    const { userId, id, job, fence } = await kit.followRun();
    await kit.tell(userUpdated, {
      userId,
      email: 'ana@exemplo.com.br',
      fullName: null,
      timeZone: 'America/Sao_Paulo',
      locale: 'pt-BR',
      updatedAt: kit.now.toISOString(),
    });
    const [account] = await bench.db.query(`select id from instagram_accounts where user_id = $1`, [userId]);
    await kit.finish(job, fence, { ownProfile: seen(100) });
    const row = { user_id: userId, instagram_account_id: account.id, following: 20, posts: 7 };
    expect(await growth(userId)).toMatchObject([{ ...row, day: '2026-11-21', followers: 100 }]);
    // A later run of the same day, which did not see the posts.
    const second = await kit.nextRun(id);
    const earlier = seen(90);
    kit.later(60_000);
    await kit.finish(second.job, second.fence, { ownProfile: seen(104, null) });
    expect(await growth(userId)).toMatchObject([{ ...row, day: '2026-11-21', followers: 104 }]);
    // A report of an earlier run that arrives later.
    const third = await kit.nextRun(id);
    await kit.finish(third.job, third.fence, { ownProfile: earlier });
    expect(await growth(userId)).toMatchObject([{ followers: 104 }]);
    // 23:30 in São Paulo is the next day in UTC.
    kit.now = new Date('2026-11-22T01:00:00Z');
    const fourth = await kit.nextRun(id, hourMs * 1.5);
    await kit.finish(fourth.job, fourth.fence, { ownProfile: seen(110) });
    const fifth = await kit.nextRun(id);
    await kit.finish(fifth.job, fifth.fence, { ownProfile: seen(111) });
    expect((await growth(userId)).map(({ day, followers }) => [day, followers])).toEqual([
      ['2026-11-21', 110],
      ['2026-11-22', 111],
    ]);
  });

  it('is hidden from others, part of the export, and deleted with its customer and after its retention time', async () => {
    const account = networkId();
    const ana = await kit.followRun(account);
    await kit.finish(ana.job, ana.fence, { ownProfile: seen(321) });
    const bia = await kit.followRun(account);
    expect(await growth(bia.userId)).toEqual([]);
    expect((await bench.call('GET', `account_growth?user_id=eq.${ana.userId}`, bia.userId)).body).toEqual([]);
    expect((await bench.call('GET', 'account_growth', null)).status).toBe(401);
    const files = await accountExportOf(bench.url, ana.userId);
    expect(JSON.parse(files['automacoes/crescimento-das-contas.json']!)).toMatchObject([
      { numero_da_conta: account, dia: expect.stringMatching(/^2026-11-2\d$/), seguidores: 321, seguindo: 20, publicacoes: 7 },
    ]);
    expect(JSON.parse(files['automacoes/uso-das-contas.json']!)).toHaveLength(8);
    await kit.finish(bia.job, bia.fence, { ownProfile: seen(322) });
    await kit.tell(userDeleted, { userId: ana.userId, deletedAt: kit.now.toISOString() });
    await kit.finish(ana.job, ana.fence, { ownProfile: seen(323) });
    expect(await bench.db.query(`select followers from account_growth where user_id = any($1)`, [[ana.userId, bia.userId]])).toEqual([
      { followers: 322 },
    ]);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 399 * 24 * hourMs));
    expect(await growth(bia.userId)).toHaveLength(1);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 401 * 24 * hourMs));
    expect(await growth(bia.userId)).toEqual([]);
  });

  it('stores nothing from a run that did not open the profile', async () => {
    const { userId, job, fence } = await kit.followRun();
    await kit.finish(job, fence);
    expect(await growth(userId)).toEqual([]);
  });
});
