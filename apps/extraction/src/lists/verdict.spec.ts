import { maxPasses, type PassFacts, shortReasons, verdictOn } from './verdict.js';

const facts = (changes: Partial<PassFacts>): PassFacts => ({
  state: 'pass_ended',
  pass: 1,
  collected: 42,
  fresh: 42,
  profileTotal: 48,
  ...changes,
});

describe('the verdict on a pass', () => {
  it.each<[string, Partial<PassFacts>, ReturnType<typeof verdictOn>]>([
    ['goes on while there is more', { state: 'more' }, { kind: 'goes_on' }],
    ['reads once more while a pass brings news and people are missing', {}, { kind: 'next_pass' }],
    ['is complete when everybody is there', { collected: 48 }, { kind: 'complete', isPassEnd: true }],
    ['is complete when there are more than the profile shows', { collected: 50 }, { kind: 'complete', isPassEnd: true }],
    ['is complete at once for an empty list', { collected: 0, fresh: 0, profileTotal: 0 }, { kind: 'complete', isPassEnd: true }],
    [
      'ends short, with its reason, when a pass brought nobody new',
      { pass: 2, fresh: 0 },
      { kind: 'ended_short', isPassEnd: true, reason: shortReasons.nothing_new },
    ],
    ['reads on before the last pass', { pass: maxPasses - 1, fresh: 1 }, { kind: 'next_pass' }],
    [
      'ends short at the last pass',
      { pass: maxPasses, fresh: 3 },
      { kind: 'ended_short', isPassEnd: true, reason: shortReasons.nothing_new },
    ],
    ['trusts the passes alone when the total is unknown: news', { profileTotal: null }, { kind: 'next_pass' }],
    ['trusts the passes alone when the total is unknown: none', { profileTotal: null, fresh: 0 }, { kind: 'complete', isPassEnd: true }],
    [
      'ends short at a private profile',
      { state: 'private', collected: 0 },
      { kind: 'ended_short', isPassEnd: false, reason: shortReasons.private },
    ],
    [
      'ends short where the network cuts the list',
      { state: 'limited_by_network' },
      { kind: 'ended_short', isPassEnd: false, reason: shortReasons.limited_by_network },
    ],
    [
      'ends short where the network hides the list',
      { state: 'empty_but_profile_shows_more', collected: 0 },
      { kind: 'ended_short', isPassEnd: false, reason: shortReasons.empty_but_profile_shows_more },
    ],
  ])('%s', (_, changes, expected) => {
    expect(verdictOn(facts(changes))).toEqual(expected);
  });
});
