import { runActions, type RunAction } from '@decola/contracts';
import { z } from 'zod';

/** What has a ceiling: each action on somebody, and the pages of lists that are read. */
export const ceilingKinds = [...runActions, 'list-page'] as const;
export type CeilingKind = RunAction | 'list-page';

const amounts = z.object(
  Object.fromEntries(ceilingKinds.map((kind) => [kind, z.number().int().nonnegative()])) as Record<CeilingKind, z.ZodNumber>,
);
export type Amounts = Record<CeilingKind, number>;

export const ceilingTable = z.object({
  /** Per 24 hours, by age of the account's first session with us; the last row has no `untilDay`. */
  byAge: z.array(z.object({ untilDay: z.number().positive().nullable(), perDay: amounts })).min(1),
  perHour: amounts,
  /** After a block the ceilings are halved for this many days. */
  halvedDays: z.number().nonnegative(),
});
export type CeilingTable = z.infer<typeof ceilingTable>;

function row(follow: number, unfollow: number, like: number, comment: number, story: number, message: number, pages: number): Amounts {
  return { follow, unfollow, like, comment, 'view-story': story, message, 'list-page': pages };
}

/** instagram-web.md, section 8: our own cautious choice; the network publishes no numbers. */
export const defaultCeilings: CeilingTable = {
  byAge: [
    { untilDay: 3, perDay: row(10, 10, 20, 4, 40, 5, 60) },
    { untilDay: 14, perDay: row(25, 25, 50, 8, 100, 12, 150) },
    { untilDay: null, perDay: row(60, 60, 120, 15, 250, 30, 400) },
  ],
  perHour: row(10, 10, 20, 4, 60, 6, 80),
  halvedDays: 14,
};

const dayMs = 86_400_000;

/** What an account did within the last hour and the last 24 hours, over all automations of all customers. */
export interface Usage {
  hour: Partial<Record<CeilingKind, number>>;
  day: Partial<Record<CeilingKind, number>>;
}

export interface AccountAge {
  /** When the first session of the account was given to us. */
  firstSeenAt: Date;
  /** Last time that the network blocked an action of the account; null when it never did. */
  lastBlockAt: Date | null;
}

/** The ceilings of one account at `now`: by the age of its session, halved for a while after a block (never below one). */
export function ceilingsOf(table: CeilingTable, account: AccountAge, now: Date): { perHour: Amounts; perDay: Amounts } {
  const ageDays = (now.getTime() - account.firstSeenAt.getTime()) / dayMs;
  const byAge = table.byAge.find(({ untilDay }) => untilDay === null || ageDays < untilDay) ?? table.byAge[table.byAge.length - 1];
  if (!byAge) throw new Error('the table of ceilings is empty');
  const isHalved = account.lastBlockAt !== null && now.getTime() - account.lastBlockAt.getTime() < table.halvedDays * dayMs;
  const scaled = (full: Amounts): Amounts =>
    isHalved
      ? (Object.fromEntries(
          Object.entries(full).map(([kind, most]) => [kind, most === 0 ? 0 : Math.max(1, Math.floor(most / 2))]),
        ) as Amounts)
      : full;
  return { perHour: scaled(table.perHour), perDay: scaled(byAge.perDay) };
}

/** How many more of a kind the account may do now. Never negative. */
export function roomFor(kind: CeilingKind, table: CeilingTable, account: AccountAge, usage: Usage, now: Date): number {
  const { perHour, perDay } = ceilingsOf(table, account, now);
  return Math.max(0, Math.min(perHour[kind] - (usage.hour[kind] ?? 0), perDay[kind] - (usage.day[kind] ?? 0)));
}

/** Which ceiling is reached, for telling the customer; null while there is room. */
export function reachedCeiling(
  kind: CeilingKind,
  table: CeilingTable,
  account: AccountAge,
  usage: Usage,
  now: Date,
): { period: 'hour' | 'day'; most: number } | null {
  const { perHour, perDay } = ceilingsOf(table, account, now);
  if ((usage.day[kind] ?? 0) >= perDay[kind]) return { period: 'day', most: perDay[kind] };
  if ((usage.hour[kind] ?? 0) >= perHour[kind]) return { period: 'hour', most: perHour[kind] };
  return null;
}
