import {
  type BlogAutomationSettings,
  maxLengths,
  nextScheduleOccurrence,
  quotaTexts,
  validateBlogAutomation,
  type WizardProblem,
} from '@decola/contracts';
import { settingsProblems, storedSettings, type TypedSettings, typedSettings } from '../blog-admin/article-settings';
import { addressOf } from '../customer-sites/site-check';
import type { Configuration } from '../wizard/use-draft';
import { contentStepTexts } from './texts';

export type Approval = NonNullable<BlogAutomationSettings['approval']>;
export type PublishMode = NonNullable<BlogAutomationSettings['publishMode']>;

/** What the customer has answered so far. */
export interface BlogDraft {
  webhookUrl: string;
  theme: string;
  keywords: string[];
  categories: string[];
  days: number[];
  /** `HH:MM` in Brasília; empty while the field is. */
  time: string;
  settings: TypedSettings;
  approval: Approval;
  publishMode: PublishMode;
  /** Id of a new automation that was kept as a draft, so that its topics could be chosen. */
  savedId?: string;
}

/** A row of `blog_automations` as the wizard reads it. */
export interface StoredBlogAutomation {
  id: string;
  origin: 'customer' | 'editorial';
  theme: string | null;
  keyword: string | null;
  webhook_url: string | null;
  schedule_time: string | null;
  schedule_days: number[] | null;
  categories: string | null;
  settings?: BlogAutomationSettings | null;
  is_active: boolean;
  is_draft?: boolean;
}

const splitList = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** A new automation: Monday to Friday at 09:00. */
export function draftOf(stored: StoredBlogAutomation | undefined): BlogDraft {
  const { approval = 'in_doubt', publishMode = 'publish' } = stored?.settings ?? {};
  return {
    webhookUrl: stored?.webhook_url ?? '',
    theme: stored?.theme ?? '',
    keywords: splitList(stored?.keyword ?? null),
    categories: splitList(stored?.categories ?? null),
    days: stored ? (stored.schedule_days ?? []) : [1, 2, 3, 4, 5],
    time: stored ? (stored.schedule_time ?? '').slice(0, 5) : '09:00',
    settings: typedSettings(stored?.settings),
    approval,
    publishMode,
  };
}

/** `useDraft` keeps any record; this one is a `BlogDraft`. */
export const asConfiguration = (draft: BlogDraft) => draft as unknown as Configuration;
export const asDraft = (configuration: Configuration) => configuration as unknown as BlogDraft;

const joined = (values: readonly string[]) => values.join(', ');

/** The next date of a draft after an instant; null without a day or a time. */
export function nextDateOf({ days, time }: Pick<BlogDraft, 'days' | 'time'>, after: Date): Date | null {
  return time === '' ? null : nextScheduleOccurrence({ type: 'weekly', time, days, dayOfMonth: null }, after);
}

/** The next dates of a draft, the earliest first. */
export function nextDatesOf(draft: Pick<BlogDraft, 'days' | 'time'>, after: Date, count: number): Date[] {
  const dates: Date[] = [];
  for (let last = after; dates.length < count;) {
    const next = nextDateOf(draft, last);
    if (next === null) return dates;
    dates.push(next);
    last = next;
  }
  return dates;
}

/** What is stored, without the owner's id. An empty theme and keyword are filled in by the server; no category is null. */
export function rowOf(draft: BlogDraft, stored: StoredBlogAutomation | undefined, isPublished: boolean) {
  const { approval: _, publishMode: _1, ...written } = storedSettings(draft.settings, stored?.settings);
  const settings: BlogAutomationSettings = {
    ...written,
    ...(draft.approval === 'in_doubt' ? {} : { approval: draft.approval }),
    ...(draft.publishMode === 'publish' ? {} : { publishMode: draft.publishMode }),
  };
  const keyword = joined(draft.keywords) || draft.theme.trim();
  return {
    theme: draft.theme.trim(),
    // Without both, the server chooses the keyword of a new automation, and keeps that of an older one.
    ...(keyword !== '' || !stored ? { keyword } : {}),
    webhook_url: addressOf(draft.webhookUrl),
    schedule_type: 'weekly' as const,
    // The column needs a time; a draft may lack one.
    schedule_time: draft.time || '09:00',
    schedule_days: draft.days,
    categories: joined(draft.categories) || null,
    next_generation_at: nextDateOf(draft, new Date())?.toISOString() ?? null,
    is_active: isPublished,
    ...(stored || draft.savedId !== undefined || Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

const keywordsProblem = ({ keywords }: BlogDraft): WizardProblem[] =>
  joined(keywords).length > maxLengths.keyword
    ? [{ step: 2, field: 'keywords', message: contentStepTexts.keywordsLong(maxLengths.keyword) }]
    : [];

const names: Readonly<Record<string, keyof BlogDraft>> = {
  webhook_url: 'webhookUrl',
  theme: 'theme',
  schedule_days: 'days',
  schedule_time: 'time',
};

/** What keeps a draft from being published, with the step that shows each. */
export function problemsOf(draft: BlogDraft): WizardProblem[] {
  const row = { webhook_url: draft.webhookUrl, theme: draft.theme, schedule_days: draft.days, schedule_time: draft.time };
  const required = validateBlogAutomation(row).map(({ step, field, message }) => ({ step, field: names[field] ?? field, message }));
  return [...required, ...lengthProblemsOf(draft)].toSorted((a, b) => a.step - b.step);
}

/** What keeps a draft from being stored at all. */
export function lengthProblemsOf(draft: BlogDraft): WizardProblem[] {
  const settings = Object.entries(settingsProblems(draft.settings)).map(([field, message]) => ({
    step: 2,
    field: `settings ${field}`,
    message,
  }));
  const theme = draft.theme.trim().length > maxLengths.theme ? [{ step: 2, field: 'theme', message: quotaTexts.theme }] : [];
  return [...theme, ...keywordsProblem(draft), ...settings];
}
