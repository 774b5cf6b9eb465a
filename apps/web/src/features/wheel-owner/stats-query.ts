import type { PrizeStats } from '@decola/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { livePolling } from '../../lib/live-state';
import { callWheelFunction } from './wheel-function';

/** Periods that the page shows, in days. */
export const periods = ['14', '30', '90'] as const;
export type Period = (typeof periods)[number];

/** How often figures are read while no changes are heard, and while they are: views are not announced. */
const pollMs = 15_000;
const viewsPollMs = 60_000;

/** The figures of a wheel. They change with its leads. */
export const prizeStatsQuery = (userId: string, automationId: string, period: Period) =>
  queryOptions({
    queryKey: ['prize_stats', userId, automationId, period],
    queryFn: () => callWheelFunction<PrizeStats>('prize-stats', { automationId, days: Number(period) }),
    placeholderData: keepPreviousData,
    meta: { tables: ['leads', 'automations'] },
    refetchInterval: () => livePolling(pollMs, viewsPollMs),
  });
