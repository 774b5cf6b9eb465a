import { type blogScheduleTypes, isTimeOfDay } from './blog-schedule.js';

/** What the panel and the server tell an administrator about an automation of the product's own blog. */
export const editorialAutomationTexts = {
  keywordMissing: 'Palavra-chave é obrigatória para criar automação',
  weekdayMissing: 'Selecione pelo menos um dia da semana',
  timeMissing: 'Horário é obrigatório',
} as const;

/** The schedule that the panel's form begins with: weekly on Mondays at 09:00, and the first day for months. */
export const editorialScheduleDefaults = { type: 'weekly', time: '09:00', days: [1], dayOfMonth: 1 } as const;

/** What the panel writes into `blog_automations`, apart from `user_id`. A row of an administrator without a webhook is editorial. */
export interface EditorialAutomationRow {
  keyword: string;
  schedule_type: (typeof blogScheduleTypes)[number];
  /** `HH:MM` in Brasília. */
  schedule_time: string;
  /** 1 to 31, monthly only. */
  schedule_day: number | null;
  /** 0 (Sunday) to 6, weekly only. */
  schedule_days: number[] | null;
}

/** What keeps an editorial automation from being saved, as the sentence for the administrator; null when nothing does. The keyword's own policy is not checked here. */
export function editorialAutomationProblem(row: {
  keyword?: unknown;
  schedule_type?: unknown;
  schedule_time?: unknown;
  schedule_days?: unknown;
}): string | null {
  if (typeof row.keyword !== 'string' || row.keyword.trim() === '') return editorialAutomationTexts.keywordMissing;
  if (!isTimeOfDay(row.schedule_time)) return editorialAutomationTexts.timeMissing;
  const isWeekly = row.schedule_type === 'weekly';
  if (isWeekly && !(Array.isArray(row.schedule_days) && row.schedule_days.length > 0)) return editorialAutomationTexts.weekdayMissing;
  return null;
}
