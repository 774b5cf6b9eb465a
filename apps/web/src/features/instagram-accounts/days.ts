/** A day is written as `YYYY-MM-DD`, by the wall clock of the customer's time zone. */

const dayMs = 86_400_000;

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const full = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The start of a day, as if the customer lived in UTC: for the distance between days, not for an instant. */
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** The day at an instant. */
export const dayAt = (instant: Date, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant);

export const daysBetween = (from: string, to: string) => Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / dayMs);

/** The day `count` days later; earlier when `count` is negative. */
export const dayAfter = (day: string, count: number) => new Date(dateOf(day).getTime() + count * dayMs).toISOString().slice(0, 10);

/** `seg` */
export const weekdayOf = (day: string) => weekday.format(dateOf(day)).replace('.', '');
/** `23 out` */
export const shortDay = (day: string) => short.format(dateOf(day)).replace(' de ', ' ').replace('.', '');
/** `segunda-feira, 23 de outubro` */
export const fullDay = (day: string) => full.format(dateOf(day));
