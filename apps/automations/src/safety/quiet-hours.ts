import { productTimeZone } from '@decola/contracts';
import { TZDate } from '@date-fns/tz';
import { z } from 'zod';

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const dayMs = dayMinutes * minuteMs;

export const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** `HH:MM` by the wall clock of the customer's time zone. `from` may be later than `to`: then the hours pass midnight. Null: no quiet hours. */
export const quietHours = z.object({ from: wallTime, to: wallTime }).nullable();
export type QuietHours = z.infer<typeof quietHours>;

export { defaultQuietHours } from '@decola/contracts';

/** Whether the runtime knows this time zone: an IANA name such as `America/Manaus`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** The quiet hours of an account: the customer's own when both ends are set, else the configured ones. */
export function quietHoursOf(own: { from: string | null; to: string | null }, usual: QuietHours): QuietHours {
  return own.from !== null && own.to !== null ? { from: own.from, to: own.to } : usual;
}

/** Length in minutes; 0 when both ends are equal. */
export function restMinutes(quiet: NonNullable<QuietHours>): number {
  return (minutesOf(quiet.to) - minutesOf(quiet.from) + dayMinutes) % dayMinutes;
}

/**
 * End of the quiet hours that contain `now`, always later than `now`; null when `now` is outside of them.
 * @param timeZone IANA name of the customer's time zone
 */
export function quietUntil(quiet: QuietHours, now: Date, timeZone: string = productTimeZone): Date | null {
  if (!quiet) return null;
  const local = new TZDate(now.getTime(), timeZone);
  const minute = local.getHours() * 60 + local.getMinutes();
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const end = wallInstant(local, from > to && minute >= from ? 1 : 0, to, timeZone);
  if (end > now) return end;
  // A clock change repeats this hour, and `wallInstant` found its first pass. The wall clock still shows how many minutes are left.
  return new Date(now.getTime() + (to - minute) * minuteMs);
}

/**
 * Next beginning of the quiet hours, strictly after `now`: a run that is under way ends there. During quiet hours it is the following
 * night's. A clock change may lead into quiet hours before their regular beginning. Null when there are none.
 * @param timeZone IANA name of the customer's time zone
 */
export function quietFromNext(quiet: QuietHours, now: Date, timeZone: string = productTimeZone): Date | null {
  if (!quiet) return null;
  const local = new TZDate(now.getTime(), timeZone);
  const from = minutesOf(quiet.from);
  const regular = [0, 1, 2].map((day) => wallInstant(local, day, from, timeZone));
  const change = clockChange(new Date(now.getTime() - dayMs), regular[2]!, timeZone);
  if (!change) return regular.find((at) => at > now) ?? null;
  // The wall clock repeats the regular beginning, skips it, or jumps from one end of the quiet hours to the other.
  const possible = [...regular, ...regular.map((at) => new Date(at.getTime() + change.setBackMs)), change.at];
  const begins = (at: Date) => quietUntil(quiet, at, timeZone) && !quietUntil(quiet, new Date(at.getTime() - 1), timeZone);
  const next = possible.filter((at) => at > now && begins(at)).map((at) => at.getTime());
  return next.length === 0 ? null : new Date(Math.min(...next));
}

/** The clock change within a period of a few days; null when there is none. */
function clockChange(since: Date, until: Date, timeZone: string): { at: Date; setBackMs: number } | null {
  const offsetAt = (minute: number) => new TZDate(minute * minuteMs, timeZone).getTimezoneOffset();
  let [before, after] = [Math.floor(since.getTime() / minuteMs), Math.ceil(until.getTime() / minuteMs)];
  const [old, changed] = [offsetAt(before), offsetAt(after)];
  if (changed === old) return null;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === old) before = middle;
    else after = middle;
  }
  return { at: new Date(after * minuteMs), setBackMs: (changed - old) * minuteMs };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The instant at which the wall clock shows `minute` of the day, `daysLater` days after `local`. */
function wallInstant(local: TZDate, daysLater: number, minute: number, timeZone: string): Date {
  const date = new TZDate(
    local.getFullYear(),
    local.getMonth(),
    local.getDate() + daysLater,
    Math.floor(minute / 60),
    minute % 60,
    timeZone,
  );
  return new Date(date.getTime());
}
