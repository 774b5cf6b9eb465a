import type { PrizeStats } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure, Skeleton } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatCount } from '../../lib/format';
import { Gauge } from '../automation/gauge';
import { SpinsByDay } from './spins-by-day';
import { type Period, prizeStatsQuery } from './stats-query';
import { Stock } from './stock';
import { figureTexts as texts } from './texts';

/** From the link to the prize, spins by day, and what is left, in one panel. */
export function Figures({ userId, automationId }: { userId: string; automationId: string }) {
  const [period, setPeriod] = useState<Period>('14');
  const { data: stats, isError, refetch } = useQuery(prizeStatsQuery(userId, automationId, period));
  if (!stats) return isError ? <Failure text={texts.failed} onRetry={() => void refetch()} /> : <FiguresSkeleton />;
  return (
    <section aria-label={texts.label} data-tool="wheel" className="lit rounded-panel shadow-2">
      <div className="grid lg:grid-cols-[18.75rem_minmax(0,1fr)_24rem] md:max-lg:grid-cols-2">
        <Gauge title={texts.funnel} className="md:max-lg:col-span-2">
          <Funnel totals={stats.totals} />
        </Gauge>
        <SpinsByDay days={stats.days} period={period} onPeriod={setPeriod} />
        <Gauge title={texts.stock} hint={texts.stockHint} className="md:max-lg:border-l">
          <Stock prizes={stats.prizes} />
        </Gauge>
      </div>
    </section>
  );
}

/** How many came from one step to the next, each with its share of those who saw the wheel. */
function Funnel({ totals: { views, continued, spins, delivered } }: Pick<PrizeStats, 'totals'>) {
  const most = Math.max(1, views, continued, spins);
  const steps = [
    [texts.views, views],
    [texts.continued, continued],
    [texts.spins, spins],
    [texts.delivered, delivered],
  ] as const;
  return (
    <ul className="grid gap-6">
      {steps.map(([name, count], index) => (
        <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-baseline gap-x-3 gap-y-1 text-sm text-muted">
          <span>{name}</span>
          <span>{index > 0 && count <= views && views > 0 && texts.share(percentOf(count, views))}</span>
          <b className="text-[1.375rem] leading-none font-[640] font-stretch-[112%] tracking-[-0.03em] text-ink">{formatCount(count)}</b>
          <span
            aria-hidden
            className="col-span-full block h-2 rounded-xs bg-sunken"
            style={{ backgroundImage: `linear-gradient(90deg, var(--ink) ${(count / most) * 100}%, transparent 0)` }}
          />
        </li>
      ))}
    </ul>
  );
}

const percent = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const smallPercent = new Intl.NumberFormat('pt-BR', { maximumSignificantDigits: 1 });

/** `14`; below 1 the first digit that counts: `0,4`. */
function percentOf(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return (share < 1 ? smallPercent : percent).format(share);
}

function FiguresSkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="lit grid gap-6 rounded-panel p-5 shadow-2 md:grid-cols-3 md:p-7">
      {['a', 'b', 'c'].map((key, index) => (
        <Skeleton key={key} className={classes('h-56', index > 0 && 'max-md:hidden')} />
      ))}
    </div>
  );
}
