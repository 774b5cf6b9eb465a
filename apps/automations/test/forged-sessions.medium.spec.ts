import { type BrowserRun, runFinished, type StopClass } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { isRunWanted } from '../src/runs/is-run-wanted.js';
import { Bench, cookieOf, followConfiguration, type Json, networkId } from './support.js';

const hourMs = 3_600_000;

/** Anybody can paste the number of somebody else's account with an invented token. */
describe('a session of an account that its customer has not proven to be theirs', () => {
  let bench: Bench;
  let now = new Date('2026-11-21T15:00:00Z');
  beforeAll(async () => {
    bench = await Bench.start({ SESSION_CHECK_WAIT_MS: '120000' });
  });
  beforeEach(() => {
    now = new Date(now.getTime() + 48 * hourMs);
    bench.setTime(now);
  });
  afterAll(() => bench?.stop());

  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
    bench.setTime(now);
  };
  const checksOf = async (userId: string) =>
    (await bench.jobs()).filter((each) => each.userId === userId && each.plan.kind === 'check-session');
  const checkOf = async (userId: string) => (await checksOf(userId)).at(-1)!;
  const runsOf = async (userId: string) => (await bench.jobs()).filter((job) => job.userId === userId && job.automationId !== null);
  const sessionOf = async (userId: string): Promise<Json> =>
    (await bench.call('GET', 'instagram_sessions?order=created_at.desc&limit=1', userId)).body[0];
  const accountOf = async (userId: string): Promise<Json> => (await bench.call('GET', 'instagram_accounts', userId)).body[0];
  const rowOf = (userId: string, account: string) => ({ user_id: userId, session_id: 's', cookies: { raw_cookie: cookieOf(account) } });
  const paste = (userId: string, account: string) => bench.call('POST', 'instagram_sessions', userId, rowOf(userId, account));
  const finished = async (
    job: BrowserRun,
    more: { stop?: StopClass | null; outcome?: 'partial'; username?: string | null; pageViews?: number } = {},
  ) => {
    const { stop = null, username = null, pageViews = 1 } = more;
    const messageId = await publishTestEvent(
      bench.broker.url,
      runFinished,
      {
        runId: job.runId,
        automationId: job.automationId,
        userId: job.userId,
        accountKey: job.accountKey,
        fencingToken: 1,
        pageViews,
        outcome: more.outcome ?? (stop ? 'stopped' : 'done'),
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
  /** A customer whose session was found good and whose automation is on. */
  const owner = async (account: string) => {
    const userId = await bench.customer(2);
    const id = await bench.made(userId, { configuration: followConfiguration(account) });
    await finished(await checkOf(userId), { username: 'ana.doces' });
    return { userId, id };
  };
  const ofNetwork = async (account: string) => {
    const [row] = await bench.db.query(
      `select a.*, (select coalesce(sum(views), 0)::int from account_pages p where p.account_key = a.account_key) as views,
         (select count(*)::int from account_stops s where s.account_key = a.account_key) as stops
       from network_accounts a join instagram_accounts c using (account_key) where c.network_user_id = $1 limit 1`,
      [account],
    );
    return row;
  };

  it.each([
    'session_ended',
    'wrong_account',
    'challenge',
    'suspended',
    'action_blocked',
    'rate_limited',
    'limited',
    'site_changed',
  ] as const)('whose visit meets %s concerns that customer alone', async (stop) => {
    const account = networkId();
    const { userId, id } = await owner(account);
    const before = await ofNetwork(account);
    const stranger = await bench.customer(2);
    const theirs = await bench.made(stranger, { configuration: followConfiguration(account) });
    await finished(await checkOf(stranger), { stop, username: 'nome.errado', pageViews: 400 });
    expect(await ofNetwork(account)).toEqual(before);
    expect(await sessionOf(userId)).toMatchObject({ is_active: true, username: '@ana.doces', check_state: 'good' });
    expect(await accountOf(userId)).toMatchObject({ state: 'active', username: '@ana.doces', pause_reason: null });
    expect(await bench.automation(userId, id)).toMatchObject({ is_active: true });
    await bench.tick();
    expect(await runsOf(userId)).toHaveLength(1);
    if (stop !== 'site_changed') expect(await bench.automation(stranger, theirs)).toMatchObject({ is_active: false, status: 'blocked' });
  });

  it('shows nothing about the account, neither its name nor its pause, until a visit finds it good', async () => {
    const account = networkId();
    const { userId } = await owner(account);
    await bench.tick();
    const [run] = await runsOf(userId);
    const before = await bench.customer(2);
    await bench.made(before, { configuration: followConfiguration(account) });
    await finished(run!, { stop: 'action_blocked', username: 'ana.doces' });
    expect(await accountOf(userId)).toMatchObject({ state: 'paused', pause_cause: 'action_blocked' });
    const after = await bench.customer(2);
    const id = await bench.made(after, { configuration: followConfiguration(account) });
    for (const stranger of [before, after]) {
      expect(await sessionOf(stranger)).toMatchObject({ username: account });
      expect(await accountOf(stranger)).toMatchObject({ username: account, state: 'checking', pause_cause: null, pause_reason: null });
    }
    const pause = await bench.call('PATCH', `instagram_accounts?user_id=eq.${after}`, after, {
      paused_until: new Date(now.getTime() + 60_000).toISOString(),
    });
    expect(pause.status).toBe(204);
    await bench.call('PATCH', `instagram_accounts?user_id=eq.${after}`, after, { paused_until: null });
    // No worker made the visit in time.
    later(120_001);
    await bench.tick();
    expect(await runsOf(after)).toEqual([]);
    const row = await bench.automation(after, id);
    expect(row.status_reason).toMatch(/conferir|Conferindo/);
    expect(JSON.stringify([row, await accountOf(after)])).not.toMatch(/bloque|ana\.doces/);
    await bench.call('PATCH', `automations?id=eq.${id}`, after, { is_active: false });
    expect((await bench.call('PATCH', `automations?id=eq.${id}`, after, { is_active: true })).status).toBe(204);
    // A good visit shows both.
    await paste(after, account);
    await finished(await checkOf(after), { username: 'ana.doces' });
    expect(await sessionOf(after)).toMatchObject({ username: '@ana.doces' });
    expect(await accountOf(after)).toMatchObject({ username: '@ana.doces', state: 'paused', pause_cause: 'action_blocked' });
    expect(await sessionOf(before)).toMatchObject({ username: account });
  });

  it('does not delay the owner’s runs while no visit has succeeded, and is visited again', async () => {
    const account = networkId();
    const { userId } = await owner(account);
    const stranger = await bench.customer(2);
    const theirs = await bench.made(stranger, { configuration: followConfiguration(account) });
    // Due before the owner's.
    await bench.db.query(`update automations set next_run_at = $2::timestamptz - interval '1 hour' where id = $1`, [theirs, now]);
    later(120_001);
    await bench.tick();
    expect(await runsOf(userId)).toHaveLength(1);
    expect(await sessionOf(stranger)).toMatchObject({ is_active: true, check_state: 'unchecked' });
    later(10 * 60_000 + 1);
    await bench.tick();
    expect(await checksOf(stranger)).toHaveLength(2);
    await finished(await checkOf(stranger), { username: 'ana.doces' });
    await finished((await runsOf(userId))[0]!);
    await bench.db.query('update automations set is_active = false where user_id = $1', [userId]);
    later(60_000);
    await bench.tick();
    expect(await runsOf(stranger)).toHaveLength(1);
  });

  it('is not proven by a run that ended before it opened the site', async () => {
    const userId = await bench.customer(2);
    await bench.made(userId, { configuration: followConfiguration(networkId()) });
    // No worker made the visit in time, so the run finds out; but it was not begun in time either.
    later(120_001);
    await bench.tick();
    const [run] = await runsOf(userId);
    await finished(run!, { outcome: 'partial', pageViews: 0 });
    const proven = () => bench.db.query('select proven_at is not null as is_proven from instagram_accounts where user_id = $1', [userId]);
    expect(await proven()).toEqual([{ is_proven: false }]);
    await bench.tick();
    const again = (await runsOf(userId)).at(-1)!;
    expect(again.runId).not.toBe(run!.runId);
    await finished(again);
    expect(await proven()).toEqual([{ is_proven: true }]);
  });

  it('is visited without the account’s lease, and its page views do not count for the account', async () => {
    const account = networkId();
    const { userId } = await owner(account);
    const stranger = await bench.customer(2);
    const other = await bench.customer(2);
    for (const each of [stranger, other]) await paste(each, account);
    const [theirs, others] = [await checkOf(stranger), await checkOf(other)];
    await bench.tick();
    const [run] = await runsOf(userId);
    expect(theirs.queue).toBe('browser.runs.checks');
    expect(new Set([run!.accountKey, theirs.accountKey, others.accountKey]).size).toBe(3);
    expect(await isRunWanted(bench.db, { runId: theirs.runId, userId: stranger, accountKey: theirs.accountKey }, now)).toBe(true);
    // Once the customer has proven it, it is an account like any other.
    await finished(theirs);
    await paste(stranger, account);
    expect((await checkOf(stranger)).accountKey).toBe(run!.accountKey);
  });

  it('waits for a visit alone: of several sent at the same time the newest replaces the others', async () => {
    const [userId, account] = [await bench.customer(1), networkId()];
    const many = await bench.call(
      'POST',
      'instagram_sessions',
      userId,
      Array.from({ length: 5 }, () => rowOf(userId, account)),
    );
    expect(many.status).toBe(201);
    const asked = (await checksOf(userId)).map(({ runId, accountKey }) => ({ runId, userId, accountKey, pageViews: 0 }));
    const wanted = [];
    for (const each of asked) if (await isRunWanted(bench.db, each, now)) wanted.push(each);
    expect(wanted).toHaveLength(1);
  });

  it('is visited once when the page sends it both with an automation and as a row', async () => {
    const userId = await bench.customer(9);
    for (let each = 0; each < 4; each += 1) {
      const account = networkId();
      const cookie = cookieOf(account);
      const id = await bench.made(userId, { configuration: { ...followConfiguration(account), sessionCookie: cookie } });
      const check = await checkOf(userId);
      const given = { ...rowOf(userId, account), cookies: { raw_cookie: cookie } };
      expect(await bench.call('POST', 'instagram_sessions', userId, given)).toEqual({ status: 201, body: null });
      expect(await checksOf(userId)).toHaveLength(each + 1);
      expect(await isRunWanted(bench.db, check, now)).toBe(true);
      await finished(check, { stop: each < 3 ? 'session_ended' : null });
      // The session row of the automation's configuration was replaced by the one that was inserted directly.
      const { body } = await bench.call('GET', 'instagram_sessions?check_state=neq.unchecked&order=created_at.desc', userId);
      expect(body).toHaveLength(each + 1);
      expect(body[0]).toMatchObject({ check_state: each < 3 ? 'refused' : 'good', is_active: each === 3 });
      expect((await bench.automation(userId, id)).is_active).toBe(each === 3);
      later(1_000);
    }
  });

  it('is visited at most five times a day for one customer, good sessions not counted, and the sixth refusal names the next time', async () => {
    const userId = await bench.customer(1);
    const twelve = await bench.call(
      'POST',
      'instagram_sessions',
      userId,
      Array.from({ length: 12 }, () => rowOf(userId, networkId())),
    );
    expect(twelve).toMatchObject({ status: 400, body: { code: 'P0001' } });
    expect(await checksOf(userId)).toEqual([]);
    expect(await bench.call('GET', 'instagram_sessions', userId)).toMatchObject({ body: [] });

    for (let good = 0; good < 7; good += 1) {
      expect((await paste(userId, networkId())).status).toBe(201);
      await finished(await checkOf(userId));
    }
    const account = networkId();
    for (let bad = 0; bad < 5; bad += 1) {
      expect((await paste(userId, account)).status).toBe(201);
      await finished(await checkOf(userId), { stop: 'session_ended' });
      later(hourMs);
    }
    const made = (await checksOf(userId)).length;
    const refused = await paste(userId, account);
    expect(refused).toMatchObject({ status: 400, body: { code: 'P0001' } });
    expect(refused.body.message).toMatch(/^Você já enviou 5 sessões do Instagram .* a partir de \d\d\/\d\d às \d\d:\d\d\.$/);
    // The limit also counts sessions of drafts, and those that replace the session of an existing row.
    const [{ id }] = (await bench.call('GET', 'instagram_sessions?limit=1', userId)).body as [{ id: string }];
    const patched = await bench.call('PATCH', `instagram_sessions?id=eq.${id}`, userId, { cookies: { raw_cookie: cookieOf(account) } });
    expect(patched).toMatchObject({ status: 400, body: { message: refused.body.message } });
    expect((await bench.create(userId, { is_draft: true })).body.message).toBe(refused.body.message);
    expect((await checksOf(userId)).length).toBe(made);
    const someoneElse = await bench.customer(1);
    expect((await paste(someoneElse, account)).status).toBe(201);
    // A day after the first of them.
    later(19 * hourMs + 1);
    expect((await paste(userId, account)).status).toBe(201);
  });
});
