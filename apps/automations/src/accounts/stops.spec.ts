import { stopClasses } from '@decola/contracts';
import { effectOfStop, type PauseCause, pauseReason } from './stops.js';

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
  it.each(['worker_stopped', 'lease_lost'] as const)('rests nothing after %s, which is ours', (stop) =>
    expect(effectOfStop(stop, 0)).toEqual({ scope: 'none' }),
  );
  it('leaves it to the customer to go on after a long block', () =>
    expect(effectOfStop('action_blocked_long', 0)).toMatchObject({ resumes: false }));
  it('blames nobody when the site changed', () => expect(effectOfStop('site_changed', 3)).toMatchObject({ scope: 'kind' }));
});

describe('pauseReason', () => {
  const since = new Date('2026-11-21T12:00:00Z');
  const until = new Date('2026-11-22T12:00:00Z');
  const causes: PauseCause[] = [
    ...stopClasses,
    'plan',
    'target_gone',
    'target_private',
    'source_gone',
    'source_used_up',
    'limit_of_network',
  ];
  it.each(causes)('tells %s in plain Portuguese: cause, since when and what happens next', (cause) => {
    const reason = pauseReason(cause, since, until);
    expect(reason).toContain('21/11 às 09:00');
    expect(reason).not.toMatch(/undefined|null|_/);
    expect(reason.split('. ').length).toBeGreaterThan(1);
  });

  it('says when it goes on', () => expect(pauseReason('action_blocked', since, until)).toContain('Voltamos sozinhos em 22/11 às 09:00'));
});
