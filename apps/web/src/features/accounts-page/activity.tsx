import { type AccountActivityRow, actionFacts, type UsageKind } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { dayAfter, daysBetween, fullDay, shortDay } from '../instagram-accounts/days';
import { EmptyScale } from '../instagram-accounts/growth-trend';
import { growthTexts, usageTexts } from '../instagram-accounts/texts';
import { shownUsage, usageLooks } from '../instagram-accounts/usage-kinds';
import { ValueTable } from '../instagram-accounts/value-table';
import { activityQuery } from './account-queries';
import { Block } from './block';
import { activityTexts as texts, growthBlockTexts } from './texts';

const ActivityChart = lazy(() => import('./activity-chart'));

/** Fewer days than this are not drawn: a single bar would fill the chart. */
const leastDays = 7;

/** What was done in one day, by kind. */
export interface DayOfActions {
  day: string;
  /** As people read it. */
  name: string;
  /** Confirmed actions. */
  counts: Readonly<Partial<Record<UsageKind, number>>>;
}

/** The days from the first one with actions until today, at most since `since`, also those without any. */
export function daysOfActions(rows: readonly AccountActivityRow[], since: string, today: string): DayOfActions[] {
  const first = rows.map(({ day }) => day).toSorted()[0];
  if (first === undefined) return [];
  const begin = [since, [first, dayAfter(today, 1 - leastDays)].toSorted()[0] ?? first].toSorted()[1] ?? since;
  return Array.from({ length: daysBetween(begin, today) + 1 }, (_, index) => {
    const day = dayAfter(begin, index);
    const counts: Partial<Record<UsageKind, number>> = {};
    for (const row of rows.filter((each) => each.day === day)) {
      const kind = actionFacts[row.action].ceiling;
      counts[kind] = (counts[kind] ?? 0) + row.confirmed;
    }
    return { day, name: day === today ? growthTexts.today : shortDay(day), counts };
  });
}

interface ActivityProps {
  userId: string;
  accountId: string;
  /** First day of the period. */
  since: string;
  today: string;
}

/** What the account did on each day, by kind, and how the rest of its tries ended. */
export function Activity({ userId, accountId, since, today }: ActivityProps) {
  const activity = useQuery(activityQuery(userId, accountId));
  return (
    <Block title={texts.title}>
      {activity.isPending ? (
        <Skeleton className="h-52" />
      ) : activity.isLoadingError ? (
        <Failure text={growthBlockTexts.loadFailed} onRetry={() => void activity.refetch()} />
      ) : (
        <Bars rows={activity.data} since={since} today={today} />
      )}
    </Block>
  );
}

function Bars({ rows, since, today }: { rows: readonly AccountActivityRow[]; since: string; today: string }) {
  const shown = rows.filter(({ day }) => day >= since);
  if (shown.length === 0)
    return (
      <div>
        <EmptyScale text={rows.length === 0 ? texts.none : texts.noneInPeriod} />
      </div>
    );
  const days = daysOfActions(rows, since, today);
  const totalOf = (kind: UsageKind) => days.reduce((total, { counts }) => total + (counts[kind] ?? 0), 0);
  const kinds = shownUsage.filter((kind) => totalOf(kind) > 0);
  const sum = (outcome: 'confirmed' | 'skipped' | 'refused' | 'unconfirmed') => shown.reduce((total, row) => total + row[outcome], 0);
  const outcomes = (['confirmed', 'skipped', 'refused', 'unconfirmed'] as const).flatMap((outcome) =>
    sum(outcome) > 0 ? [texts[outcome](formatCount(sum(outcome)))] : [],
  );
  const nameOf = (kind: UsageKind) => usageTexts.actions[kind] ?? kind;
  return (
    <div className="grid grid-cols-1 gap-3">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {kinds.map((kind) => (
          <li key={kind} data-tool={usageLooks[kind].tool ?? undefined} className="flex items-center gap-1.5">
            <span className={kind === 'unfollow' ? 'size-2.5 rounded-[2px] bg-tool/45' : 'size-2.5 rounded-[2px] bg-tool'} aria-hidden />
            {nameOf(kind)} <b className="font-semibold">{formatCount(totalOf(kind))}</b>
          </li>
        ))}
      </ul>
      <div className="h-36" aria-hidden>
        <Suspense fallback={<Skeleton className="h-full" />}>
          <ActivityChart days={days} kinds={kinds.map((kind) => ({ kind, name: nameOf(kind), tool: usageLooks[kind].tool }))} />
        </Suspense>
      </div>
      <p className="flex justify-between text-xs text-muted" aria-hidden>
        <span>{days[0]?.name}</span>
        <span>{days.at(-1)?.name}</span>
      </p>
      <p className="text-sm text-muted">{outcomes.join(' · ')}</p>
      <ValueTable
        caption={texts.table}
        columns={[growthTexts.day, ...kinds.map(nameOf)]}
        rows={days.map(({ day, counts }) => ({
          key: day,
          name: day === today ? growthTexts.today : fullDay(day),
          values: kinds.map((kind) => formatCount(counts[kind] ?? 0)),
        }))}
      />
    </div>
  );
}
