import { TZDate } from '@date-fns/tz';

/** Time zone of every time of day that customers type. */
export const productTimeZone = 'America/Sao_Paulo';

/** `HH:MM`, optionally with seconds: some clients send back what the database returned. */
const timePattern = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

export const isTimeOfDay = (value: unknown): value is string => typeof value === 'string' && timePattern.test(value);

export const blogScheduleTypes = ['daily', 'weekly', 'monthly'] as const;

export interface BlogSchedule {
  type: (typeof blogScheduleTypes)[number];
  /** `HH:MM` in Brasília. */
  time: string;
  /** 0 (Sunday) to 6; weekly only. */
  days: readonly number[] | null;
  /** 1 to 31; monthly only. A shorter month runs on its last day. */
  dayOfMonth: number | null;
}

/** First occurrence of a schedule strictly after `after`; null when a weekly schedule has no day. */
export function nextScheduleOccurrence(schedule: BlogSchedule, after: Date): Date | null {
  const [hours = 0, minutes = 0] = schedule.time.split(':').map(Number);
  const start = new TZDate(after.getTime(), productTimeZone);
  // A monthly day is at most 62 days away; a week or a day is nearer.
  for (let offset = 0; offset <= 62; offset += 1) {
    const day = new TZDate(start.getFullYear(), start.getMonth(), start.getDate() + offset, hours, minutes, productTimeZone);
    if (day.getTime() > after.getTime() && isChosen(schedule, day)) return new Date(day.getTime());
  }
  return null;
}

function isChosen(schedule: BlogSchedule, day: TZDate): boolean {
  if (schedule.type === 'daily') return true;
  if (schedule.type === 'weekly') return schedule.days?.includes(day.getDay()) ?? false;
  const lastOfMonth = new TZDate(day.getFullYear(), day.getMonth() + 1, 0, productTimeZone).getDate();
  return day.getDate() === Math.min(schedule.dayOfMonth ?? 1, lastOfMonth);
}

/** The last instant of the day of Brasília that holds `instant`. */
export function endOfProductDay(instant: Date): Date {
  const day = new TZDate(instant.getTime(), productTimeZone);
  return new Date(new TZDate(day.getFullYear(), day.getMonth(), day.getDate() + 1, productTimeZone).getTime() - 1);
}

/** Problems that keep a blog automation from being published, with the wizard's step that shows each. */
export function validateBlogAutomation(row: {
  webhook_url?: unknown;
  theme?: unknown;
  schedule_days?: unknown;
  schedule_time?: unknown;
}): { step: number; field: string; message: string }[] {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  const days = Array.isArray(row.schedule_days) ? row.schedule_days : [];
  return [
    ...(text(row.webhook_url) === '' ? [{ step: 1, field: 'webhook_url', message: 'URL do webhook é obrigatória' }] : []),
    ...(text(row.theme) === '' ? [{ step: 2, field: 'theme', message: 'Tema/Nicho do blog é obrigatório' }] : []),
    ...(days.length === 0 ? [{ step: 3, field: 'schedule_days', message: 'Selecione pelo menos um dia da semana' }] : []),
    ...(isTimeOfDay(row.schedule_time) ? [] : [{ step: 3, field: 'schedule_time', message: 'Horário é obrigatório' }]),
  ];
}
