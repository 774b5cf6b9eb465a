import { agoTexts, relativeDays, soonTexts } from './app-texts';

const usualZone = 'America/Sao_Paulo';
const dayMs = 24 * 60 * 60_000;

interface ZoneFormats {
  time: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
}
const formats = new Map<string, ZoneFormats>();

function formatsOf(timeZone: string): ZoneFormats {
  let known = formats.get(timeZone);
  if (!known) {
    known = {
      time: new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone }),
      date: new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone }),
    };
    formats.set(timeZone, known);
  }
  return known;
}

/**
 * A timestamp, relative to today where possible: `hoje, 15:00`, `amanhã, 09:00`, `ontem, 21:10`, else `05/12/2026, 15:00`.
 * @param timeZone IANA name; Brasília time by default
 */
export function formatRelativeTime(value: string, now: Date = new Date(), timeZone: string = usualZone): string {
  const { date, time } = formatsOf(timeZone);
  const at = new Date(value);
  const day = date.format(at);
  const word = relativeDays.find((_, index) => date.format(new Date(now.getTime() + (index - 1) * dayMs)) === day);
  return `${word ?? day}, ${time.format(at)}`;
}

const minuteMs = 60_000;
/** Times that are less than this away are shown in minutes. */
const nearMs = 60 * minuteMs;

/** When something is due: `em 17 min` within the next hour, `em instantes` in the last minute and afterwards, else as `formatRelativeTime`. */
export function formatDue(value: string, now: Date = new Date()): string {
  const left = new Date(value).getTime() - now.getTime();
  if (left >= nearMs) return formatRelativeTime(value, now);
  return left < minuteMs ? soonTexts.now : soonTexts.minutes(Math.floor(left / minuteMs));
}

/** When something was: `há 17 min` within the last hour, `há instantes` in the last minute, else as `formatRelativeTime`. */
export function formatAgo(value: string, now: Date = new Date(), timeZone: string = usualZone): string {
  const passed = now.getTime() - new Date(value).getTime();
  if (passed >= nearMs) return formatRelativeTime(value, now, timeZone);
  return passed < minuteMs ? agoTexts.now : agoTexts.minutes(Math.floor(passed / minuteMs));
}
