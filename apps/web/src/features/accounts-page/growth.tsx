import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Pick } from '../../components/ui/pick';
import { Failure, Skeleton } from '../../components/ui/surface';
import { accountGrowthQuery, growthMetrics, type GrowthMetric, valuesOf } from '../instagram-accounts/account-growth';
import { dayAfter, dayAt } from '../instagram-accounts/days';
import { GrowthTrend } from '../instagram-accounts/growth-trend';
import { growthTexts } from '../instagram-accounts/texts';
import { Activity } from './activity';
import { Block, Pair } from './block';
import { FollowBacks } from './follow-backs';
import { growthBlockTexts as texts } from './texts';

type Period = keyof typeof texts.periods;
const periods = (Object.keys(texts.periods) as Period[]).map((value) => ({ value, label: texts.periods[value] }));
const metrics = growthMetrics.map((value) => ({ value, label: growthTexts.metrics[value] }));

interface GrowthProps {
  userId: string;
  accountId: string;
  timeZone: string;
  now: Date;
}

/** How the account grows, what it did for that each day, and who followed back. */
export function Growth({ userId, accountId, timeZone, now }: GrowthProps) {
  const [period, setPeriod] = useState<Period>('30');
  const [metric, setMetric] = useState<GrowthMetric>('followers');
  const growth = useQuery(accountGrowthQuery(userId, accountId));
  const today = dayAt(now, timeZone);
  const since = dayAfter(today, -Number(period));
  return (
    <>
      <Block title={texts.title} aside={<Pick label={texts.period} options={periods} value={period} onChange={setPeriod} />}>
        {growth.isPending ? (
          <Skeleton className="h-64" />
        ) : growth.isLoadingError ? (
          <Failure text={texts.loadFailed} onRetry={() => void growth.refetch()} />
        ) : (
          <div className="grid grid-cols-1 gap-3">
            <Pick label={texts.metric} options={metrics} value={metric} onChange={setMetric} />
            <div>
              <GrowthTrend
                days={valuesOf(growth.data, accountId, metric).filter(({ day }) => day >= since)}
                metric={metric}
                timeZone={timeZone}
                now={now}
                className="h-42"
              />
            </div>
          </div>
        )}
      </Block>
      <Pair>
        <Activity userId={userId} accountId={accountId} since={dayAfter(since, 1)} today={today} />
        <FollowBacks userId={userId} accountId={accountId} />
      </Pair>
    </>
  );
}
