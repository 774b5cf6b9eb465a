import type { LedgerEntry } from '../tools/action-rules.js';
import { nextLookAfterReport, settle } from './looks.js';

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

describe('settle', () => {
  it('confirms what the page shows', () => {
    expect(settle(entry({ triedAt: minutesAgo(29) }), 'confirmed', at)).toEqual({ kind: 'settle', state: 'confirmed', nextLookAt: null });
    // Also for a try without proof: the network may have shown the result late.
    expect(settle(entry({ state: 'not_confirmed' }), 'confirmed', at)).toMatchObject({ state: 'confirmed' });
  });

  it('looks a second time, minutes later, before it believes that nothing happened', () => {
    expect(settle(entry(), 'not_confirmed', at)).toEqual({
      kind: 'look_again',
      firstNegativeAt: at,
      nextLookAt: new Date(at.getTime() + 5 * 60_000),
    });
    // A second look that comes too soon does not count.
    expect(settle(entry({ firstNegativeAt: minutesAgo(4), looks: 1 }), 'not_confirmed', at)).toMatchObject({
      kind: 'look_again',
      firstNegativeAt: minutesAgo(4),
    });
  });

  it('deletes only what was never tried', () => {
    const seenTwice = { firstNegativeAt: minutesAgo(5), looks: 1 };
    expect(settle(entry(seenTwice), 'not_confirmed', at)).toEqual({ kind: 'delete' });
    expect(settle(entry({ ...seenTwice, triedAt: minutesAgo(29) }), 'not_confirmed', at)).toEqual({
      kind: 'settle',
      state: 'not_confirmed',
      nextLookAt: null,
    });
  });

  it('keeps an entry when the page does not show the outcome, looks again after growing pauses, and gives up in the end', () => {
    let current = entry();
    const waits: number[] = [];
    for (;;) {
      const settlement = settle(current, 'unknown', at);
      if (settlement.kind !== 'look_again') {
        expect(settlement).toEqual({ kind: 'settle', state: 'not_confirmed', nextLookAt: null });
        break;
      }
      waits.push(settlement.nextLookAt.getTime() - at.getTime());
      current = { ...current, looks: current.looks + 1 };
    }
    expect(waits.length).toBeGreaterThan(3);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBe(600_000);
  });

  it('waits for the answer to a request, for some weeks', () => {
    expect(nextLookAfterReport('follow', 'requested', at)).toEqual(new Date(at.getTime() + 2 * 86_400_000));
    const request = entry({ state: 'requested', reservedAt: minutesAgo(2 * 24 * 60) });
    expect(settle(request, 'requested', at)).toMatchObject({ state: 'requested', nextLookAt: new Date(at.getTime() + 5 * 86_400_000) });
    expect(settle({ ...request, looks: 2 }, 'requested', at)).toMatchObject({ state: 'requested', nextLookAt: null });
    // Accepted: from now on it counts as a follow.
    expect(settle(request, 'confirmed', at)).toMatchObject({ state: 'confirmed' });
    // Declined, or the page does not show it: it stays a request, and no further request is sent.
    expect(settle(request, 'not_confirmed', at)).toMatchObject({ kind: 'settle', state: 'requested' });
    expect(settle(request, 'unknown', at)).toMatchObject({ kind: 'settle', state: 'requested' });
  });

  it.each(['confirmed', 'refused', 'skipped'] as const)('looks at nothing again that its run reported as %s', (outcome) =>
    expect(nextLookAfterReport('follow', outcome, at)).toBeNull(),
  );

  it('settles what no page shows at the first look, and looks at no such try without proof', () => {
    const seenStory = entry({ action: 'view-story', triedAt: minutesAgo(29) });
    expect(settle(seenStory, 'unknown', at)).toEqual({ kind: 'settle', state: 'not_confirmed', nextLookAt: null });
    expect(nextLookAfterReport('view-story', 'not_confirmed', at)).toBeNull();
    expect(nextLookAfterReport('comment', 'not_confirmed', at)).toEqual(new Date(at.getTime() + 3_600_000));
  });
});
