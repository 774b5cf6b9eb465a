import type { AccountUsageRow } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { livePolling } from '../../lib/live-state';
import { readOptional } from './optional-table';

const pollMs = 30_000;
const slowPollMs = 60_000;

export const accountUsageQuery = (userId: string) =>
  queryOptions({
    queryKey: ['account_usage', userId],
    queryFn: () => readOptional<AccountUsageRow>('account_usage'),
    // What was done an hour ago stops counting by the clock.
    refetchInterval: () => livePolling(pollMs, slowPollMs),
  });
