import { relativeDays } from '../../lib/app-texts';

const zone = 'America/Sao_Paulo';
const dayMs = 24 * 60 * 60_000;
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
const timeFormat = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: zone });
const namedFormat = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', timeZone: zone });
const namedWithYearFormat = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', year: 'numeric', timeZone: zone });
const shortFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: zone });

const days = new Map<string, string>();

/**
 * The day of an instant by the clock of Brasília, `2026-11-22`. Remembered by the hour: a diary of 100,000 lines asks for the same hours again and again,
 * and formatting each of them takes a fifth of a second.
 * @param at as the API writes it, in UTC
 */
export function dayOf(at: string): string {
  const hour = at.slice(0, 13);
  let day = days.get(hour);
  if (day === undefined) {
    const moment = new Date(at);
    day = Number.isNaN(moment.getTime()) ? '' : dayFormat.format(moment);
    days.set(hour, day);
  }
  return day;
}

/** `14:20` */
export const timeOf = (at: string) => timeFormat.format(new Date(at));

/** `22/11/2026` */
export const dateOf = (at: string) => shortFormat.format(new Date(at));

/** `Hoje, 22 de novembro`, `Ontem`, `20 de novembro`; with the year when it is another one. */
export function dayName(at: string, now: Date): string {
  const day = dayOf(at);
  const today = dayFormat.format(now);
  const [yesterday, thisDay] = relativeDays;
  const named = namedFormat.format(new Date(at));
  if (day === today) return `${capitalized(thisDay)}, ${named}`;
  if (day === dayFormat.format(new Date(now.getTime() - dayMs))) return capitalized(yesterday);
  return day.slice(0, 4) === today.slice(0, 4) ? named : namedWithYearFormat.format(new Date(at));
}

const capitalized = (word: string | undefined = '') => word.charAt(0).toUpperCase() + word.slice(1);

/** The days until one, oldest first, each with noon in UTC, which is the same day in Brasília. @param last `2026-11-22` */
export function daysUntil(last: string, count: number): { day: string; at: string }[] {
  const noon = Date.parse(`${last}T12:00:00Z`);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(noon - (count - 1 - index) * dayMs).toISOString();
    return { day: at.slice(0, 10), at };
  });
}
