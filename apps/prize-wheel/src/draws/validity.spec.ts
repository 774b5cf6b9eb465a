import { validUntil } from './validity.js';

describe('the validity of a prize', () => {
  it('ends with its last day in Brasília', () => {
    // 23:30 of the day before in Brasília.
    expect(validUntil(new Date('2026-11-22T02:30:00Z'), 30)?.toISOString()).toBe('2026-12-22T02:59:59.999Z');
    expect(validUntil(new Date('2026-11-22T12:00:00Z'), 1)?.toISOString()).toBe('2026-11-24T02:59:59.999Z');
  });

  it('has no end when the wheel names none', () => {
    expect(validUntil(new Date(), null)).toBeNull();
  });
});
