import type { ActionOutcome } from '@decola/contracts';
import { FailureStreak } from './failure-streak.js';

describe('failed tries', () => {
  const streak = (...outcomes: ActionOutcome[]) => {
    const failures = new FailureStreak();
    return outcomes.map((outcome) => failures.record(outcome)?.class ?? null);
  };
  it.each([
    ['two refusals, in whatever shape', ['refused', 'refused'], [null, 'refused']],
    ['a refusal and one without proof', ['refused', 'not_confirmed'], [null, 'refused']],
    ['one without proof and a refusal', ['not_confirmed', 'refused'], [null, 'refused']],
    ['two without proof: a silent block', ['not_confirmed', 'not_confirmed'], [null, 'silent_block']],
    ['not with a success in between', ['refused', 'confirmed', 'refused', 'requested', 'not_confirmed'], [null, null, null, null, null]],
  ] as const)('stop the action after %s', (_, outcomes, stops) => expect(streak(...outcomes)).toEqual(stops));

  it('name no row of the table when they are refusals', () => {
    const failures = new FailureStreak();
    failures.record('refused');
    expect(failures.record('refused')).toMatchObject({ row: null, evidence: { failedInRow: 2 } });
  });
});
