import { type AmountsByUsage, type UsageKind, usageKinds } from '@decola/contracts';
import { z } from 'zod';

export type CeilingKind = UsageKind;

const amounts = z.object(
  Object.fromEntries(usageKinds.map((kind) => [kind, z.number().int().nonnegative()])) as Record<CeilingKind, z.ZodNumber>,
);
export type Amounts = AmountsByUsage;

export const ceilingTable = z.object({
  /** Per 24 hours, by the days since the account's first session with us; the last row has no `untilDay`. */
  byAge: z.array(z.object({ untilDay: z.number().positive().nullable(), perDay: amounts })).min(1),
  perHour: amounts,
  /** Ceilings are halved for so many days after the network blocked an action. */
  halvedDays: z.number().nonnegative(),
});
export type CeilingTable = z.infer<typeof ceilingTable>;

export { defaultCeilings } from '@decola/contracts';

const dayMs = 86_400_000;

/** What an account did within the last hour and the last 24 hours, over all automations of all customers. Absent: nothing. */
export interface Usage {
  hour: Partial<Record<CeilingKind, number>>;
  day: Partial<Record<CeilingKind, number>>;
}

export interface AccountAge {
  /** When a customer gave us the first session of the account. */
  firstSeenAt: Date;
  /** When the network last blocked an action of the account; null when it never did. */
  lastBlockAt: Date | null;
}

/** Ceilings of one account at `now`. A ceiling that is halved after a block is at least one, unless it was zero. */
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

/** Days from an account's first session until its daily ceilings no longer grow; 0 when they are the same from the first day. */
export function warmUpDays(table: CeilingTable): number {
  return Math.ceil(Math.max(0, ...table.byAge.slice(0, -1).map(({ untilDay }) => untilDay ?? 0)));
}

/** How many more of a kind the account may do now. Never negative. */
export function roomFor(kind: CeilingKind, table: CeilingTable, account: AccountAge, usage: Usage, now: Date): number {
  const { perHour, perDay } = ceilingsOf(table, account, now);
  return Math.max(0, Math.min(perHour[kind] - (usage.hour[kind] ?? 0), perDay[kind] - (usage.day[kind] ?? 0)));
}

/** The ceiling that leaves less room than `needed`, so that the customer can be told; null while there is enough. */
export function reachedCeiling(
  kind: CeilingKind,
  table: CeilingTable,
  account: AccountAge,
  usage: Usage,
  now: Date,
  needed = 1,
): { period: 'hour' | 'day'; most: number } | null {
  const { perHour, perDay } = ceilingsOf(table, account, now);
  if (perDay[kind] - (usage.day[kind] ?? 0) < needed) return { period: 'day', most: perDay[kind] };
  if (perHour[kind] - (usage.hour[kind] ?? 0) < needed) return { period: 'hour', most: perHour[kind] };
  return null;
}
