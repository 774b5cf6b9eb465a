import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { jobFor, type TestSession } from './support/jobs.js';
import { Network, type NetworkPerson } from './support/network.js';
import { sideBySide } from './support/side-by-side.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

describe('the network objects', () => {
  let network: Network;
  let kit: WorkerKit;
  let people: NetworkPerson[];
  beforeAll(async () => {
    network = await Network.start();
    kit = await workerKit(network.url, { answerTimeoutMs: 5_000 });
    people = await network.people(6, ({ isPrivate }) => !isPrivate, 3_000);
  });
  afterAll(async () => {
    await kit?.dispose();
    await network?.stop();
  });

  const outcomes = (runId: string) =>
    kit.automations.actions.filter((action) => action.runId === runId).map(({ outcome, skipReason }) => skipReason ?? outcome);
  const follow = (me: TestSession, budget = 4) => {
    const extractedDataId = randomUUID();
    kit.automations.slots.set(
      extractedDataId,
      people.map(({ pk, username }) => ({ targetId: pk, username })),
    );
    return kit.run(jobFor(me, { kind: 'follow', source: { kind: 'slot', extractedDataId }, budget, requestPrivate: false }));
  };
  /** What the account did since the objection. The page's own chatter and one look at the home page do not count. */
  const afterObjection = async (me: TestSession) => {
    const entries = await network.ledger({ account: me.username });
    const objected = entries.findIndex(({ objection }) => objection !== null);
    return entries
      .slice(objected + 1)
      .filter(
        ({ action, target }) =>
          ['follow', 'unfollow', 'profile', 'list_page', 'hashtag'].includes(action) || (action === 'page' && target !== '/'),
      );
  };

  describe('to the second follow', () => {
    const objections = [
      ['feedback_required', 'action_blocked', 1, 'pt'],
      ['feedback_required', 'action_blocked', 1, 'en'],
      ['action_blocked', 'action_blocked_long', 2, 'pt'],
      ['checkpoint_required', 'challenge', 3, 'pt'],
      ['challenge_required', 'challenge', 3, 'en'],
      ['suspended', 'suspended', 4, 'pt'],
      ['login_required', 'session_ended', null, 'pt'], // row 5 or 6: the page leaves for the login at once
      ['please_wait', 'limited', 7, 'en'],
      ['rate_limit', 'rate_limited', 8, 'pt'],
      ['http_560', 'site_trouble', 9, 'pt'],
      ['rate_limit_error', 'rate_limited', 11, 'pt'],
      ['sentry_block', 'limited', 11, 'pt'],
      ['inactive_user', 'suspended', 11, 'pt'],
      ['consent_required', 'challenge', 11, 'pt'],
      ['masked_not_found', 'challenge', 12, 'pt'],
      ['captcha', 'challenge', 3, 'pt'],
      ['automation_warning', 'challenge', 3, 'en'],
    ] as const;
    const run = sideBySide(objections, async ([kind, stopClass, row, language]) => {
      const me = await network.customer(language);
      await network.object({ username: me.username, kind, call: 'follow', afterCalls: 1, times: null });
      const end = await follow(me);
      expect(end).toMatchObject({
        outcome: 'stopped',
        stop: { class: stopClass, row: row ?? expect.any(Number), action: 'follow' },
        tried: 2,
        confirmed: 1,
      });
      expect(outcomes(end.runId)).toEqual(['confirmed', 'refused']);
      expect((await network.actions(me.username)).map(({ result }) => result)).toEqual(['done', 'objected']);
      // An address that objects is where the page itself went.
      expect((await afterObjection(me)).filter(({ target }) => !/^\/(challenge|accounts)/.test(target ?? ''))).toEqual([]);
      expect(await network.verdicts(me.username)).toEqual([]);
    });
    it.each(objections.map((objection, index) => [...objection, index] as const))(
      'with %s: %s (row %s), in %s, and nothing is tried after it',
      (_kind, _stopClass, _row, _language, index) => run(index),
    );
  });

  const silent = ['undone_after_reload', 'unchanged'] as const;
  const runSilent = sideBySide(silent, async (kind) => {
    const me = await network.customer();
    await network.object({ username: me.username, kind, call: 'follow', afterCalls: 1, times: null });
    const end = await follow(me, 5);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'silent_block', row: 14, action: 'follow' }, tried: 3, confirmed: 1 });
    expect(outcomes(end.runId)).toEqual(['confirmed', 'not_confirmed', 'not_confirmed']);
    const pictures = kit.automations.actions.filter(({ runId, outcome }) => runId === end.runId && outcome === 'not_confirmed');
    for (const { proof } of pictures) expect(existsSync(path.join(kit.artifactsDir, String(proof['picture'])))).toBe(true);
    expect(await network.verdicts(me.username)).toEqual([]);
  });
  it.each(silent)('silently (%s): once is not confirmed, twice in a row stops the action', (kind) => runSilent(silent.indexOf(kind)));

  it('silently, once: the next one is done', async () => {
    const me = await network.customer('en');
    await network.object({ username: me.username, kind: 'undone_after_reload', call: 'follow', times: 1 });
    const end = await follow(me, 2);
    expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 1 });
    expect(outcomes(end.runId)).toEqual(['not_confirmed', 'confirmed']);
  });

  it('only in form: a 500 that carries the data is a success', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'done_with_status_500', call: 'any', times: null });
    expect(await follow(me, 1)).toMatchObject({ outcome: 'done', confirmed: 1 });
  });

  describe('to reading', () => {
    const objections = [
      ['checkpoint_required', 'profile', 'challenge', 3],
      ['login_required', 'profile', 'session_ended', null],
      ['please_wait', 'profile', 'limited', 7],
      ['rate_limit', 'profile', 'rate_limited', 8],
      ['http_560', 'profile', 'site_trouble', 9],
      ['masked_not_found', 'profile', 'challenge', 12],
      ['suspended', 'page', 'suspended', 4],
      ['challenge_required', 'page', 'challenge', 3],
      ['login_redirect', 'page', 'session_ended', 6],
      ['rate_limit', 'page', 'rate_limited', 8],
      ['http_560', 'page', 'site_trouble', 9],
      ['captcha', 'page', 'challenge', 17],
      ['automation_warning', 'page', 'challenge', 17],
      ['landmark_missing', 'page', 'site_changed', 16],
    ] as const;
    const run = sideBySide(objections, async ([kind, call, stopClass, row]) => {
      const me = await network.customer();
      await network.object({ username: me.username, kind, call, target: people[0]!.username, times: null });
      const end = await follow(me);
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, row: row ?? expect.any(Number) }, tried: 0 });
      // The person was not touched, and the reservation is given back.
      expect(outcomes(end.runId)).toEqual(['limit_of_network']);
      expect((await afterObjection(me)).filter(({ target, objection }) => objection === null && target !== people[0]!.username)).toEqual(
        [],
      );
      if (stopClass === 'site_changed') expect(existsSync(path.join(kit.artifactsDir, String(end.stop!.evidence['picture'])))).toBe(true);
    });
    it.each(objections.map((objection, index) => [...objection, index] as const))(
      'with %s at a %s: %s (row %s)',
      (_kind, _call, _stopClass, _row, index) => run(index),
    );

    it('with HTML where JSON is due: loads again once, and the second time says that the site changed', async () => {
      const once = await network.customer();
      await network.object({ username: once.username, kind: 'html_instead_of_json', call: 'profile', times: 1 });
      expect(await follow(once, 1)).toMatchObject({ outcome: 'done', confirmed: 1 });
      const twice = await network.customer();
      await network.object({ username: twice.username, kind: 'stale_token', call: 'profile', times: null });
      expect(await follow(twice)).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 10 }, tried: 0 });
      const calls = (await network.ledger({ account: twice.username })).filter(({ action }) => action === 'profile');
      expect(calls).toHaveLength(2);
    });

    it('with failing queries: passes over the person, and after three different ones says that the site changed', async () => {
      const one = await network.customer();
      await network.object({ username: one.username, kind: 'graphql_error', call: 'profile', target: people[0]!.username, times: null });
      expect(await follow(one, 1)).toMatchObject({ outcome: 'done', confirmed: 1, skipped: 1 });
      const all = await network.customer();
      for (const { username } of people) {
        await network.object({ username: all.username, kind: 'graphql_error', call: 'profile', target: username, times: null });
      }
      expect(await follow(all)).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 13 }, tried: 0, skipped: 3 });
    });

    it('with a list that stays silent', async () => {
      const me = await network.customer();
      const shop = await network.account({ followers: 60 });
      await network.object({ username: me.username, kind: 'spinner_for_ever', call: 'followers', afterCalls: 2, times: null });
      const plan = { kind: 'extract-list' as const, list: 'followers' as const, username: shop.username, extractedDataId: randomUUID() };
      const end = await kit.run(jobFor(me, { ...plan, cursor: null, pass: 1, nextPage: 0, maxPages: 50 }));
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'limited', row: 7 }, pages: 2, list: { state: 'more', nextPage: 2 } });
      expect(end.list!.cursor).toMatch(/^\d+$/);
    });
  });

  describe('to the session', () => {
    it.each(['logout', 'password'])('that its owner ended (%s)', async (reason) => {
      const me = await network.customer();
      await network.call('DELETE', `/sessions/${me.id}?reason=${reason}`);
      expect(await kit.run(jobFor(me, { kind: 'check-session' }))).toMatchObject({
        outcome: 'stopped',
        stop: { class: 'session_ended', row: 6 },
        username: null,
      });
    });

    it("of another account than the job's: nothing is done", async () => {
      const [me, other] = [await network.customer(), await network.customer()];
      const end = await follow({ ...other, networkUserId: me.networkUserId });
      expect(end).toMatchObject({
        outcome: 'stopped',
        stop: { class: 'wrong_account', row: null, evidence: { found: other.networkUserId } },
      });
      expect(await network.actions(other.username)).toEqual([]);
    });

    it('whose envelope does not open: asks for a new one', async () => {
      const me = await network.customer();
      const job = jobFor(me, { kind: 'check-session' });
      const end = await kit.run({ ...job, session: { ...job.session, sessionId: randomUUID() } });
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'session_ended', row: null } });
    });

    it('in no way when it lives: check-session says whose it is', async () => {
      const me = await network.customer('en');
      expect(await kit.run(jobFor(me, { kind: 'check-session' }))).toMatchObject({ outcome: 'done', stop: null, username: me.username });
    });
  });

  it('with a dialog that nobody knows: it is not clicked through', async () => {
    const me = await network.customer();
    const extractedDataId = randomUUID();
    kit.automations.slots.set(extractedDataId, [{ targetId: people[0]!.pk, username: people[0]!.username }]);
    kit.automations.afterReserve = async () =>
      void (await network.call('PUT', `/accounts/${me.username}/interruptions`, { kinds: ['unknown'] }));
    const job = jobFor(me, { kind: 'follow', source: { kind: 'slot', extractedDataId }, budget: 1, requestPrivate: false });
    const end = await kit.run(job).finally(() => (kit.automations.afterReserve = () => Promise.resolve()));
    expect(end).toMatchObject({
      outcome: 'stopped',
      stop: { class: 'site_changed', row: 16, evidence: { unknownDialog: true } },
      tried: 0,
    });
    expect(await network.actions(me.username)).toEqual([]);
  });
});
