import { effectOfStop } from './stops.js';

const hours = (effect: ReturnType<typeof effectOfStop>) => ('untilMs' in effect ? effect.untilMs / 3_600_000 : null);

describe('effectOfStop', () => {
  it.each([
    ['action_blocked', 0, 24],
    ['action_blocked', 1, 48],
    ['action_blocked', 2, 96],
    ['action_blocked', 9, 14 * 24],
    ['action_blocked_long', 0, 72],
    ['limited', 0, 6],
    ['rate_limited', 1, 4],
    ['silent_block', 0, 24],
  ] as const)('rests after %s, %i times before, for %i hours', (stop, repeats, expected) =>
    expect(hours(effectOfStop(stop, repeats))).toBe(expected),
  );

  it.each(['challenge', 'suspended'] as const)('waits for a new session after %s', (stop) =>
    expect(effectOfStop(stop, 0)).toEqual({ scope: 'session' }),
  );
  it.each(['worker_stopped', 'lease_lost'] as const)('pauses nothing after %s, which is our own trouble', (stop) =>
    expect(effectOfStop(stop, 0)).toEqual({ scope: 'none' }),
  );
  it('does not resume by itself after a long block', () =>
    expect(effectOfStop('action_blocked_long', 0)).toMatchObject({ resumes: false }));
  it('does not blame the account when the site changed', () => expect(effectOfStop('site_changed', 3)).toMatchObject({ scope: 'kind' }));
});
