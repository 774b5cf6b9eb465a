import { customerChanged, liveTables, type PayloadOf, userDeleted } from '@decola/contracts';
import { collectEvents, eventually } from '@decola/testing';
import { person, RunKit } from './run-kit.js';
import { type Bench, cookieOf, networkId } from './support.js';

type Change = PayloadOf<typeof customerChanged>;

describe('what a customer sees change', () => {
  const kit = new RunKit();
  let bench: Bench;
  let heard: Awaited<ReturnType<typeof collectEvents>>;

  beforeAll(async () => {
    bench = await kit.start();
    heard = await collectEvents(bench.broker.url, customerChanged.type);
  });
  afterAll(async () => {
    await heard?.dispose();
    await kit.stop();
  });

  /** The changes of a person that were announced while `work` ran; none is on its way any more. */
  async function announcedBy(userId: string, work: () => Promise<unknown>): Promise<Change[]> {
    const sent = () => eventually(async () => expect(await bench.db.query('select 1 from outbox where sent_at is null')).toEqual([]));
    await sent();
    const before = heard.events.length;
    await work();
    await sent();
    const ids = new Set<string>(
      (await bench.db.query<{ id: string }[]>(`select id from outbox where type = $1`, [customerChanged.type])).map(({ id }) => id),
    );
    await eventually(() => expect(new Set(heard.events.map(({ id }) => id)).size).toBeGreaterThanOrEqual(ids.size));
    return heard.events
      .slice(before)
      .map(({ payload }) => customerChanged.schema.parse(payload))
      .map((change) => {
        expect(change.tables.filter((table) => !liveTables.some((known) => known === table))).toEqual([]);
        return change;
      })
      .filter((change) => change.userId === userId);
  }
  const account = async (userId: string): Promise<string> => (await bench.call('GET', 'instagram_accounts', userId)).body[0].id as string;

  it('is announced at most once by each report of a run', async () => {
    const { userId, job, fence } = await kit.followRun();
    const target = person();
    const [reserved] = await kit.reserve(job, [target], fence).then((answer) => answer.reserved);
    const tried = await announcedBy(userId, () => kit.announce(job, fence, reserved!));
    expect(tried.length).toBeLessThanOrEqual(1);

    const acted = await announcedBy(userId, () => kit.act(job, fence, reserved!));
    // The diary is about the automation, what the account has used is not: together they name neither.
    expect(acted).toEqual([
      {
        userId,
        tables: expect.arrayContaining(['run_diary', 'account_usage', 'account_activity']) as string[],
        automationId: null,
        accountId: null,
      },
    ]);

    const finished = await announcedBy(userId, () => kit.finish(job, fence, { tried: 1, confirmed: 1, username: 'marina' }));
    expect(finished).toHaveLength(1);
    expect(finished[0]!.tables).toEqual(expect.arrayContaining(['automation_runs', 'automations', 'instagram_accounts']));
  });

  it('is announced once when a run begins, and not again by its signs of life', async () => {
    const { userId, id, job, fence } = await kit.followRun();
    expect(await announcedBy(userId, () => bench.db.query('update runs set seen_at = now() where id = $1', [job.runId]))).toEqual([]);
    expect(await announcedBy(userId, () => bench.db.query('update network_accounts set fencing_token = fencing_token + 1'))).toEqual([]);
    await kit.finish(job, fence);
    kit.later(3_600_000);
    const began = await announcedBy(userId, async () => {
      await bench.tick();
      await kit.begin(await bench.lastJobOf(id));
    });
    // Once when it is sent, once when it has begun.
    expect(began.map(({ automationId }) => automationId)).toEqual([id, id]);
    expect(began.every(({ tables }) => tables.includes('automation_runs') && tables.includes('automations'))).toBe(true);
  });

  it('is announced to every customer of a paused account, and names nobody else’s automation', async () => {
    const network = networkId();
    const first = await kit.followRun(network);
    const other = await bench.customer(1);
    await bench.made(other, {
      configuration: { ...(await bench.automation(first.userId, first.id)).configuration, sessionCookie: cookieOf(network) },
    });
    const changes: Change[] = [];
    const own = await announcedBy(first.userId, async () => {
      changes.push(...(await announcedBy(other, () => kit.stopped(first.job, first.fence, 'rate_limited'))));
    });
    expect(own).toHaveLength(1);
    expect(own[0]!.tables).toEqual(expect.arrayContaining(['instagram_accounts', 'automations', 'automation_runs', 'account_pauses']));
    expect(changes).toHaveLength(1);
    expect(changes[0]!.tables).toContain('instagram_accounts');
    expect([changes[0]!.automationId, changes[0]!.accountId]).not.toContain(first.id);
  });

  it('is announced when the customer changes something on another page', async () => {
    const { userId, id } = await kit.followRun();
    const renamed = await announcedBy(userId, () => bench.call('PATCH', `automations?id=eq.${id}`, userId, { name: 'Outro nome' }));
    expect(renamed).toEqual([{ userId, tables: ['automations'], automationId: id, accountId: await account(userId) }]);
    const quiet = await announcedBy(userId, async () =>
      bench.call('PATCH', `instagram_accounts?id=eq.${await account(userId)}`, userId, { quiet_from: '22:00', quiet_to: '07:00' }),
    );
    expect(quiet).toHaveLength(1);
    expect(quiet[0]).toMatchObject({ accountId: await account(userId), automationId: null });
    const refused = await announcedBy(userId, () => bench.call('PATCH', `automations?id=eq.${id}`, userId, { type: 'nothing' }));
    expect(refused).toEqual([]);
  });

  it('leaves no message about a customer who is erased', async () => {
    const { userId } = await kit.followRun();
    await kit.tell(userDeleted, { userId, deletedAt: kit.now.toISOString() });
    expect(
      await bench.db.query(`select 1 from outbox where payload->>'userId' = $1 and type = $2`, [userId, customerChanged.type]),
    ).toEqual([]);
  });
});
