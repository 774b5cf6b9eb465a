/** How often an automation may run, fastest first. */
export const frequencies = ['15min', '30min', '1hour', '2hours', '4hours', '6hours', '12hours', '24hours'] as const;
export type Frequency = (typeof frequencies)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const intervals: Record<Frequency, { ms: number; label: string }> = {
  '15min': { ms: 15 * minuteMs, label: 'A cada 15 minutos' },
  '30min': { ms: 30 * minuteMs, label: 'A cada 30 minutos' },
  '1hour': { ms: hourMs, label: 'A cada 1 hora (recomendado)' },
  '2hours': { ms: 2 * hourMs, label: 'A cada 2 horas' },
  '4hours': { ms: 4 * hourMs, label: 'A cada 4 horas' },
  '6hours': { ms: 6 * hourMs, label: 'A cada 6 horas' },
  '12hours': { ms: 12 * hourMs, label: 'A cada 12 horas' },
  '24hours': { ms: 24 * hourMs, label: 'A cada 24 horas' },
};

export function frequencyMs(value: Frequency): number {
  return intervals[value].ms;
}

/** Label of a frequency in the wizard. */
export function frequencyLabel(value: Frequency): string {
  return intervals[value].label;
}

/**
 * The first instant after `now` in the series `due`, `due + interval`, ... Missed runs are skipped and not made up for:
 * the result is at most one interval after `now` when `due` is not in the future.
 */
export function nextOccurrence(value: Frequency, due: Date, now: Date): Date {
  const interval = frequencyMs(value);
  const missed = Math.floor((now.getTime() - due.getTime()) / interval);
  return new Date(due.getTime() + Math.max(1, missed + 1) * interval);
}
