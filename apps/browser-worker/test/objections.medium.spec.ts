import { existsSync } from 'node:fs';
import path from 'node:path';
import { casesOf, longOnly } from '@decola/testing';
import { checkSession, followPlan, jobFor, listPlan, type TestSession } from './support/jobs.js';
import type { NetworkPerson } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

describe('an objection of the network', () => {
  const { network, kit } = workerSuite();
  let people: NetworkPerson[];
  beforeAll(async () => {
    people = await network.publicPeople(6, 3_000);
  });

  const follow = (me: TestSession, budget = 4) => kit.runPlan(me, followPlan(kit.slotOf(people), { budget }));
  /** What the account did after the objection, without the page's own background calls and one visit to the home page. */
  const afterObjection = async (me: TestSession) => {
    const entries = await network.ledger({ account: me.username });
    const objected = entries.findIndex(({ objection }) => objection !== null);
    return entries
      .slice(objected + 1)
      .filter(
        ({ action, target }) =>
          ['follow', 'unfollow', 'profile', 'list_page', 'hashtag'].includes(action) || (action === 'page_view' && target !== '/'),
      );
  };
  const hasScreenshot = (name: unknown) => existsSync(path.join(kit.screenshotsDir, String(name)));

  describe('to the second follow', () => {
    /** What tells the worker of a class; for those not named here it is the body alone. */
    const toldBy: Readonly<Record<string, string>> = {
      challenge: 'body and address',
      suspended: 'body and address',
      session_ended: 'address',
      rate_limited: 'status',
      site_trouble: 'status',
    };
    const objections = casesOf(
      [
        ['feedback_required', 'action_blocked', 1, 'pt'],
        ['feedback_required', 'action_blocked', 1, 'en'],
        ['action_blocked', 'action_blocked_long', 2, 'pt'],
        ['checkpoint_required', 'challenge', 3, 'pt'],
        ['challenge_required', 'challenge', 3, 'en'],
        ['suspended', 'suspended', 4, 'pt'],
        ['login_required', 'session_ended', null, 'pt'], // row 5 or 6: the page navigates to the login at once
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
      ],
      // Which words mean which class is tested in signals.spec.
      ([, stopClass]) => toldBy[stopClass] ?? 'body',
    );
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
      expect(kit.outcomesOf(end.runId)).toEqual(['confirmed', 'refused']);
      expect((await network.actions(me.username)).map(({ result }) => result)).toEqual(['done', 'objected']);
      // The page itself navigates to an address that objects.
      expect((await afterObjection(me)).filter(({ target }) => !/^\/(challenge|accounts)/.test(target ?? ''))).toEqual([]);
      expect(await network.verdicts(me.username)).toEqual([]);
    });
    it.each(objections.map((objection, index) => [...objection, index] as const))(
      'with %s is %s (row %s), in %s, and nothing is tried after it',
      (_kind, _stopClass, _row, _language, index) => run(index),
    );
  });

  describe('without words', () => {
    // The other form is that of the test after these.
    const silent = casesOf(['unchanged', 'undone_after_reload'] as const, () => 'silent');
    const run = sideBySide(silent, async (kind) => {
      const me = await network.customer();
      await network.object({ username: me.username, kind, call: 'follow', afterCalls: 1, times: null });
      const end = await follow(me, 5);
      expect(end).toMatchObject({
        outcome: 'stopped',
        stop: { class: 'silent_block', row: 14, action: 'follow' },
        tried: 3,
        confirmed: 1,
      });
      expect(kit.outcomesOf(end.runId)).toEqual(['confirmed', 'not_confirmed', 'not_confirmed']);
      const failed = kit.actionsOf(end.runId).filter(({ outcome }) => outcome === 'not_confirmed');
      for (const { proof } of failed) expect(hasScreenshot(proof['picture'])).toBe(true);
      expect(await network.verdicts(me.username)).toEqual([]);
    });
    it.each(silent)('(%s) is not confirmed once, and stops the action twice in a row', (kind) => run(silent.indexOf(kind)));

    testsSideBySide([
      [
        'is not confirmed once, and the next follow succeeds',
        async () => {
          const me = await network.customer('en');
          await network.object({ username: me.username, kind: 'undone_after_reload', call: 'follow', times: 1 });
          const end = await follow(me, 2);
          expect(end).toMatchObject({ outcome: 'done', tried: 2, confirmed: 1 });
          expect(kit.outcomesOf(end.runId)).toEqual(['not_confirmed', 'confirmed']);
        },
      ],
      ...longOnly([
        [
          'is no objection when a status of 500 comes with the data',
          async () => {
            const me = await network.customer();
            await network.object({ username: me.username, kind: 'done_with_status_500', call: 'any', times: null });
            expect(await follow(me, 1)).toMatchObject({ outcome: 'done', confirmed: 1 });
          },
        ],
      ] as const),
    ]);
  });

  describe('to reading', () => {
    const objections = casesOf(
      [
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
      ],
      // In the gate only a call, a page, and a page without its landmark.
      ([, call, stopClass]) => (stopClass === 'site_changed' ? stopClass : call),
    );
    const run = sideBySide(objections, async ([kind, call, stopClass, row]) => {
      const me = await network.customer();
      await network.object({ username: me.username, kind, call, target: people[0]!.username, times: null });
      const end = await follow(me);
      expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, row: row ?? expect.any(Number) }, tried: 0 });
      // Nothing happened to the person, and the reservation is released.
      expect(kit.outcomesOf(end.runId)).toEqual(['limit_of_network']);
      expect((await afterObjection(me)).filter(({ target, objection }) => objection === null && target !== people[0]!.username)).toEqual(
        [],
      );
      if (stopClass === 'site_changed') expect(hasScreenshot(end.stop!.evidence['picture'])).toBe(true);
    });
    it.each(objections.map((objection, index) => [...objection, index] as const))(
      'with %s at a %s is %s (row %s)',
      (_kind, _call, _stopClass, _row, index) => run(index),
    );

    testsSideBySide([
      ...longOnly([
        [
          'with HTML instead of JSON reloads the page once, and the second time the site has changed',
          async () => {
            const once = await network.customer();
            await network.object({ username: once.username, kind: 'html_instead_of_json', call: 'profile', times: 1 });
            expect(await follow(once, 1)).toMatchObject({ outcome: 'done', confirmed: 1 });
            const twice = await network.customer();
            await network.object({ username: twice.username, kind: 'stale_token', call: 'profile', times: null });
            expect(await follow(twice)).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 10 }, tried: 0 });
            const calls = (await network.ledger({ account: twice.username })).filter(({ action }) => action === 'profile');
            expect(calls).toHaveLength(2);
          },
        ],
        [
          'with failing queries skips the person, and after three different ones the site has changed',
          async () => {
            const one = await network.customer();
            await network.object({
              username: one.username,
              kind: 'graphql_error',
              call: 'profile',
              target: people[0]!.username,
              times: null,
            });
            expect(await follow(one, 1)).toMatchObject({ outcome: 'done', confirmed: 1, skipped: 1 });
            const all = await network.customer();
            for (const { username } of people) {
              await network.object({ username: all.username, kind: 'graphql_error', call: 'profile', target: username, times: null });
            }
            expect(await follow(all)).toMatchObject({ outcome: 'stopped', stop: { class: 'site_changed', row: 13 }, tried: 0, skipped: 3 });
          },
        ],
        [
          'about people whom the network does not show us skips them, however many they are',
          async () => {
            const me = await network.customer();
            for (const { username } of people.slice(0, 4)) {
              await network.object({ username: me.username, kind: 'target_problem', call: 'profile', target: username, times: null });
            }
            const end = await follow(me, 1);
            expect(end).toMatchObject({ outcome: 'done', stop: null, confirmed: 1, skipped: 4 });
            expect(kit.outcomesOf(end.runId)).toEqual([...Array<string>(4).fill('unsettled'), 'confirmed']);
          },
        ],
      ] as const),
      [
        'by a list that is never answered concerns that list alone',
        async () => {
          const me = await network.customer();
          const shop = await network.account({ followers: 60 });
          await network.object({ username: me.username, kind: 'spinner_for_ever', call: 'followers', afterCalls: 2, times: null });
          const end = await kit.runPlan(me, listPlan(shop.username, { maxPages: 50 }));
          expect(end).toMatchObject({
            outcome: 'done',
            stop: null,
            targetProblem: 'list_refused',
            pages: 2,
            list: { state: 'more', nextPage: 2 },
          });
          expect(end.list!.cursor).toMatch(/^\d+$/);
        },
      ],
    ]);
  });

  describe('to the session', () => {
    testsSideBySide([
      ...casesOf(['logout', 'password'], () => 'ended by its owner').map(
        (reason) =>
          [
            `that its owner ended (${reason}) stops the run`,
            async () => {
              const me = await network.customer();
              await network.call('DELETE', `/sessions/${me.id}?reason=${reason}`);
              expect(await kit.runPlan(me, checkSession)).toMatchObject({
                outcome: 'stopped',
                stop: { class: 'session_ended', row: 6 },
                username: null,
              });
            },
          ] as const,
      ),
      [
        "of another account than the job's: nothing is done",
        async () => {
          const [me, other] = [await network.customer(), await network.customer()];
          const end = await follow({ ...other, networkUserId: me.networkUserId });
          expect(end).toMatchObject({
            outcome: 'stopped',
            stop: { class: 'wrong_account', row: null, evidence: { found: other.networkUserId } },
          });
          expect(await network.actions(other.username)).toEqual([]);
        },
      ],
      [
        'that is none, because its envelope is damaged, needs a new session',
        async () => {
          const job = jobFor(await network.customer(), checkSession);
          const end = await kit.run({ ...job, session: { ...job.session, envelope: job.session.envelope.slice(0, 20) } });
          expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'session_ended', row: null } });
        },
      ],
      [
        'is none when it is valid: the check reports whose it is',
        async () => {
          const me = await network.customer('en');
          expect(await kit.runPlan(me, checkSession)).toMatchObject({ outcome: 'done', stop: null, username: me.username });
        },
      ],
    ]);
  });

  it('by an unknown dialog is never clicked away', async () => {
    const me = await network.customer();
    kit.automations.afterReserve = async () =>
      void (await network.call('PUT', `/accounts/${me.username}/interruptions`, { kinds: ['unknown'] }));
    const end = await kit.runPlan(me, followPlan(kit.slotOf([people[0]!])));
    expect(end).toMatchObject({
      outcome: 'stopped',
      stop: { class: 'site_changed', row: 16, evidence: { unknownDialog: true } },
      tried: 0,
    });
    expect(await network.actions(me.username)).toEqual([]);
  });
});
