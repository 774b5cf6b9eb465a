import { type RunAction, runActions } from '@decola/contracts';

/*
 * What an account may do, written down once more from what is published (README of automations, the wizard and the design's tables). The judge of
 * the simulation reads nothing of the services' own tables and code, so that a wrong number there is found here.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What is counted: actions, pages of lists, pages of the site. */
export type Counted = 'follow' | 'unfollow' | 'like' | 'comment' | 'view-story' | 'message' | 'list-page' | 'page-view';

type Amounts = Record<Counted, number>;

const perHour: Amounts = {
  follow: 10,
  unfollow: 10,
  like: 20,
  comment: 4,
  'view-story': 60,
  message: 6,
  'list-page': 80,
  'page-view': 60,
};
const perDay: readonly { untilDay: number; most: Amounts }[] = [
  {
    untilDay: 3,
    most: { follow: 10, unfollow: 10, like: 20, comment: 4, 'view-story': 40, message: 5, 'list-page': 60, 'page-view': 150 },
  },
  {
    untilDay: 14,
    most: { follow: 25, unfollow: 25, like: 50, comment: 8, 'view-story': 100, message: 12, 'list-page': 150, 'page-view': 300 },
  },
  {
    untilDay: Infinity,
    most: { follow: 60, unfollow: 60, like: 120, comment: 15, 'view-story': 250, message: 30, 'list-page': 150, 'page-view': 600 },
  },
];
/** Ceilings are halved for so long after the network blocked an action. */
const halvedMs = 14 * dayMs;

/** What an account may do at a moment. @param blockedAt when the network last blocked an action of it */
export function ceilingsAt(
  at: number,
  firstSeenAt: number,
  blockedAt: number | null,
): readonly { period: string; ms: number; most: Amounts }[] {
  const age = (at - firstSeenAt) / dayMs;
  const day = perDay.find(({ untilDay }) => age < untilDay) ?? perDay.at(-1)!;
  const isHalved = blockedAt !== null && at - blockedAt < halvedMs;
  const scaled = (full: Amounts) =>
    isHalved
      ? (Object.fromEntries(Object.entries(full).map(([kind, most]) => [kind, Math.max(1, Math.floor(most / 2))])) as Amounts)
      : full;
  return [
    { period: 'hour', ms: hourMs, most: scaled(perHour) },
    { period: 'day', ms: dayMs, most: scaled(day.most) },
  ];
}

/** What an action counts as: the network sees a public answer as a comment. */
export function countedAs(action: RunAction): Counted {
  return action === 'reply' ? 'comment' : action;
}

/** The same target may get an action again after this time; absent: never. */
export const againAfterMs: Partial<Record<RunAction, number>> = { 'view-story': dayMs };

/** Another target of the same author may get an action after this time; absent: at once. */
export const sameAuthorAfterMs: Partial<Record<RunAction, number>> = { comment: 30 * dayMs };

/** The shortest time between two actions of an account. */
export const leastGapMs = 30_000;

/** A rule for every action: a new one has to be judged too. */
export const judgedActions: readonly RunAction[] = ['follow', 'unfollow', 'like', 'comment', 'reply', 'view-story', 'message'];

export const unjudgedActions = runActions.filter((action) => !judgedActions.includes(action));

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since midnight that the wall clock of a time zone shows. */
export function wallMinute(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return part('hour') * 60 + part('minute');
}

/** Whether the wall clock shows a time of the quiet hours, `HH:MM`, which may pass midnight. */
export function isQuiet(at: number, timeZone: string, quiet: { from: string; to: string }): boolean {
  const [from, to] = [quiet.from, quiet.to].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  const minute = wallMinute(at, timeZone);
  return from! <= to! ? minute >= from! && minute < to! : minute >= from! || minute < to!;
}
