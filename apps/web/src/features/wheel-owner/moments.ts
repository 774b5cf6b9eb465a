import { formatRelativeTime } from '../../lib/relative-time';

const zone = 'America/Sao_Paulo';
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: zone });
const longDay = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', timeZone: zone });
const fullDay = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: zone });

/** `22/12` */
export const dayAndMonthOf = (at: string): string => dayAndMonth.format(new Date(at));

/** `22 de dezembro` */
export const longDayOf = (at: string): string => longDay.format(new Date(at));

/** `22/12/2026` */
export const fullDayOf = (at: string): string => fullDay.format(new Date(at));

/** Noon in UTC of a calendar day, which is the same day in São Paulo. @param day `2026-11-22` */
export const noonOf = (day: string): string => `${day}T12:00:00Z`;

/** `hoje, 14:32`, `12/10, 18:20`; with the year when it is another one. */
export function momentOf(at: string, now: Date): string {
  const year = String(now.getFullYear());
  return formatRelativeTime(at, now).replace(`/${year},`, ',');
}
