import { asksBySelf, isOfCalls, keepsCallsOut, nextAskOf, type PickupFacts, solvedByAsking, waitsUntil } from './pick-up.js';
import { siteProblems } from './judge-reply.js';

const now = new Date('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const facts = (change: Partial<PickupFacts>): PickupFacts => ({
  ...{ has_pickup: null, pickup_asked_at: null, checked_at: null, pickup_code: null },
  ...change,
});

describe('a plugin is expected to ask', () => {
  it.each([
    ['it asked within a day', { pickup_asked_at: hoursAgo(23) }, true],
    ['it asked longer ago', { pickup_asked_at: hoursAgo(25), checked_at: hoursAgo(1), has_pickup: true }, false],
    ['it said so to a call within a day', { has_pickup: true, checked_at: hoursAgo(2) }, true],
    ['it never said so', { checked_at: hoursAgo(2) }, false],
    ['its owner switched that off', { has_pickup: false, pickup_asked_at: hoursAgo(1), checked_at: hoursAgo(1) }, false],
  ] as const)('when %s: %j is %s', (_, change, expected) => expect(asksBySelf(facts(change), now)).toBe(expected));

  it('15 minutes after it asked, and is waited for a day', () => {
    const site = facts({ pickup_asked_at: hoursAgo(1) });
    expect(nextAskOf(site, now, 900)).toEqual(new Date('2026-11-20T11:15:00Z'));
    expect(waitsUntil(site, now)).toEqual(new Date('2026-11-21T11:00:00Z'));
    expect(nextAskOf(facts({}), now, 900)).toEqual(new Date('2026-11-20T12:15:00Z'));
  });
});

it('divides the problems of sites into those of our calls and those that the plugin itself has', () => {
  expect(siteProblems.filter(keepsCallsOut)).toEqual(['address', 'tls', 'login', 'rest_blocked', 'cloudflare', 'waf', 'redirect']);
  expect(siteProblems.filter((code) => isOfCalls(code) && !keepsCallsOut(code))).toEqual([
    ...['dns', 'timeout', 'connection', 'too_many', 'site_down'],
  ]);
  expect(siteProblems.filter((code) => !solvedByAsking.includes(code))).toEqual([
    ...['refused', 'gone', 'edited_by_owner', 'trashed', 'unknown_article', 'busy', 'picture'],
  ]);
});
