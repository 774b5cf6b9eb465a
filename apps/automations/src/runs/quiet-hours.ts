import { productTimeZone } from '@decola/contracts';
import { TZDate } from '@date-fns/tz';
import { z } from 'zod';

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Rest at night, by the wall clock of America/Sao_Paulo; `from` may be later than `to` (over midnight). Null: none. */
export const quietHours = z.object({ from: wallTime, to: wallTime }).nullable();
export type QuietHours = z.infer<typeof quietHours>;

export const defaultQuietHours: QuietHours = { from: '23:00', to: '07:00' };

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The end of the quiet hours in which `now` lies; null when it lies in none. */
export function quietUntil(quiet: QuietHours, now: Date): Date | null {
  if (!quiet) return null;
  const local = new TZDate(now.getTime(), productTimeZone);
  const minute = local.getHours() * 60 + local.getMinutes();
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const day = from > to && minute >= from ? local.getDate() + 1 : local.getDate();
  return new Date(new TZDate(local.getFullYear(), local.getMonth(), day, Math.floor(to / 60), to % 60, productTimeZone).getTime());
}
