import type { RunAction } from '@decola/contracts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { casesOf, shareOf } from '@decola/testing';
import { type ActingKind, callOf, workOf } from './support/acting-work.js';
import { sideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

type Language = 'pt' | 'en';

/*
 * The same for follows, likes and comments: objections, refusals and post-objections. One classifier reads all objections (signals.spec.ts), and in
 * the gate a follow meets each of their classes. In the small form of these tests the actions meet one half of them.
 */
const half = { place: 1, places: 2 };

describe('when the network objects to a story that is watched, to a message, or to a public answer', () => {
  const { network, kit } = workerSuite();

  const kindOf = (action: RunAction): ActingKind => (action === 'view-story' ? action : 'send-dm');

  /** A run with four targets in which the network objects. */
  const objectedRun = async (action: RunAction, language: Language, script: (targets: readonly string[]) => Record<string, unknown>) => {
    const me = await network.customer(language, { following: 0 });
    const work = await workOf[kindOf(action)](network, kit.automations, me, 4);
    await network.object({ username: me.username, times: null, ...script(work.targets.map(({ username }) => username)) });
    const end = await kit.runPlan(me, work.plan(work.targets, 4));
    const tries = (await network.actions(me.username)).filter((entry) => entry.action === callOf[action]);
    const outcomes = kit.actionsOf(end.runId).filter((one) => one.action === action);
    return { me, work, end, tries, outcomes, verdicts: await network.verdicts(me.username) };
  };

  const refusing =
    (action: RunAction, kind: string, more: Record<string, unknown> = {}) =>
    () => ({ kind, call: callOf[action], ...more });

  /** What the account did after the objection, without the page's own background calls and one visit to the start page. */
  const visitsAfterObjection = async (username: string) => {
    const entries = await network.ledger({ account: username });
    const objected = entries.findIndex(({ objection }) => objection !== null);
    return entries
      .slice(objected + 1)
      .filter(({ action, target }) => action === 'page_view' && target !== '/' && !/^\/(challenge|accounts)/.test(target ?? ''));
  };

  const objections = shareOf(
    casesOf(
      [
        // Nobody can read what the network answers to a message: the page's dialogs and addresses say it.
        ['message', 'feedback_required', 'action_blocked', 1, 'pt'],
        ['message', 'feedback_required', 'action_blocked', 1, 'en'],
        ['message', 'action_blocked', 'action_blocked_long', 2, 'pt'],
        ['message', 'checkpoint_required', 'challenge', 3, 'pt'],
        ['message', 'auth_platform_redirect', 'challenge', 3, 'en'],
        ['message', 'suspended', 'suspended', 4, 'pt'],
        ['message', 'login_required', 'session_ended', null, 'pt'],
        ['message', 'please_wait', 'limited', 7, 'en'],
        ['view-story', 'feedback_required', 'action_blocked', 1, 'en'],
        ['view-story', 'action_blocked', 'action_blocked_long', 2, 'pt'],
        ['view-story', 'checkpoint_required', 'challenge', 3, 'pt'],
        ['view-story', 'suspended', 'suspended', 4, 'pt'],
        ['view-story', 'login_required', 'session_ended', null, 'pt'],
        ['view-story', 'please_wait', 'limited', 7, 'en'],
        ['view-story', 'rate_limit', 'rate_limited', 8, 'pt'],
        ['view-story', 'http_560', 'site_trouble', 9, 'pt'],
        ['view-story', 'incorrect_query', 'site_changed', 13, 'pt'],
        ['reply', 'feedback_required', 'action_blocked', 1, 'pt'],
        ['reply', 'login_required', 'session_ended', null, 'pt'],
        ['reply', 'rate_limit', 'rate_limited', 8, 'pt'],
      ],
      ([action, , stopClass]) => (action === 'reply' ? action : stopClass),
    ),
    half,
  );
  const objected = sideBySide(objections, async ([action, kind, stopClass, row, language]) => {
    const { me, end, tries, outcomes, verdicts } = await objectedRun(action, language, refusing(action, kind, { afterCalls: 1 }));
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, row: row ?? expect.any(Number), action } });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', expect.stringMatching(/^(refused|not_confirmed)$/)]);
    expect(tries.map(({ result }) => result)).toEqual(['done', 'objected']);
    expect(await visitsAfterObjection(me.username)).toEqual([]);
    expect(kit.automations.openOf(end.runId)).toEqual([]);
    expect(verdicts).toEqual([]);
  });
  it.each(objections.map((one, index) => [...one, index] as const))(
    '(%s) with %s, it is %s (row %s), in %s, and nothing is tried after it',
    (_action, _kind, _stopClass, _row, _language, index) => objected(index),
  );

  const refusals = shareOf(
    casesOf(
      [
        ['view-story', 'null_root_with_errors', 'refused', 'refused'],
        ['view-story', 'spam', 'refused', 'refused'],
        ['view-story', 'spinner_for_ever', 'silent_block', 'not_confirmed'],
        ['message', 'message_failed', 'refused', 'refused'],
        ['message', 'message_lost', 'silent_block', 'not_confirmed'],
        ['message', 'undone_after_reload', 'silent_block', 'not_confirmed'],
        ['reply', 'unlisted_400', 'refused', 'refused'],
        ['reply', 'undone_after_reload', 'silent_block', 'not_confirmed'],
      ],
      ([action, , stopClass]) => `${action} ${stopClass}`,
    ),
    half,
  );
  const refusedTwice = sideBySide(refusals, async ([action, kind, stopClass, outcome]) => {
    const { work, end, tries, outcomes, verdicts } = await objectedRun(action, 'pt', refusing(action, kind));
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, action } });
    expect(outcomes.map((one) => one.outcome)).toEqual([outcome, outcome]);
    expect(tries).toHaveLength(2);
    if (outcome === 'not_confirmed') {
      for (const { proof } of outcomes) expect(existsSync(path.join(kit.screenshotsDir, String(proof['picture'])))).toBe(true);
    }
    if (action === 'message') {
      // Who got no message gets no public answer that announces one.
      expect((await network.comments(work.targets[0]!.post!.code)).filter(({ parent }) => parent !== null)).toEqual([]);
    }
    expect(kit.automations.openOf(end.runId)).toEqual([]);
    expect(verdicts).toEqual([]);
  });
  it.each(refusals.map((one, index) => [...one, index] as const))(
    '(%s) twice in a row as %s, the action stops as %s',
    (_action, _kind, _stopClass, _outcome, index) => refusedTwice(index),
  );

  const reading = shareOf(
    casesOf(
      [
        ['view-story', 'checkpoint_required', 'stories', 'challenge', 3],
        ['view-story', 'login_required', 'stories', 'session_ended', null],
        ['view-story', 'http_560', 'stories', 'site_trouble', 9],
        ['view-story', 'html_instead_of_json', 'stories', 'site_changed', 10],
        ['view-story', 'suspended', 'page', 'suspended', 4],
        ['view-story', 'captcha', 'page', 'challenge', 17],
        ['view-story', 'spinner_for_ever', 'page', 'site_changed', 16],
        ['message', 'please_wait', 'profile', 'limited', 7],
        ['message', 'checkpoint_required', 'thread', 'challenge', 3],
        ['message', 'automation_warning', 'page', 'challenge', 17],
        ['message', 'login_redirect', 'page', 'session_ended', 6],
      ],
      ([, , , stopClass]) => stopClass,
    ),
    half,
  );
  const stoppedReading = sideBySide(reading, async ([action, kind, call, stopClass, row]) => {
    const { me, end, outcomes } = await objectedRun(action, 'pt', ([first]) => {
      const page = action === 'view-story' ? `/stories/${first}/` : first;
      return { kind, call, target: call === 'page' ? page : first };
    });
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: stopClass, row: row ?? expect.any(Number) }, tried: 0 });
    // Nothing happened to the person, and the reservation is released.
    expect(outcomes.map(({ skipReason }) => skipReason)).toEqual(['limit_of_network']);
    expect(await network.actions(me.username)).toEqual([]);
  });
  it.each(reading.map((one, index) => [...one, index] as const))(
    '(%s) and already to reading, with %s at a %s, it is %s (row %s)',
    (_action, _kind, _call, _stopClass, _row, index) => stoppedReading(index),
  );
});
