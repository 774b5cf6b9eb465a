import { type BrowserRun, canaryPassed, extractionDue, userUpdated } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { Dispatcher } from '../src/dispatch/dispatcher.service.js';
import { RunEvents } from '../src/runs/run-events.service.js';
import { hourMs, RunKit } from './run-kit.js';
import { type Bench, cookieOf, extractorRow, followConfiguration, networkId } from './support.js';

const minuteMs = 60_000;

/** An automation with an account of its own, of a new customer. */
interface Waiting {
  id: string;
  userId: string;
  account: string;
  accountKey: string;
}

/**
 * What keeps an automation from running may end while the scheduler decides about it. Whichever comes first, the automation does not wait for
 * something that is over.
 */
describe('what ends while the scheduler decides', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { tell, finish, begin } = kit;

  beforeAll(async () => {
    bench = await kit.start({ SESSION_CHECK_WAIT_MS: '120000' });
  });
  afterAll(() => bench && kit.stop());
  // The clock moves only between tests: within one nothing ends because its time has come.
  beforeEach(() => kit.later(3 * hourMs));
  // Each test has accounts of its own, and leaves nothing that is due for the next one.
  afterEach(async () => {
    await bench.db.query('delete from kind_pauses');
    await bench.db.query('delete from account_action_pauses');
    await bench.db.query('delete from automations');
    await bench.db.query(`update runs set state = 'finished', finished_at = $1 where state in ('queued', 'running')`, [kit.now]);
  });

  const visitOf = async (userId: string): Promise<BrowserRun> =>
    (await bench.jobs()).findLast((job) => job.userId === userId && job.plan.kind === 'check-session')!;

  /** A due follow automation whose first run is over, so that it keeps quiet hours. Its session waits for its visit. */
  async function unchecked(configuration: Record<string, unknown> = {}): Promise<Waiting> {
    const account = networkId();
    const userId = await bench.customer(6);
    const id = await bench.made(userId, { configuration: followConfiguration(account, configuration) });
    await bench.db.query('update automations set run_count = 1, next_is_interactive = false where id = $1', [id]);
    const [{ account_key: accountKey }] = await bench.db.query('select account_key from automations where id = $1', [id]);
    return { id, userId, account, accountKey };
  }

  /** The same, with a session that its visit found good. */
  async function checked(configuration: Record<string, unknown> = {}): Promise<Waiting> {
    const automation = await unchecked(configuration);
    await finish(await visitOf(automation.userId), kit.nextToken());
    return automation;
  }

  const settingsOf = async ({ userId }: Waiting, settings: Record<string, unknown>) => {
    const answer = await bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, settings);
    expect(answer.status).toBe(204);
  };
  const pauseKind = (kind: string, probeAt = new Date(kit.now.getTime() + 15 * minuteMs)) =>
    bench.db.query(`insert into kind_pauses (kind, cause, since, until, probe_at) values ($1, 'site_changed', $2, $3, $4)`, [
      kind,
      kit.now,
      new Date(kit.now.getTime() + 6 * hourMs),
      probeAt,
    ]);
  const pausePart = ({ accountKey }: Waiting, part: string) =>
    bench.db.query(`insert into account_action_pauses (account_key, action, cause, since, until) values ($1, $2, 'site_changed', $3, $4)`, [
      accountKey,
      part,
      kit.now,
      new Date(kit.now.getTime() + 6 * hourMs),
    ]);
  const canaryFinds = (kind: string) => ({ kinds: [kind], at: new Date(kit.now.getTime() + 1_000).toISOString() });
  const dispatch = () => bench.app.get(Dispatcher).dispatchBatch();

  const stored = async ({ id }: Waiting) => {
    const [row] = await bench.db.query('select is_active, hold_code, next_run_at <= $2 as is_due from automations where id = $1', [
      id,
      kit.now,
    ]);
    return row;
  };
  const due = { is_active: true, hold_code: null, is_due: true };

  /** Waits until so many statements that begin so wait for a lock. */
  const waitForLock = (statement: string) =>
    eventually(async () => {
      const rows = await bench.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
        [`${statement}%`],
      );
      expect(rows).toHaveLength(1);
    });

  /** Does `work` while another transaction holds what `lock` locks. The transaction is undone afterwards. */
  async function whileLocked(lock: (other: QueryRunner) => Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
    const other = bench.db.createQueryRunner();
    try {
      await other.connect();
      await other.startTransaction();
      await lock(other);
      await work();
    } finally {
      await other.rollbackTransaction();
      await other.release();
    }
  }

  /**
   * Lets `event` happen after the scheduler has decided about all due automations, and before it stores what it decided: it waits to insert the run
   * of a bystander's account, of which another scheduler seems to start one.
   */
  async function dispatchAround(event: () => Promise<unknown>): Promise<void> {
    const bystander = await kit.automationOfKind('like');
    await finish(await visitOf(bystander.userId), kit.nextToken());
    let dispatching: Promise<unknown> | undefined;
    try {
      await whileLocked(
        (other) =>
          other.query(
            `insert into runs (id, automation_id, automation_type, user_id, account_key, session_id, kind, queue, plan, budget, queued_at, expires_at)
             select $1, t.id, t.type, t.user_id, t.account_key, s.id, 'like', 'none', '{}', 1, $3, $3
             from automations t join instagram_sessions s using (user_id, account_key) where t.id = $2`,
            [randomUUID(), bystander.id, kit.now],
          ),
        async () => {
          dispatching = dispatch();
          await waitForLock('insert into runs');
          await event();
        },
      );
    } finally {
      await dispatching;
    }
    expect((await bench.lastJobOf(bystander.id)).plan.kind).toBe('like');
  }

  /** The automation is due after all, and runs at the next tick. */
  async function expectRun(automation: Waiting): Promise<void> {
    expect(await stored(automation)).toEqual(due);
    await bench.tick();
    expect((await bench.lastJobOf(automation.id)).accountKey).toBe(automation.accountKey);
  }

  describe('before it stores a hold, leaves the automation due', () => {
    it('the check of its session', async () => {
      const automation = await unchecked();
      const visit = await visitOf(automation.userId);
      await dispatchAround(() => finish(visit, kit.nextToken()));
      await expectRun(automation);
    });

    it('the run of another automation of its account', async () => {
      const first = await checked();
      await dispatch();
      const job = await bench.lastJobOf(first.id);
      const fence = await begin(job);
      const automation = { ...first, id: await bench.made(first.userId, { configuration: followConfiguration(first.account) }) };
      await finish(await visitOf(first.userId), kit.nextToken());
      await dispatchAround(() => finish(job, fence));
      await expectRun(automation);
    });

    it('a run of its account that was given up', async () => {
      const first = await checked();
      await dispatch();
      await begin(await bench.lastJobOf(first.id));
      const automation = { ...first, id: await bench.made(first.userId, { configuration: followConfiguration(first.account) }) };
      await finish(await visitOf(first.userId), kit.nextToken());
      await dispatchAround(async () => {
        const inAMoment = new Date(kit.now.getTime() + 1);
        await bench.db.transaction((manager) => bench.app.get(RunEvents).giveUpSilent(manager, 0, inAMoment));
      });
      expect(await stored(automation)).toEqual(due);
    });

    it('its customer’s own pause of the account', async () => {
      const automation = await checked();
      await settingsOf(automation, { paused_until: new Date(kit.now.getTime() + 24 * hourMs).toISOString() });
      await dispatchAround(() => settingsOf(automation, { paused_until: null }));
      await expectRun(automation);
    });

    it('a pause of its kind of run for everybody', async () => {
      const automation = await checked();
      await pauseKind('follow');
      await dispatchAround(() => tell(canaryPassed, canaryFinds('follow')));
      await expectRun(automation);
    });

    it('a pause of its kind of run for its account', async () => {
      const automation = await checked();
      await pauseKind('follow');
      await pausePart(automation, 'run:follow');
      await dispatchAround(() => tell(canaryPassed, canaryFinds('follow')));
      await expectRun(automation);
    });

    it('quiet hours that its customer moves', async () => {
      const automation = await checked();
      await settingsOf(automation, quietHoursNow());
      await dispatchAround(() => settingsOf(automation, { quiet_from: null, quiet_to: null }));
      await expectRun(automation);
    });

    it('quiet hours, by its customer’s new time zone', async () => {
      const automation = await checked();
      await settingsOf(automation, quietHoursNow());
      await dispatchAround(() => tell(userUpdated, movedToTokyo(automation.userId)));
      await expectRun(automation);
    });
  });

  /** Quiet hours from three hours ago to three hours from now, in the time zone of the product. */
  function quietHoursNow(): { quiet_from: string; quiet_to: string } {
    const wallTime = (ms: number) =>
      new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit' }).format(
        kit.now.getTime() + ms,
      );
    return { quiet_from: wallTime(-3 * hourMs), quiet_to: wallTime(3 * hourMs) };
  }

  /** Twelve hours later there than in the time zone of the product. */
  function movedToTokyo(userId: string) {
    const updatedAt = kit.now.toISOString();
    return { userId, email: 'ana@example.com', fullName: null, timeZone: 'Asia/Tokyo', locale: null, updatedAt };
  }

  it('leaves an automation on whose customer gives a session before it is switched off for want of one', async () => {
    const automation = await checked();
    await bench.call('PATCH', `instagram_sessions?user_id=eq.${automation.userId}`, automation.userId, { is_active: false });
    await dispatchAround(async () => {
      const session = { user_id: automation.userId, cookies: cookieOf(automation.account) };
      expect((await bench.call('POST', 'instagram_sessions', automation.userId, session)).status).toBe(201);
    });
    expect(await stored(automation)).toEqual({ is_active: true, hold_code: 'session_check', is_due: false });
    await finish(await visitOf(automation.userId), kit.nextToken());
    await expectRun(automation);
  });

  describe('holds an automation whose cause stands', () => {
    it.each<[string, (automation: Waiting) => Promise<unknown>]>([
      ['customer_pause', (automation) => settingsOf(automation, { paused_until: new Date(kit.now.getTime() + 24 * hourMs).toISOString() })],
      ['quiet_hours', (automation) => settingsOf(automation, quietHoursNow())],
      ['kind_paused', () => pauseKind('follow')],
      ['action_paused', (automation) => pausePart(automation, 'run:follow')],
    ])('%s', async (code, cause) => {
      const automation = await checked();
      await cause(automation);
      expect(await dispatch()).toEqual({ claimed: 1, dispatched: 0, undecided: 0 });
      expect(await stored(automation)).toEqual({ is_active: true, hold_code: code, is_due: false });
    });
  });

  describe('leaves an automation due, and does not wait, while another transaction has locked', () => {
    const locks: [string, (automation: Waiting) => [string, unknown[]]][] = [
      ['its account', ({ accountKey }) => ['select 1 from network_accounts where account_key = $1 for update', [accountKey]]],
      ['its customer’s settings', ({ userId }) => ['select 1 from instagram_accounts where user_id = $1 for update', [userId]]],
      ['a pause of its kind of run', () => [`delete from kind_pauses where kind = 'follow'`, []]],
      ['a pause of its account', ({ accountKey }) => ['delete from account_action_pauses where account_key = $1', [accountKey]]],
    ];
    it.each(locks)('%s', async (_what, lock) => {
      const automation = await checked();
      await settingsOf(automation, { paused_until: new Date(kit.now.getTime() + 24 * hourMs).toISOString() });
      await pauseKind('follow');
      await pausePart(automation, 'run:follow');
      await whileLocked(
        (other) => other.query(...lock(automation)),
        async () => expect(await dispatch()).toEqual({ claimed: 1, dispatched: 0, undecided: 1 }),
      );
      expect(await stored(automation)).toEqual(due);
      await dispatch();
      expect(await stored(automation)).toMatchObject({ hold_code: 'customer_pause' });
    });

    it('the open run of its account', async () => {
      const first = await checked();
      await dispatch();
      const { runId } = await bench.lastJobOf(first.id);
      const automation = { ...first, id: await bench.made(first.userId, { configuration: followConfiguration(first.account) }) };
      await finish(await visitOf(first.userId), kit.nextToken());
      await whileLocked(
        (other) => other.query('select 1 from runs where id = $1 for update', [runId]),
        async () => expect(await dispatch()).toEqual({ claimed: 1, dispatched: 0, undecided: 1 }),
      );
      expect(await stored(automation)).toEqual(due);
      await dispatch();
      expect(await stored(automation)).toMatchObject({ hold_code: 'account_busy' });
    });
  });

  it('does not hold an automation for quiet hours while its customer’s new time zone is being stored', async () => {
    const held = await checked();
    await settingsOf(held, quietHoursNow());
    await dispatch();
    expect(await stored(held)).toMatchObject({ hold_code: 'quiet_hours' });
    const automation = { ...held, id: await bench.made(held.userId, { configuration: followConfiguration(held.account) }) };
    await finish(await visitOf(held.userId), kit.nextToken());
    await bench.db.query('update automations set run_count = 1, next_is_interactive = false where id = $1', [automation.id]);
    let moved: Promise<unknown> | undefined;
    await whileLocked(
      (other) => other.query('select 1 from automations where id = $1 for update', [held.id]),
      async () => {
        moved = tell(userUpdated, movedToTokyo(held.userId));
        await waitForLock('with chosen as');
        await dispatch();
      },
    );
    await moved;
    expect(await stored(automation)).toEqual(due);
    expect(await stored(held)).toEqual(due);
  });

  describe('events that find an automation held and claimed once more', () => {
    /** Does `event` while the scheduler has claimed all due automations and waits for the first table that it reads then. */
    async function claimAround(event: () => Promise<unknown>): Promise<void> {
      let dispatching: Promise<unknown> | undefined;
      try {
        await whileLocked(
          (other) => other.query('lock table account_pages in access exclusive mode'),
          async () => {
            dispatching = dispatch();
            await waitForLock('select account_key, action as kind');
            await event();
          },
        );
      } finally {
        await dispatching;
      }
    }

    async function heldAndDue(automation: Waiting): Promise<void> {
      await dispatch();
      await bench.db.query('update automations set next_run_at = $2 where id = $1 and hold_code is not null', [automation.id, kit.now]);
      expect(await stored(automation)).toMatchObject({ hold_code: expect.any(String), is_due: true });
    }

    it('the end of a session check waits for the claim, and makes it due', async () => {
      const automation = await unchecked();
      await heldAndDue(automation);
      const visit = await visitOf(automation.userId);
      let finished: Promise<unknown> | undefined;
      await claimAround(async () => {
        finished = finish(visit, kit.nextToken());
        await waitForLock('with chosen as');
      });
      await finished;
      await expectRun(automation);
    });

    it('the end of a kind’s pause waits for the claim of its next probe, and makes it due', async () => {
      const automation = await checked();
      await pauseKind('follow');
      await heldAndDue(automation);
      await bench.db.query('update kind_pauses set probe_at = $1', [kit.now]);
      let passed: Promise<unknown> | undefined;
      await claimAround(async () => {
        passed = tell(canaryPassed, canaryFinds('follow'));
        await waitForLock('with chosen as');
      });
      await passed;
      await expectRun(automation);
    });

    it('the end of a kind’s pause makes an automation due that somebody is changing', async () => {
      const automation = await checked();
      await pauseKind('follow');
      await dispatch();
      let passed: Promise<unknown> | undefined;
      await whileLocked(
        (other) => other.query('select 1 from automations where id = $1 for update', [automation.id]),
        async () => {
          passed = tell(canaryPassed, canaryFinds('follow'));
          // Were the automation left out, the pause would end now.
          await Promise.race([waitForLock('with chosen as'), passed]);
        },
      );
      await passed;
      await expectRun(automation);
    });
  });

  it('a list runs on when extraction’s word comes before the end of its run is stored', async () => {
    const account = networkId();
    const userId = await bench.customer(1);
    const id = await bench.made(userId, extractorRow(account));
    await finish(await visitOf(userId), kit.nextToken());
    await dispatch();
    const job = await bench.lastJobOf(id);
    if (job.plan.kind !== 'extract-list') throw new Error('no extraction');
    const { extractedDataId } = job.plan;
    const fence = await begin(job);
    const list = { extractedDataId, profileTotal: 90, cursor: 'next', pass: 1, nextPage: 2, state: 'more' };
    const word = {
      extractedDataId,
      automationId: id,
      userId,
      runId: job.runId,
      dueAt: kit.now.toISOString(),
      collected: 12,
      profileTotal: 90,
    };
    let finished: Promise<unknown> | undefined;
    await whileLocked(
      (other) => other.query('select 1 from automations where id = $1 for update', [id]),
      async () => {
        finished = finish(job, fence, { outcome: 'partial', pages: 1, list });
        await waitForLock('with chosen as');
        await publishTestEvent(bench.broker.url, extractionDue, word, { subject: id });
      },
    );
    await finished;
    await eventually(async () =>
      expect(await bench.db.query('select hold_code, next_run_at from automations where id = $1', [id])).toEqual([
        { hold_code: null, next_run_at: kit.now },
      ]),
    );
  });
});
