import { stopClasses } from '@decola/contracts';
import type { PauseCause } from '../safety/stops.js';
import { pauseReason } from './texts.js';

describe('pauseReason', () => {
  const since = new Date('2026-11-21T12:00:00Z');
  const until = new Date('2026-11-22T12:00:00Z');
  const causes: PauseCause[] = [
    ...stopClasses,
    'plan',
    'target_gone',
    'target_private',
    'source_gone',
    'post_gone',
    'post_refused',
    'post_of_another',
    'source_used_up',
    'limit_of_network',
  ];
  it.each(causes)('explains %s in plain Portuguese: cause, since when and what happens next', (cause) => {
    const reason = pauseReason(cause, since, until);
    expect(reason).toContain('21/11 às 09:00');
    expect(reason).not.toMatch(/undefined|null|_/);
    expect(reason.split('. ').length).toBeGreaterThan(1);
  });

  it.each(causes)('writes whole sentences about %s, with and without an end', (cause) => {
    for (const end of [until, null]) {
      for (const isForEverybody of [true, false]) {
        const reason = pauseReason(cause, since, end, { isForEverybody });
        // A part that is left out or put in takes its comma and its full stop with it: "conta., com" was told once.
        expect(reason).not.toMatch(/[.,;:][.,;:]|\s[.,;:]|\s{2}|^\s|\s$/);
        expect(reason).toMatch(/^\p{Lu}.*\.$/u);
        expect(reason).not.toMatch(/\. \p{Ll}/u);
      }
    }
  });

  it('says when the pause ends', () =>
    expect(pauseReason('action_blocked', since, until)).toContain('Voltamos sozinhos em 22/11 às 09:00'));
});
