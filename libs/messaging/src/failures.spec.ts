import { PermanentError, RetryLaterError } from '@decola/service-kit';
import { outcomeOf, type Past } from './failures.js';
import { longestWaitMs, NewerMessageError } from './newer-messages.js';

const now = new Date('2026-11-23T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const fresh: Past = { attempts: 0, postponements: 0, waitingSince: null };
const after = (error: Error, past: Partial<Past> = {}) => outcomeOf('blog.events', error, { ...fresh, ...past }, now);

describe('outcomeOf', () => {
  const newer = new NewerMessageError('a word of tomorrow');

  it('lets a message of a newer release wait, and counts no attempt', () =>
    expect(after(newer, { attempts: 3 })).toEqual({
      ...{ queue: 'blog.events.retry.1s', outcome: 'waiting', attempts: 3, postponements: 0 },
      waitingSince: now,
    }));

  it.each([
    [9_000, '1s'],
    [10_000, '5s'],
    [59_000, '5s'],
    [300_000, '30s'],
    [600_000, '5m'],
    [longestWaitMs - 1, '5m'],
  ])('looks at it less often the longer it waits: after %i ms in %s', (waitedMs, delay) => {
    const waitingSince = before(waitedMs);
    expect(after(newer, { waitingSince })).toMatchObject({ queue: `blog.events.retry.${delay}`, outcome: 'waiting', waitingSince });
  });

  it('gives it up when no replica could read it for three days', () =>
    expect(after(newer, { waitingSince: before(longestWaitMs) })).toMatchObject({ queue: 'blog.events.dead', outcome: 'dead' }));

  it('tries an ordinary failure of a message that waited before like any other', () =>
    expect(after(new Error('no'), { waitingSince: before(longestWaitMs) })).toMatchObject({
      ...{ queue: 'blog.events.retry.1s', outcome: 'retried', attempts: 1 },
    }));

  it('dead-letters a malformed message at once, and any other at its eighth failure', () => {
    expect(after(new PermanentError('no JSON'))).toMatchObject({ queue: 'blog.events.dead', outcome: 'dead', attempts: 1 });
    expect(after(new Error('no'), { attempts: 6 })).toMatchObject({ outcome: 'retried', attempts: 7 });
    expect(after(new Error('no'), { attempts: 7 })).toMatchObject({ outcome: 'dead', attempts: 8 });
  });

  it('postpones without counting an attempt', () =>
    expect(after(new RetryLaterError(500), { attempts: 2 })).toMatchObject({ outcome: 'retried', attempts: 2, postponements: 1 }));
});
