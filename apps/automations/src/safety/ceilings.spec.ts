import { ceilingsOf, ceilingTable, defaultCeilings, reachedCeiling, roomFor } from './ceilings.js';

const now = new Date('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const account = (ageDays: number, blockedDaysAgo: number | null = null) => ({
  firstSeenAt: daysAgo(ageDays),
  lastBlockAt: blockedDaysAgo === null ? null : daysAgo(blockedDaysAgo),
});
const idle = { hour: {}, day: {} };

describe('ceilings', () => {
  it('are a valid table', () => expect(ceilingTable.parse(defaultCeilings)).toEqual(defaultCeilings));

  it.each([
    [0, 10],
    [2.9, 10],
    [3, 25],
    [13.9, 25],
    [14, 60],
    [400, 60],
  ])('allow an account of %d days %d follows a day', (age, follows) => {
    expect(ceilingsOf(defaultCeilings, account(age), now).perDay.follow).toBe(follows);
  });

  it.each([
    [13, 30, 5],
    [14, 60, 10],
  ])('are halved within 14 days after a block (%d days ago)', (blocked, perDay, perHour) => {
    const ceilings = ceilingsOf(defaultCeilings, account(60, blocked), now);
    expect([ceilings.perDay.follow, ceilings.perHour.follow]).toEqual([perDay, perHour]);
  });

  it('allow as much as the lower of two ceilings leaves, never less than zero', () => {
    expect(roomFor('follow', defaultCeilings, account(60), idle, now)).toBe(10);
    expect(roomFor('follow', defaultCeilings, account(60), { hour: { follow: 4 }, day: { follow: 57 } }, now)).toBe(3);
    expect(roomFor('follow', defaultCeilings, account(1), { hour: {}, day: { follow: 25 } }, now)).toBe(0);
    expect(reachedCeiling('follow', defaultCeilings, account(1), { hour: {}, day: { follow: 10 } }, now)).toEqual({
      period: 'day',
      most: 10,
    });
    expect(reachedCeiling('follow', defaultCeilings, account(1), idle, now)).toBeNull();
  });
});
