import { type BrowserRun, instagramAccountRow, runFinished, type StopClass, userDeleted } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { isRunWanted } from '../src/runs/is-run-wanted.js';
import { Bench, cookieOf, extractorRow, followConfiguration, type Json, networkId } from './support.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('after a challenge', () => {
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
  const checksOf = async (userId: string) =>
    (await bench.jobs()).filter((job) => job.userId === userId && job.plan.kind === 'check-session');
  const lastCheckOf = async (userId: string) => {
    const check = (await checksOf(userId)).pop();
    if (!check) throw new Error('no visit was asked for');
    return check;
  };
  const runsOf = async (automationId: string) => (await bench.jobs()).filter((job) => job.automationId === automationId);
  const accountOf = async (userId: string): Promise<Json> => {
    const row = (await bench.call('GET', 'instagram_accounts', userId)).body[0];
    expect(instagramAccountRow.safeParse(row).error).toBeUndefined();
    return row;
  };
  const give = (userId: string, cookie: string) =>
    bench.call('POST', 'instagram_sessions', userId, { user_id: userId, session_id: 's', cookies: { raw_cookie: cookie } });
  const press = (userId: string) =>
    bench.call('PATCH', `instagram_accounts?user_id=eq.${userId}`, userId, { resolved_at: now.toISOString() });
  /** Reports what a worker found, on a visit or in a run. */
  const found = async (job: BrowserRun, stop: StopClass | null, more: Record<string, unknown> = {}) => {
    const event = {
      runId: job.runId,
      automationId: job.automationId,
      userId: job.userId,
      accountKey: job.accountKey,
      fencingToken: 1,
      pageViews: 1,
      outcome: stop ? ('stopped' as const) : ('done' as const),
      stop: stop && { class: stop, row: null, action: null, evidence: {} },
      tried: 0,
      confirmed: 0,
      skipped: 0,
      pages: 0,
      list: null,
      targetProblem: null,
      username: null,
      givenBack: [],
      finishedAt: now.toISOString(),
      ...more,
    };
    const messageId = await publishTestEvent(bench.broker.url, runFinished, event, { subject: job.runId });
    await eventually(async () => expect(await bench.db.query('select 1 from inbox where message_id = $1', [messageId])).toHaveLength(1));
  };

  /** A customer whose automation ran with a good session, until the network asked for a confirmation. */
  const challenged = async (account = networkId(), stop: StopClass = 'challenge') => {
    const userId = await bench.customer(2);
    const cookie = cookieOf(account);
    const id = await bench.made(userId, { configuration: { ...followConfiguration(account), sessionCookie: cookie } });
    await found(await lastCheckOf(userId), null);
    await bench.tick();
    const [run] = await runsOf(id);
    if (!run) throw new Error('nothing ran');
    await found(run, stop);
    later(minuteMs);
    return { userId, account, cookie, id, run };
  };
  const isStopped = async ({ userId, id, run }: Awaited<ReturnType<typeof challenged>>) => {
    await bench.tick();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: false, status: 'blocked' });
    expect(await bench.db.query('select session_needed_cause from network_accounts where account_key = $1', [run.accountKey])).toEqual([
      { session_needed_cause: expect.any(String) },
    ]);
  };

  it('the same session is refused, in whatever form it is pasted, and the customer reads what to do and from when', async () => {
    const ana = await challenged();
    expect(await accountOf(ana.userId)).toMatchObject({
      state: 'needs_session',
      pause_cause: 'challenge',
      pause_reason: expect.stringContaining('Já resolvi no Instagram'),
      resolved_at: null,
    });
    const decoded = decodeURIComponent(ana.cookie);
    for (const pasted of [ana.cookie, `sessionid=${decoded}; ds_user_id=${ana.account}`, JSON.stringify({ sessionid: decoded })]) {
      const answer = await give(ana.userId, pasted);
      expect(answer).toMatchObject({ status: 400, body: { code: 'P0001' } });
      expect(answer.body.message).toMatch(/confirmação de segurança nesta mesma sessão .*“Já resolvi no Instagram”: uma hora depois/);
    }
    const edit = { configuration: { ...followConfiguration(ana.account), sessionCookie: ana.cookie } };
    expect((await bench.call('PATCH', `automations?id=eq.${ana.id}`, ana.userId, edit)).status).toBe(400);
    expect((await bench.create(ana.userId, edit)).status).toBe(400);
    await isStopped(ana);
    expect(await checksOf(ana.userId)).toHaveLength(1);
  });

  it('a different session ends the stop only when a visit found it good', async () => {
    const ana = await challenged();
    expect((await give(ana.userId, cookieOf(ana.account))).status).toBe(201);
    await isStopped(ana);
    expect(await accountOf(ana.userId)).toMatchObject({ state: 'checking', check_state: 'checking' });
    expect((await bench.automation(ana.userId, ana.id)).status_reason).toContain('Conferindo a sessão do Instagram');
    const check = await lastCheckOf(ana.userId);
    expect(check.queue).toBe('browser.runs.checks');
    await found(check, null);
    expect(await accountOf(ana.userId)).toMatchObject({ state: 'active', check_state: 'good', pause_cause: null, pause_reason: null });
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
  });

  it('a different session that meets the challenge too does not end the stop, whose reason is updated', async () => {
    const ana = await challenged();
    await give(ana.userId, cookieOf(ana.account));
    later(3 * hourMs);
    await found(await lastCheckOf(ana.userId), 'challenge');
    await isStopped(ana);
    expect((await bench.automation(ana.userId, ana.id)).status_reason).toContain(
      `desde ${new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit', day: '2-digit', month: '2-digit' }).format(now).replace(', ', ' às ')}`,
    );
  });

  it('a different session that cannot be checked is checked again after growing pauses, and no run uses it meanwhile', async () => {
    const ana = await challenged();
    await give(ana.userId, cookieOf(ana.account));
    const late = async () => {
      later(hourMs);
      await bench.tick();
      return (await checksOf(ana.userId)).length;
    };
    // No worker came: the visit is given up and queued again.
    expect(await late()).toBe(2);
    expect(await accountOf(ana.userId)).toMatchObject({ state: 'checking', check_state: 'unchecked', next_check_at: expect.any(String) });
    expect((await bench.automation(ana.userId, ana.id)).status_reason).toContain('Ainda não conseguimos conferir');
    later(10 * minuteMs);
    await bench.tick();
    expect(await checksOf(ana.userId)).toHaveLength(3);
    await found(await lastCheckOf(ana.userId), 'site_changed');
    later(19 * minuteMs);
    await bench.tick();
    expect(await checksOf(ana.userId)).toHaveLength(3);
    later(2 * minuteMs);
    await bench.tick();
    expect(await checksOf(ana.userId)).toHaveLength(4);
    await isStopped(ana);
    await found(await lastCheckOf(ana.userId), null);
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
  });

  it('an automation that is created while the new session is checked waits for the result', async () => {
    const ana = await challenged();
    await give(ana.userId, cookieOf(ana.account));
    const id = await bench.made(ana.userId, {
      configuration: { ...followConfiguration(ana.account), sessionCookie: '', sessionAccount: ana.account },
    });
    await bench.tick();
    expect(await runsOf(id)).toEqual([]);
    expect(await bench.automation(ana.userId, id)).toMatchObject({ is_active: true, status_reason: expect.stringContaining('Conferindo') });
    await found(await lastCheckOf(ana.userId), null);
    await bench.tick();
    expect([...(await runsOf(id)), ...(await runsOf(ana.id))]).toHaveLength(2);
  });

  it('the same session is used again an hour after ‘Já resolvi no Instagram’, without a second paste, once a visit found it good', async () => {
    const ana = await challenged();
    const draft = extractorRow(ana.account, { sessionCookie: '', sessionAccount: ana.account });
    const done = await bench.made(ana.userId, { ...draft, is_draft: true, is_active: false });
    await bench.db.query(
      `update automations set is_draft = false, completed_at = $2, pause_cause = 'challenge', pause_reason = 'x', pause_since = $2 where id = $1`,
      [done, now],
    );
    expect((await press(ana.userId)).status).toBe(204);
    const pressed = await accountOf(ana.userId);
    expect(new Date(pressed.resolved_at as string)).toEqual(now);
    expect(new Date(pressed.next_check_at as string).getTime()).toBe(now.getTime() + hourMs);
    later(30 * minuteMs);
    // A second press does not restart the hour.
    await press(ana.userId);
    const early = await give(ana.userId, ana.cookie);
    expect(early).toMatchObject({ status: 400, body: { message: expect.stringContaining('sem precisar colar de novo') } });
    await bench.tick();
    expect(await checksOf(ana.userId)).toHaveLength(1);
    later(30 * minuteMs);
    await bench.tick();
    const check = await lastCheckOf(ana.userId);
    expect(check.session).toEqual(ana.run.session);
    expect(await isRunWanted(bench.db, { ...ana.run, runId: check.runId }, now)).toBe(true);
    await isStopped(ana);
    await found(check, null);
    expect(await accountOf(ana.userId)).toMatchObject({ state: 'active', pause_cause: null, resolved_at: null });
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
    // A finished extraction stays finished.
    expect(await bench.automation(ana.userId, done)).toMatchObject({ status: 'done', is_active: true, next_run_at: null });
    expect(await runsOf(done)).toEqual([]);
  });

  it('the same session does not end the stop when its visit meets the challenge again, and the button must be pressed again', async () => {
    const ana = await challenged();
    await press(ana.userId);
    later(hourMs);
    await bench.tick();
    await found(await lastCheckOf(ana.userId), 'challenge');
    later(2 * hourMs);
    await isStopped(ana);
    expect(await checksOf(ana.userId)).toHaveLength(2);
    expect(await accountOf(ana.userId)).toMatchObject({ state: 'needs_session', resolved_at: null });
    expect((await give(ana.userId, ana.cookie)).status).toBe(400);
  });

  it('the same session may be pasted after the hour, when it is not kept any more', async () => {
    const ana = await challenged();
    await bench.call('DELETE', `instagram_sessions?user_id=eq.${ana.userId}`, ana.userId);
    await press(ana.userId);
    expect((await accountOf(ana.userId)).pause_reason).toContain('O mesmo cookie pode ser colado de novo a partir de');
    later(hourMs);
    expect((await give(ana.userId, ana.cookie)).status).toBe(201);
    await isStopped(ana);
    await found(await lastCheckOf(ana.userId), null);
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
  });

  it('sealed sessions are kept for 14 days, and deleted at once with their customer', async () => {
    const envelopesOf = async (userId: string) =>
      (await bench.db.query('select envelope from instagram_sessions where user_id = $1 and envelope is not null', [userId]))
        .length as number;
    const [ana, bia] = [await challenged(), await challenged()];
    expect([await envelopesOf(ana.userId), await envelopesOf(bia.userId)]).toEqual([1, 1]);
    await publishTestEvent(bench.broker.url, userDeleted, { userId: bia.userId, deletedAt: now.toISOString() }, { subject: bia.userId });
    await eventually(async () => expect(await envelopesOf(bia.userId)).toBe(0));
    later(14 * dayMs - 2 * hourMs);
    await bench.tick();
    expect(await envelopesOf(ana.userId)).toBe(1);
    later(3 * hourMs);
    await bench.tick();
    expect(await envelopesOf(ana.userId)).toBe(0);
    await isStopped(ana);
  });

  it('‘Já resolvi no Instagram’ is refused for an account without a stop', async () => {
    const userId = await bench.customer(1);
    await bench.made(userId);
    const answer = await press(userId);
    expect(answer).toMatchObject({ status: 400, body: { message: 'O Instagram não espera nenhuma confirmação desta conta.' } });
  });

  it('two customers of one account are both stopped; each resumes with a good session of their own, and learns nothing about the other', async () => {
    const account = networkId();
    const bia = await bench.customer(1);
    const theirs = cookieOf(account);
    const other = await bench.made(bia, { configuration: { ...followConfiguration(account), sessionCookie: theirs } });
    await found(await lastCheckOf(bia), null);
    // Only one run of an account at a time: the other customer's is not due yet.
    await bench.db.query(`update automations set next_run_at = $2 where id = $1`, [other, new Date(now.getTime() + dayMs)]);
    const ana = await challenged(account);
    expect(await bench.automation(bia, other)).toMatchObject({ is_active: false, status: 'blocked' });

    await give(ana.userId, cookieOf(account));
    await found(await lastCheckOf(ana.userId), null);
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
    const before = (await runsOf(other)).length;
    // Ana's good session does not help Bia.
    expect(await bench.automation(bia, other)).toMatchObject({ is_active: false, status: 'blocked' });
    expect(await accountOf(bia)).toMatchObject({ state: 'needs_session', pause_cause: 'challenge' });
    expect((await give(bia, theirs)).status).toBe(400);
    expect((await give(bia, cookieOf(account))).status).toBe(201);
    await bench.tick();
    expect(await bench.automation(bia, other)).toMatchObject({ is_active: false });
    await found(await lastCheckOf(bia), null);
    expect(await bench.automation(bia, other)).toMatchObject({ is_active: true });
    expect(await runsOf(other)).toHaveLength(before);
    expect((await bench.call('GET', 'instagram_accounts', bia)).body).toHaveLength(1);
  });

  it('that a run reports after it was given up, the account is stopped too', async () => {
    const userId = await bench.customer(1);
    const id = await bench.made(userId);
    await found(await lastCheckOf(userId), null);
    await bench.tick();
    const [run] = await runsOf(id);
    if (!run) throw new Error('nothing ran');
    later(2 * hourMs);
    await bench.tick();
    expect(await bench.db.query('select state from runs where id = $1', [run.runId])).toEqual([{ state: 'abandoned' }]);
    await found(run, 'challenge');
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: false, status: 'blocked' });
    expect(await accountOf(userId)).toMatchObject({ state: 'needs_session', pause_cause: 'challenge' });
  });

  it('a suspension waits in the same way', async () => {
    const ana = await challenged(networkId(), 'suspended');
    expect((await give(ana.userId, ana.cookie)).body.message).toContain('Recorra pelo aplicativo do Instagram');
    await give(ana.userId, cookieOf(ana.account));
    await isStopped(ana);
    await found(await lastCheckOf(ana.userId), 'session_ended');
    await isStopped(ana);
    expect((await bench.automation(ana.userId, ana.id)).status_reason).toContain('A sessão do Instagram terminou');
    await give(ana.userId, cookieOf(ana.account));
    await isStopped(ana);
    await found(await lastCheckOf(ana.userId), null);
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
  });

  it('a session that the network has ended is refused at once when anybody pastes it again', async () => {
    const ana = await challenged(networkId(), 'session_ended');
    const bia = await bench.customer(1);
    for (const userId of [ana.userId, bia]) {
      const answer = await give(userId, ana.cookie);
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('Esta sessão do Instagram já terminou') } });
    }
    expect((await give(ana.userId, cookieOf(ana.account))).status).toBe(201);
    // As without a stop: runs wait for the visit, and start when it was not made in time.
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(1);
    later(3 * minuteMs);
    await bench.tick();
    expect(await runsOf(ana.id)).toHaveLength(2);
  });
});

describe('after a challenge, where sessions are not visited', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.stop());

  it('a different session is used at once, and the same one is still refused', async () => {
    const userId = await bench.customer(1);
    const account = networkId();
    const cookie = cookieOf(account);
    const id = await bench.made(userId, { configuration: { ...followConfiguration(account), sessionCookie: cookie } });
    await bench.tick();
    const job = await bench.lastJobOf(id);
    await publishTestEvent(bench.broker.url, runFinished, {
      runId: job.runId,
      automationId: id,
      userId,
      accountKey: job.accountKey,
      fencingToken: 1,
      pageViews: 1,
      outcome: 'stopped',
      stop: { class: 'challenge', row: 3, action: null, evidence: {} },
      tried: 0,
      confirmed: 0,
      skipped: 0,
      pages: 0,
      list: null,
      targetProblem: null,
      username: null,
      givenBack: [],
      finishedAt: new Date().toISOString(),
    });
    await eventually(async () => expect(await bench.automation(userId, id)).toMatchObject({ is_active: false }));
    const session = (raw_cookie: string) => ({ user_id: userId, cookies: { raw_cookie } });
    expect((await bench.call('POST', 'instagram_sessions', userId, session(cookie))).status).toBe(400);
    expect((await bench.call('POST', 'instagram_sessions', userId, session(cookieOf(account)))).status).toBe(201);
    await bench.tick();
    expect((await bench.lastJobOf(id)).runId).not.toBe(job.runId);
  });
});
