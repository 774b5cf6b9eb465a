import type { AccountActivityRow, AccountPauseRow, FollowBacksRow } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { livePolling } from '../../lib/live-state';
import { readOptional } from '../instagram-accounts/optional-table';

const pollMs = 60_000;

const ofAccount = <Row>(table: string, userId: string, accountId: string) =>
  queryOptions({
    queryKey: [table, userId, accountId],
    queryFn: () => readOptional<Row>(table, accountId),
    refetchInterval: livePolling(pollMs),
  });

export const activityQuery = (userId: string, accountId: string) => ofAccount<AccountActivityRow>('account_activity', userId, accountId);

export const followBacksQuery = (userId: string, accountId: string) => ofAccount<FollowBacksRow>('follow_backs', userId, accountId);

export const pausesQuery = (userId: string, accountId: string) => ofAccount<AccountPauseRow>('account_pauses', userId, accountId);
