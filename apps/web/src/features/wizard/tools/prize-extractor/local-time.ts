/** Times of a wheel are written and shown in São Paulo, which has had no daylight saving time since 2019. */
const zone = 'America/Sao_Paulo';
const offset = '-03:00';
const local = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});
const day = new Intl.DateTimeFormat('pt-BR', { timeZone: zone, day: 'numeric', month: 'long' });
const dayAndTime = new Intl.DateTimeFormat('pt-BR', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });

/** An instant as an input of type `datetime-local` holds it: `2026-11-13T09:00`; empty for none. */
export function localTime(instant: unknown): string {
  const date = typeof instant === 'string' && instant !== '' ? new Date(instant) : null;
  return date === null || Number.isNaN(date.getTime()) ? '' : local.format(date).replace(' ', 'T');
}

/** The instant of a local time; null for an empty or unfinished input. */
export function instantOf(typed: string): string | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(typed) ? `${typed.slice(0, 16)}:00${offset}` : null;
}

/** `22 de dezembro` */
export const dayOf = (instant: string) => day.format(new Date(instant));
/** `13/11/2026, 09:00` */
export const dayAndTimeOf = (instant: string) => dayAndTime.format(new Date(instant));

/** An event that begins with the next full hour and lasts for ten. */
export function nextEvent(now: Date): { from: string; until: string } {
  const hourMs = 60 * 60 * 1_000;
  const from = Math.ceil(now.getTime() / hourMs) * hourMs;
  const written = (ms: number) => instantOf(localTime(new Date(ms).toISOString())) ?? '';
  return { from: written(from), until: written(from + 10 * hourMs) };
}
