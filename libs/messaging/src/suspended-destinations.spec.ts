import { SuspendedDestinations } from './suspended-destinations.js';

describe('SuspendedDestinations', () => {
  it('doubles the delay with each failure, up to 5 s', () => {
    const suspended = new SuspendedDestinations();
    expect([1, 2, 3, 4, 5].map(() => suspended.fail('pack', 0))).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('offers a destination when its delay is over, and not while a message is under way', () => {
    const suspended = new SuspendedDestinations();
    suspended.fail('pack', 0);
    expect(suspended.due(999)).toEqual([]);
    expect(suspended.due(1_000)).toEqual(['pack']);
    suspended.hold('pack');
    expect(suspended.due(60_000)).toEqual([]);
    suspended.fail('pack', 60_000);
    expect(suspended.due(61_999)).toEqual([]);
    expect(suspended.due(62_000)).toEqual(['pack']);
  });

  it('forgets failures when a destination accepts messages again', () => {
    const suspended = new SuspendedDestinations();
    suspended.hold('pack');
    suspended.fail('pack', 0);
    suspended.fail('pack', 0);
    expect(suspended.names).toEqual(['pack']);
    expect([suspended.resume('pack'), suspended.resume('pack')]).toEqual([true, false]);
    expect(suspended.names).toEqual([]);
    expect(suspended.fail('pack', 0)).toBe(1_000);
  });
});
