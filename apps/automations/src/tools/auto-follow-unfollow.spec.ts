import type { ActionOutcome } from '@decola/contracts';
import type { LedgerEntry } from './action-rules.js';
import { follow, unfollow } from './auto-follow-unfollow.js';
import { actionRules } from './registry.js';
import type { PlanInput } from './run-module.js';

const at = new Date('2026-11-22T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  state: 'reserved',
  action: 'follow',
  reservedAt: minutesAgo(30),
  triedAt: null,
  firstNegativeAt: null,
  looks: 0,
  ...more,
});
const input = (configuration: Record<string, unknown>, more: Partial<PlanInput> = {}): PlanInput => ({
  configuration,
  now: at,
  room: 10,
  pageRoom: 80,
  runNumber: 0,
  remainingBudget: null,
  sourceOffset: 0,
  candidates: [],
  actionsSoFar: 0,
  ...more,
});

describe('follow', () => {
  const hashtags = { action: 'follow', method: 'hashtag', targets: '#cafe, #bolo', rowsPerLaunch: 4 };

  it('takes one of its targets per run, and the customer’s number of people', () => {
    expect(follow.plan(input(hashtags))).toEqual({
      kind: 'follow',
      source: { kind: 'hashtag', hashtag: 'cafe' },
      budget: 4,
      requestPrivate: false,
    });
    expect(follow.plan(input(hashtags, { runNumber: 7 }))).toMatchObject({ source: { hashtag: 'bolo' } });
  });

  it('follows nobody from a list whose pages the account may not read now', () =>
    expect(follow.plan(input({ ...hashtags, method: 'list', targets: '@padaria' }, { pageRoom: 0 }))).toMatchObject({
      source: { kind: 'list', username: 'padaria' },
      maxPages: 0,
      budget: 0,
    }));

  it.each([
    ['the feed, which is no source of people', { ...hashtags, method: 'feed' }],
    ['a method without targets', { ...hashtags, targets: '' }],
  ])('has no plan for %s', (_, configuration) => expect(follow.plan(input(configuration))).toBeNull());

  it('reads lists only where its people come from a list', () =>
    expect([hashtags, { ...hashtags, method: 'list', targets: '@padaria' }].map((each) => follow.readsLists(each))).toEqual([false, true]));
});

describe('unfollow', () => {
  it('plans the people whom the ledger proposes, as many as the ceilings allow', () => {
    const candidates = [{ targetId: '9', username: 'ana' }];
    expect(unfollow.plan(input({ action: 'unfollow', rowsPerLaunch: 5 }, { candidates, room: 2 }))).toEqual({
      kind: 'unfollow',
      targets: candidates,
      budget: 2,
    });
  });

  it('takes people from a list instead, when its customer limits it to one', () => {
    const extractedDataId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
    const limited = { action: 'unfollow', method: 'slot', dataSource: 'extracted', extractedSlotId: extractedDataId, rowsPerLaunch: 3 };
    const candidates = [{ targetId: '9', username: 'ana' }];
    const plan = unfollow.plan(input(limited, { candidates, sourceOffset: 50 }))!;
    expect(plan).toEqual({ kind: 'unfollow', targets: [], source: { kind: 'slot', extractedDataId }, sourceOffset: 50, budget: 3 });
    expect(unfollow.plan(input({ ...limited, extractedSlotId: null }, { candidates }))).toBeNull();
    expect(unfollow.isStillPlanned(plan, limited)).toBe(true);
    expect(unfollow.isStillPlanned(plan, { ...limited, extractedSlotId: '5b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69' })).toBe(false);
    expect(unfollow.isStillPlanned(plan, { action: 'unfollow' })).toBe(false);
    // A list that was chosen for following says nothing about unfollowing.
    expect(unfollow.plan(input({ ...limited, method: '' }, { candidates }))).toMatchObject({ targets: candidates });
  });
});

describe('a follow that the customer made by hand', () => {
  it.each([
    ['a follow whose click was never announced', entry(), 'confirmed', true],
    ['a follow whose click was announced', entry({ triedAt: minutesAgo(29) }), 'confirmed', false],
    ['an accepted request', entry({ state: 'requested' }), 'confirmed', false],
    ['a request that was seen gone before', entry({ state: 'requested', firstNegativeAt: minutesAgo(60) }), 'confirmed', true],
    ['a try without proof that was late', entry({ state: 'not_confirmed' }), 'confirmed', false],
    ['a look that could not tell', entry(), 'unknown', false],
    ['an unfollow', entry({ action: 'unfollow' }), 'confirmed', false],
    ['a comment', entry({ action: 'comment' }), 'confirmed', false],
  ] as [string, LedgerEntry, ActionOutcome, boolean][])('judges %s', (_, looked, seen, expected) =>
    expect(actionRules[looked.action].isOwnChoice?.(looked, seen) ?? false).toBe(expected),
  );
});
