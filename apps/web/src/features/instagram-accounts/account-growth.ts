import type { AccountGrowthRow } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { readOptional } from './optional-table';

/** What a profile shows about itself. */
export const growthMetrics = ['followers', 'following', 'posts'] as const;
export type GrowthMetric = (typeof growthMetrics)[number];

export interface ValueOfDay {
  day: string;
  value: number;
}

const freshMs = 10 * 60_000;

/** @param accountId one account; without it, all of the customer's accounts */
export const accountGrowthQuery = (userId: string, accountId?: string) =>
  queryOptions({
    queryKey: ['account_growth', userId, ...(accountId === undefined ? [] : [accountId])],
    queryFn: () => readOptional<AccountGrowthRow>('account_growth', accountId),
    staleTime: freshMs,
  });

/** The days of one account for which a value is known, oldest first. */
export function valuesOf(rows: readonly AccountGrowthRow[], accountId: string, metric: GrowthMetric): ValueOfDay[] {
  return rows
    .flatMap(({ instagram_account_id, day, [metric]: value }) =>
      instagram_account_id === accountId && value !== null ? [{ day, value }] : [],
    )
    .toSorted((a, b) => a.day.localeCompare(b.day));
}
