import { type BrowserRun, instagramSessionRow, runFinished, type StopClass } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { isRunWanted } from '../src/runs/is-run-wanted.js';
import { Bench, cookieOf, followConfiguration, type Json, networkId } from './support.js';

describe('a new session', () => {
  let bench: Bench;
  let now = new Date('2026-11-21T15:00:00Z');
  beforeAll(async () => {
    bench = await Bench.start({ SESSION_CHECK_WAIT_MS: '120000' });
  });
  beforeEach(() => bench.setTime(now));
  afterAll(() => bench?.stop());

  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
    bench.setTime(now);
  };
  const checkOf = async (userId: string) => {
    const job = (await bench.jobs()).filter((each) => each.userId === userId && each.plan.kind === 'check-session').pop();
    if (!job) throw new Error('no visit was asked for');
    return job;
  };
  const runsOf = async (userId: string) => (await bench.jobs()).filter((job) => job.userId === userId && job.automationId !== null);
  const sessionOf = async (userId: string): Promise<Json> =>
    (await bench.call('GET', 'instagram_sessions?order=created_at.desc&limit=1', userId)).body[0];
  /** Reports a visit as a worker would. */
  const found = async (job: BrowserRun, stop: StopClass | null, username: string | null = null) => {
    const messageId = await publishTestEvent(
      bench.broker.url,
      runFinished,
      {
        runId: job.runId,
        automationId: null,
        userId: job.userId,
        accountKey: job.accountKey,
        fencingToken: 1,
        pageViews: 1,
        outcome: stop ? 'stopped' : 'done',
        stop: stop && { class: stop, row: null, action: null, evidence: {} },
        tried: 0,
        confirmed: 0,
        skipped: 0,
        pages: 0,
        list: null,
        targetProblem: null,
        username,
        givenBack: [],
        finishedAt: now.toISOString(),
      },
      { subject: job.runId },
    );
    await eventually(async () => expect(await bench.db.query('select 1 from inbox where message_id = $1', [messageId])).toHaveLength(1));
  };

  it('is visited once while its runs wait, and they start as soon as it is found good', async () => {
    const userId = await bench.customer(1);
    const id = await bench.made(userId);
    const check = await checkOf(userId);
    expect(check).toMatchObject({ queue: 'browser.runs.checks', automationId: null, plan: { kind: 'check-session' } });
    await bench.tick();
    expect(await runsOf(userId)).toEqual([]);
    expect(instagramSessionRow.parse(await sessionOf(userId))).toMatchObject({
      is_active: true,
      check_state: 'checking',
      checked_at: null,
    });
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'waiting', status_reason: expect.stringContaining('Conferindo') });

    await found(check, null, 'ana.doces');
    expect(await sessionOf(userId)).toMatchObject({
      username: '@ana.doces',
      check_state: 'good',
      check_reason: null,
      checked_at: expect.any(String),
    });
    await bench.tick();
    expect(await runsOf(userId)).toHaveLength(1);
    expect(await bench.automation(userId, id)).toMatchObject({ status: 'running', session_account: '@ana.doces' });
  });

  it.each(['session_ended', 'wrong_account', 'challenge', 'suspended'] as const)(
    'that the network refuses (%s) never runs: the customer reads why',
    async (stop) => {
      const userId = await bench.customer(1);
      const id = await bench.made(userId);
      await found(await checkOf(userId), stop);
      const session = await sessionOf(userId);
      expect(session).toMatchObject({ is_active: false, check_state: 'refused', ended_cause: stop });
      expect(session.check_reason).toMatch(/cookie/);
      await bench.tick();
      expect(await runsOf(userId)).toEqual([]);
      const row = await bench.automation(userId, id);
      expect(row).toMatchObject({ status: 'blocked', is_active: false });
      expect(row.status_reason).toBe(session.check_reason);
    },
  );

  it('that was replaced meanwhile does not stop the one that replaced it', async () => {
    const userId = await bench.customer(1);
    const account = networkId();
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    const first = await checkOf(userId);
    later(1_000);
    await bench.call('POST', 'instagram_sessions', userId, {
      user_id: userId,
      session_id: 's',
      cookies: { raw_cookie: cookieOf(account) },
    });
    await found(first, 'session_ended');
    expect(await sessionOf(userId)).toMatchObject({ is_active: true, check_state: 'checking' });
    expect((await bench.automation(userId, id)).is_active).toBe(true);
    await found(await checkOf(userId), null);
    await bench.tick();
    expect(await runsOf(userId)).toHaveLength(1);
  });

  it('that its owner deletes is not visited any more', async () => {
    const userId = await bench.customer(1);
    await bench.made(userId);
    const check = await checkOf(userId);
    const ask = { runId: check.runId, userId, accountKey: check.accountKey, pageViews: 0 };
    expect(await isRunWanted(bench.db, ask, new Date())).toBe(true);
    await bench.call('PATCH', `instagram_sessions?id=eq.${check.session.sessionId}`, userId, { is_active: false });
    expect(await isRunWanted(bench.db, ask, new Date())).toBe(false);
  });

  it('that no worker visited in time is checked by its first run', async () => {
    const userId = await bench.customer(1);
    await bench.made(userId);
    const check = await checkOf(userId);
    await bench.tick();
    expect(await runsOf(userId)).toEqual([]);
    expect(Date.parse(check.expiresAt) - now.getTime()).toBe(120_000);
    later(120_001);
    await bench.tick();
    expect(await runsOf(userId)).toHaveLength(1);
    expect(await sessionOf(userId)).toMatchObject({ is_active: true, check_state: 'unchecked' });
    // A result that arrives after that changes nothing.
    await found(check, 'session_ended');
    expect(await sessionOf(userId)).toMatchObject({ is_active: true, check_state: 'unchecked' });
  });
});
