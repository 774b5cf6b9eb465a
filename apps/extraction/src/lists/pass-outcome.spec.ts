import { maxPasses, maxPassesOf, type PassFacts, passOutcome } from './pass-outcome.js';

const facts = (changes: Partial<PassFacts>): PassFacts => ({
  state: 'pass_ended',
  pass: 1,
  collected: 42,
  fresh: 42,
  profileTotal: 48,
  ...changes,
});

describe('the outcome of a pass', () => {
  it.each<[string, Partial<PassFacts>, ReturnType<typeof passOutcome>]>([
    ['is that the same pass goes on while the list has more', { state: 'more' }, { kind: 'goes_on' }],
    ['is another pass while this one brought new people and some are missing', {}, { kind: 'next_pass' }],
    ['is complete when everybody is there', { collected: 48 }, { kind: 'complete', isPassEnd: true }],
    ['is complete when the list has more people than the profile shows', { collected: 50 }, { kind: 'complete', isPassEnd: true }],
    ['is complete at once for an empty list', { collected: 0, fresh: 0, profileTotal: 0 }, { kind: 'complete', isPassEnd: true }],
    [
      'ends short, with the reason, when a pass brought nobody new',
      { pass: 2, fresh: 0 },
      { kind: 'ended_short', isPassEnd: true, reason: 'nothing_new' },
    ],
    ['is another pass before the last allowed one', { pass: maxPasses - 1, fresh: 1 }, { kind: 'next_pass' }],
    [
      'ends short after the last allowed pass',
      { pass: maxPasses, fresh: 3 },
      { kind: 'ended_short', isPassEnd: true, reason: 'nothing_new' },
    ],
    ['depends on new people alone when the total is unknown: another pass after some', { profileTotal: null }, { kind: 'next_pass' }],
    [
      'depends on new people alone when the total is unknown: complete after none',
      { profileTotal: null, fresh: 0 },
      { kind: 'complete', isPassEnd: true },
    ],
    ['ends short at a private profile', { state: 'private', collected: 0 }, { kind: 'ended_short', isPassEnd: false, reason: 'private' }],
    [
      'ends short when the network does not show the list to this account',
      { state: 'refused', collected: 3 },
      { kind: 'ended_short', isPassEnd: false, reason: 'refused' },
    ],
    [
      'ends short when the network cuts the list',
      { state: 'limited_by_network' },
      { kind: 'ended_short', isPassEnd: false, reason: 'limited_by_network' },
    ],
    [
      'ends short when the network hides the list',
      { state: 'empty_but_profile_shows_more', collected: 0 },
      { kind: 'ended_short', isPassEnd: false, reason: 'empty_but_profile_shows_more' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(passOutcome(facts(changes))).toEqual(expected);
  });
});

it('likes are read once, and comments a few times, however many people they show', () => {
  const outcome = (...[dataType, pass]: [Parameters<typeof maxPassesOf>[0], number]) =>
    passOutcome(facts({ pass, fresh: 5, profileTotal: null }), maxPassesOf(dataType)).kind;
  expect([outcome('likes', 1), outcome('comments', 1), outcome('comments', 3), outcome('followers', 3)]).toEqual([
    'complete',
    'next_pass',
    'complete',
    'next_pass',
  ]);
});
