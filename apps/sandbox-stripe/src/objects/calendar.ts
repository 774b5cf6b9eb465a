export const day = 86_400;
export const hour = 3_600;

export interface Rhythm {
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count: number;
}

/** The moment `count` intervals after the anchor, in seconds, UTC. Months keep the anchor's day (31 Jan, 28 Feb, 31 Mar). */
export function after(anchor: number, { interval, interval_count }: Rhythm, count: number): number {
  if (interval === 'day') return anchor + count * interval_count * day;
  if (interval === 'week') return anchor + count * interval_count * 7 * day;
  const from = new Date(anchor * 1000);
  const months = from.getUTCMonth() + count * interval_count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(months);
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(moved.getTime() / 1000);
}

/** End of the period that starts at `start`, when periods begin at multiples of the interval after the anchor. */
export function periodEnd(anchor: number, rhythm: Rhythm, start: number): number {
  for (let count = 0; count < 12_000; count += 1) {
    const end = after(anchor, rhythm, count);
    if (end > start) return end;
  }
  throw new Error('no period end');
}

/** The share of an amount for the remaining seconds of a period, rounded half up. */
export function prorated(amount: number, rest: number, length: number): number {
  return Math.floor((amount * rest) / length + 0.5);
}
