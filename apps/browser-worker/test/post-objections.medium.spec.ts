import type { PlanOf, RunPlan } from '@decola/contracts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { casesOf, shareOf } from '@decola/testing';
import { authorOf, commentPlan, likePlan, type TestSession } from './support/jobs.js';
import type { NetworkPost } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

type Slot = Extract<PlanOf<'comment'>['source'], { kind: 'slot' }>;
type Action = 'like' | 'comment';
const plans: Record<Action, (source: Slot, budget: number) => RunPlan> = {
  like: (source, budget) => likePlan(source, { budget }),
  comment: (source, budget) => commentPlan(source, { budget }),
};

describe.each(['like', 'comment'] as const)('when the network objects to a %s', (action) => {
  const { network, kit } = workerSuite();
  // One classifier reads all objections (signals.spec.ts), and in the gate a follow meets each of their classes (objections). In the small form of
  // these tests a like meets one quarter of them and a comment another, and what is no objection at all meets one of the two.
  const at = ['like', 'comment'].indexOf(action);
  const place = { place: at, places: 4 };
  let posts: NetworkPost[];
  beforeAll(async () => {
    posts = await network.posts(5);
  });

  const act = (me: TestSession, budget = 4) => kit.runPlan(me, plans[action](kit.slotOf(posts.map(authorOf)), budget));
  const refusedBy = async (kind: string, over: Record<string, unknown> = {}, language: 'pt' | 'en' = 'pt') => {
    const me = await network.customer(language);
    await network.object({ username: me.username, kind, call: action, times: null, ...over });
    const end = await act(me);
    return { me, end, tries: await network.actions(me.username), verdicts: await network.verdicts(me.username) };
  };
  /** What the account did after the objection, without the page's own background calls and one visit to the start page. */
  const afterObjection = async (me: TestSession) => {
    const entries = await network.ledger({ account: me.username });
    const objected = entries.findIndex(({ objection }) => objection !== null);
    return entries.slice(objected + 1).filter(({ action: done, target }) => done === 'page_view' && target !== '/');
  };

  const objections = shareOf(
    casesOf(
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
        ['query_rate_limit', 'rate_limited', 8, 'pt'],
        ['http_560', 'site_trouble', 9, 'pt'],
        ['rate_limit_error', 'rate_limited', 11, 'pt'],
        ['sentry_block', 'limited', 11, 'pt'],
        ['inactive_user', 'suspended', 11, 'pt'],
        ['consent_required', 'challenge', 11, 'pt'],
        ['masked_not_found', 'challenge', 12, 'pt'],
        ['incorrect_query', 'site_changed', 13, 'pt'],
        ['captcha', 'challenge', 3, 'pt'],
        ['automation_warning', 'challenge', 3, 'en'],
      ],
      ([, stopClass]) => stopClass,
    ),
    place,
  );
  const objected = sideBySide(objections, async ([kind, stopClass, row, language]) => {
    const { me, end, tries, verdicts } = await refusedBy(kind, { afterCalls: 1 }, language);
    expect(end).toMatchObject({
      outcome: 'stopped',
      stop: { class: stopClass, row: row ?? expect.any(Number), action },
      tried: 2,
      confirmed: 1,
    });
    expect(kit.outcomesOf(end.runId)).toEqual(['confirmed', 'refused']);
    expect(tries.map(({ action: tried, result }) => [tried, result])).toEqual([
      [action, 'done'],
      [action, 'objected'],
    ]);
    // The page itself navigates to an address that objects.
    expect((await afterObjection(me)).filter(({ target }) => !/^\/(challenge|accounts)/.test(target ?? ''))).toEqual([]);
    expect(verdicts).toEqual([]);
  });
  it.each(objections.map((objection, index) => [...objection, index] as const))(
    'with %s, it is %s (row %s), in %s, and nothing is tried after it',
    (_kind, _stopClass, _row, _language, index) => objected(index),
  );

  const unclear = casesOf(
    ['null_root_with_errors', 'null_root_with_fail', 'execution_error', 'graphql_error', 'spam', 'unlisted_400', 'retired_operation_400'],
    () => 'refused',
  );
  const refusedTwice = sideBySide(unclear, (kind) => refusedBy(kind));
  it.each(unclear)('twice in a row as %s, the action stops', async (kind) => {
    const { end, tries, verdicts } = await refusedTwice(unclear.indexOf(kind));
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'refused', row: null, action }, tried: 2, confirmed: 0 });
    expect(kit.outcomesOf(end.runId)).toEqual(['refused', 'refused']);
    expect(tries).toHaveLength(2);
    expect(verdicts).toEqual([]);
  });

  const silent = casesOf(['undone_after_reload', 'unchanged'], () => 'silent');
  const undone = sideBySide(silent, (kind) => refusedBy(kind, { afterCalls: 1 }));
  it.each(silent)('without words (%s), one is not confirmed, and two in a row stop the action', async (kind) => {
    const { end, verdicts } = await undone(silent.indexOf(kind));
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'silent_block', row: 14, action }, tried: 3, confirmed: 1 });
    expect(kit.outcomesOf(end.runId)).toEqual(['confirmed', 'not_confirmed', 'not_confirmed']);
    const failed = kit.actionsOf(end.runId).filter(({ outcome }) => outcome === 'not_confirmed');
    for (const { proof } of failed) expect(existsSync(path.join(kit.screenshotsDir, String(proof['picture'])))).toBe(true);
    expect(verdicts).toEqual([]);
  });

  const reading = shareOf(
    casesOf(
      [
        ['checkpoint_required', 'post', 'challenge', 3],
        ['login_required', 'post', 'session_ended', null],
        ['please_wait', 'post', 'limited', 7],
        ['rate_limit', 'post', 'rate_limited', 8],
        ['http_560', 'post', 'site_trouble', 9],
        ['masked_not_found', 'post', 'challenge', 12],
        ['html_instead_of_json', 'post', 'site_changed', 10],
        ['suspended', 'page', 'suspended', 4],
        ['challenge_required', 'page', 'challenge', 3],
        ['login_redirect', 'page', 'session_ended', 6],
        ['rate_limit', 'page', 'rate_limited', 8],
        ['http_560', 'page', 'site_trouble', 9],
        ['captcha', 'page', 'challenge', 17],
        ['automation_warning', 'page', 'challenge', 17],
        ['spinner_for_ever', 'page', 'site_changed', 16],
      ],
      ([, call, stopClass]) => (stopClass === 'site_changed' ? stopClass : call),
    ),
    place,
  );
  const stoppedReading = sideBySide(reading, async ([kind, call, stopClass, row]) => {
    const me = await network.customer();
    const { code } = posts[0]!;
    await network.object({ username: me.username, kind, call, target: call === 'page' ? `/p/${code}/` : code, times: null });
    const end = await act(me);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, row: row ?? expect.any(Number) }, tried: 0 });
    // Nothing happened to the post, and the reservation is released.
    expect(kit.outcomesOf(end.runId)).toEqual(['limit_of_network']);
    expect(await network.actions(me.username)).toEqual([]);
  });
  it.each(reading.map((objection, index) => [...objection, index] as const))(
    'and already to reading the post, with %s at a %s, it is %s (row %s)',
    (_kind, _call, _stopClass, _row, index) => stoppedReading(index),
  );

  testsSideBySide(
    shareOf(
      [
        [
          'only about a post that was deleted meanwhile, that post is skipped and nothing is paused',
          async () => {
            const { end, verdicts } = await refusedBy('target_problem', { times: 2 });
            // What was sent counts towards the budget.
            expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2 });
            expect(kit.outcomesOf(end.runId)).toEqual(['target_gone', 'target_gone', 'confirmed', 'confirmed']);
            expect(verdicts).toEqual([]);
          },
        ],
        [
          'once with 1357005, the reload shows what happened, and nothing is repeated',
          async () => {
            const { end, tries } = await refusedBy('request_not_processed', { times: 1 });
            expect(end).toMatchObject({ outcome: 'done', stop: null });
            expect(kit.outcomesOf(end.runId)).toEqual(['not_confirmed', 'confirmed', 'confirmed', 'confirmed']);
            expect(new Set(tries.map(({ targetId }) => targetId)).size).toBe(4);
          },
        ],
        [
          'only seemingly, with a status of 500 or a failed part beside the data, it is confirmed',
          async () => {
            for (const kind of ['done_with_status_500', 'partial_answer']) {
              const me = await network.customer();
              await network.object({ username: me.username, kind, call: 'any', times: null });
              expect(await act(me, 1)).toMatchObject({ outcome: 'done', stop: null, confirmed: 1 });
            }
          },
        ],
        [
          'not at all, but is slow, it is confirmed',
          async () => {
            const me = await network.customer('en');
            await network.object({ username: me.username, kind: 'latency', call: 'any', delayMs: 700, times: null });
            expect(await act(me, 1)).toMatchObject({ outcome: 'done', stop: null, confirmed: 1 });
          },
        ],
      ],
      { place: at, places: 2 },
    ),
  );
});
