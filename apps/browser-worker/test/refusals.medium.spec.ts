import { casesOf, longOnly } from '@decola/testing';
import { followPlan, type TestSession } from './support/jobs.js';
import type { NetworkPerson } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';
import { workerSuite } from './support/worker-kit.js';

describe('a follow that the network refuses', () => {
  const { network, kit } = workerSuite();
  let people: NetworkPerson[];
  beforeAll(async () => {
    people = await network.publicPeople(6, 25_000);
  });

  const follow = (me: TestSession, budget = 3) => kit.runPlan(me, followPlan(kit.slotOf(people), { budget }));
  const refusedBy = async (kind: string, over: Record<string, unknown> = {}, language: 'pt' | 'en' = 'pt') => {
    const me = await network.customer(language);
    await network.object({ username: me.username, kind, call: 'follow', times: null, ...over });
    const end = await follow(me);
    return { me, end, tries: (await network.actions(me.username)).length, verdicts: await network.verdicts(me.username) };
  };

  // One classifier reads all of them (signals.spec.ts): an error of the call, and one in its answer.
  const forms = casesOf(
    ['null_root_with_errors', 'null_root_with_fail', 'execution_error', 'graphql_error', 'spam', 'unlisted_400', 'retired_operation_400'],
    (kind) => (kind.endsWith('_400') ? 'status' : 'answer'),
  );
  const refusedTwice = sideBySide(forms, (kind) => refusedBy(kind));
  it.each(forms)('twice in a row as %s stops the action', async (kind) => {
    const { end, tries, verdicts } = await refusedTwice(forms.indexOf(kind));
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'refused', row: null, action: 'follow' }, tried: 2, confirmed: 0 });
    expect(kit.outcomesOf(end.runId)).toEqual(['refused', 'refused']);
    expect(tries).toBe(2);
    expect(verdicts).toEqual([]);
  });

  const redirects = casesOf(
    ['checkpoint_redirect', 'integrity_redirect', 'auth_platform_redirect', 'consent_redirect'],
    () => 'redirect to an address that is listed in signals.ts',
  );
  const redirected = sideBySide(
    redirects.flatMap((kind) => [[kind, 'follow'] as const, [kind, 'page'] as const]),
    async ([kind, call]) => {
      const me = await network.customer();
      await network.object({ username: me.username, kind, call, target: people[0]!.username, times: null });
      return (await follow(me)).stop;
    },
  );
  it.each(redirects)('by a redirect of the call or the page (%s) is a challenge', async (kind) => {
    const index = redirects.indexOf(kind) * 2;
    for (const at of [index, index + 1]) expect(await redirected(at)).toMatchObject({ class: 'challenge', row: 3 });
  });

  testsSideBySide([
    [
      'once, and another that has no proof, count as two in a row',
      async () => {
        const mixed = await network.customer();
        await network.object({ username: mixed.username, kind: 'spam', call: 'follow', target: people[0]!.username });
        await network.object({ username: mixed.username, kind: 'undone_after_reload', call: 'follow', target: people[1]!.username });
        const stopped = await follow(mixed);
        expect(stopped).toMatchObject({ outcome: 'stopped', stop: { class: 'refused', row: null, action: 'follow' } });
        expect(kit.outcomesOf(stopped.runId)).toEqual(['refused', 'not_confirmed']);
      },
    ],
    [
      'once with 1357005 is checked after a reload and never repeated',
      async () => {
        const once = await refusedBy('request_not_processed', { times: 1 });
        expect(once.end).toMatchObject({ outcome: 'done', stop: null });
        expect(kit.outcomesOf(once.end.runId)).toEqual(['not_confirmed', 'confirmed', 'confirmed']);
        expect(new Set((await network.actions(once.me.username)).map(({ targetId }) => targetId)).size).toBe(3);
      },
    ],
    [
      'twice with 1357005 is a rate limit',
      async () => {
        const always = await refusedBy('request_not_processed');
        expect(always.end).toMatchObject({ outcome: 'stopped', stop: { class: 'rate_limited', row: 8, action: 'follow' }, tried: 2 });
        expect(kit.outcomesOf(always.end.runId)).toEqual(['not_confirmed', 'not_confirmed']);
        expect(always.tries).toBe(2);
      },
    ],
    ...casesOf(['pt', 'en'], () => 'any language').map(
      (language) =>
        [
          `because the person approves followers by hand (${language}) skips that person, and is a block of the account twice in a row`,
          async () => {
            const once = await refusedBy('target_reviewed', { times: 1 }, language);
            expect(once.end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2, skipped: 1 });
            expect(kit.outcomesOf(once.end.runId)[0]).toBe('target_reviewed');
            expect(once.verdicts).toEqual([]);
            const twice = await refusedBy('target_reviewed', {}, language);
            expect(twice.end).toMatchObject({ outcome: 'stopped', stop: { class: 'action_blocked', row: 1, action: 'follow' }, tried: 1 });
            expect(kit.outcomesOf(twice.end.runId)).toEqual(['target_reviewed', 'refused']);
          },
        ] as const,
    ),
    // In the gate without a browser: what an answer means (signals.spec.ts), and what ends a streak (failure-streak.spec.ts).
    ...longOnly([
      [
        'twice with a success in between does not stop the action',
        async () => {
          const between = await network.customer('en');
          for (const person of [people[0]!, people[2]!])
            await network.object({ username: between.username, kind: 'unlisted_400', call: 'follow', target: person.username });
          const end = await follow(between, 4);
          expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 4, confirmed: 2 });
          expect(kit.outcomesOf(end.runId)).toEqual(['refused', 'confirmed', 'refused', 'confirmed']);
        },
      ],
      [
        'with 1357005 already when its profile is read is a rate limit the second time in the run',
        async () => {
          const me = await network.customer();
          const objection = { kind: 'request_not_processed', call: 'profile', target: people[0]!.username };
          await network.object({ ...objection, username: me.username, times: 1 });
          expect(await follow(me, 1)).toMatchObject({ outcome: 'done', confirmed: 1 });
          const again = await network.customer();
          await network.object({ ...objection, username: again.username, times: null });
          expect(await follow(again, 1)).toMatchObject({
            outcome: 'stopped',
            stop: { class: 'rate_limited', row: 8, action: null },
            tried: 0,
          });
        },
      ],
      [
        'with 1675004 is a rate limit at once',
        async () =>
          expect((await refusedBy('query_rate_limit')).end).toMatchObject({
            stop: { class: 'rate_limited', row: 8, action: 'follow' },
            tried: 1,
          }),
      ],
      [
        'with 1675002 is a changed site',
        async () =>
          expect((await refusedBy('incorrect_query')).end).toMatchObject({
            stop: { class: 'site_changed', row: 13, action: 'follow' },
            tried: 1,
          }),
      ],
      [
        'because the person approves followers by hand, and nevertheless left as a request, is recorded as requested',
        async () => {
          const { end } = await refusedBy('target_reviewed_pending', { times: 1 });
          expect(kit.outcomesOf(end.runId)[0]).toBe('requested');
        },
      ],
      [
        'only in a part of its answer was not refused',
        async () => {
          const me = await network.customer();
          await network.object({ username: me.username, kind: 'partial_answer', call: 'any', times: null });
          expect(await follow(me, 2)).toMatchObject({ outcome: 'done', stop: null, confirmed: 2 });
        },
      ],
      ...(
        [
          ['feedback_url_with_query', 'instagram_follow_users'],
          ['feedback_with_category', 'instagram_follow_users'],
          ['feedback_url_empty', null],
        ] as const
      ).map(
        ([kind, blocked]) =>
          [
            `as a block names what is blocked, in whichever field (${kind})`,
            async () =>
              expect((await refusedBy(kind)).end).toMatchObject({
                stop: { class: 'action_blocked', row: 1, evidence: { blocked } },
                tried: 1,
              }),
          ] as const,
      ),
      ...(['pt', 'en'] as const).map(
        (language) =>
          [
            `as a block says when the block ends (${language})`,
            async () => {
              const { end } = await refusedBy('feedback_with_date', { blockMs: 10 * 86_400_000 }, language);
              const now = Date.parse((await network.call<{ now: string }>('GET', '/clock')).now);
              const expiresAt = Date.parse(String(end.stop!.evidence['expiresAt']));
              expect(expiresAt).toBeGreaterThan(now + 9 * 86_400_000);
              expect(expiresAt).toBeLessThan(now + 12 * 86_400_000);
            },
          ] as const,
      ),
    ] as const),
  ]);
});
