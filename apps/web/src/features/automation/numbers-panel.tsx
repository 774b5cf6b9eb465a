import { actionFacts, type RunAction } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { Dial } from '../../components/ui/dial';
import { Failure, Skeleton } from '../../components/ui/surface';
import { Ticks, Towers } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import { filledOf, type ListedAutomation, type Lists } from '../dashboard/automations';
import { DownloadButtons } from '../dashboard/download-buttons';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import { momentOf } from './diary-lines';
import { type RunOfDay, runsSinceQuery } from './diary-queries';
import { Gauge } from './gauge';
import { dayOf, daysUntil } from './moments';
import { numbersTexts as texts, unitTexts } from './texts';
import { ListProgress } from '../dashboard/list-progress';

const shownDays = 14;
/** Height of a mark with the gap above it, px. Whole pixels, so that all marks look the same; with many actions a day, a mark stands for several. */
const markHeight = { least: 2, most: 12 };
const mostTowerHeight = 180;

interface NumbersPanelProps {
  userId: string;
  automation: ListedAutomation;
  lists: Lists;
  actions: readonly RunAction[];
  now: Date;
}

/** The next run, what each of the last days brought, and their sums. */
export function NumbersPanel({ userId, automation, lists, actions, now }: NumbersPanelProps) {
  const [action] = actions;
  const today = dayOf(now.toISOString());
  const days = useMemo(() => daysUntil(today, shownDays), [today]);
  // Midnight of Brasília is at 3:00 UTC.
  const runs = useQuery({
    ...runsSinceQuery(userId, automation.id, `${days[0]?.day}T03:00:00Z`, automation.lastRunAt, automation.status === 'running'),
    enabled: automation.table === 'automations',
  });
  const retry = () => void runs.refetch();
  return (
    <section
      aria-label={texts.label}
      data-tool={dialToolOf(automation.type)}
      className="lit grid rounded-panel shadow-2 lg:grid-cols-[17.5rem_minmax(0,1fr)_20.75rem]"
    >
      {automation.table === 'blog_automations' ? (
        <>
          <NextRun automation={automation} lists={lists} now={now} action={undefined} userId={userId} title={texts.nextArticle} />
          <Gauge title={texts.article} className="lg:col-span-2">
            <Figures
              figures={[[texts.lastArticle, automation.lastRunAt ? formatRelativeTime(automation.lastRunAt, now) : texts.noArticle]]}
            />
          </Gauge>
        </>
      ) : action === undefined ? (
        <Collection automation={automation} lists={lists} runs={runs.data} now={now} failure={runs.isError ? retry : undefined} />
      ) : (
        <>
          <NextRun automation={automation} lists={lists} now={now} action={action} userId={userId} title={texts.next} />
          <ByDay
            userId={userId}
            accountId={automation.accountId}
            days={days}
            action={action}
            runs={runs.data}
            failure={runs.isError && !runs.data ? retry : undefined}
            today={today}
          />
          <Gauge title={texts.lastDays}>
            <Figures figures={sumsOf(runs.data, action)} />
          </Gauge>
        </>
      )}
    </section>
  );
}

/** Numbers with what they count; undefined while loading. */
function Figures({ figures }: { figures: readonly (readonly [name: string, value: string])[] | undefined }) {
  if (!figures) return <Skeleton className="h-28" />;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-5.5">
      {figures.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-col-reverse justify-end gap-1">
          <dt className="text-sm text-pretty text-muted">{name}</dt>
          <dd
            className={classes(
              'flex min-h-7 items-end leading-none font-[620] font-stretch-[112%] tracking-[-0.03em] [overflow-wrap:anywhere]',
              /^[\d.]+$/.test(value) ? 'text-[1.75rem]' : 'text-lg leading-tight tracking-normal',
            )}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function sumsOf(runs: readonly RunOfDay[] | undefined, action: RunAction) {
  if (!runs) return undefined;
  const sum = (of: (run: RunOfDay) => number) => runs.reduce((total, run) => total + of(run), 0);
  const { many, skipped } = unitTexts[action];
  return [
    [many, formatCount(sum(({ confirmed }) => confirmed))],
    [texts.runs, formatCount(runs.length)],
    [skipped, formatCount(sum((run) => run.skipped))],
    [texts.failures, formatCount(sum(({ tried, confirmed }) => Math.max(0, tried - confirmed)))],
  ] as const;
}

interface NextRunProps {
  userId: string;
  automation: ListedAutomation;
  lists: Lists;
  /** Undefined for an automation that acts on no account. */
  action: RunAction | undefined;
  title: string;
  now: Date;
}

/** A dial that fills until the next run, the moment, and what is left of today's limit. */
function NextRun({ userId, automation, lists, action, title, now }: NextRunProps) {
  const { status, isActive, nextRunAt, accountId } = automation;
  const usage = useQuery({ ...accountUsageQuery(userId), enabled: action !== undefined });
  const limit =
    action &&
    usage.data?.find((row) => row.instagram_account_id === accountId && row.action === actionFacts[action].ceiling && row.day_ceiling > 0);
  const left = limit && Math.max(0, limit.day_ceiling - limit.day_used);
  const perRun = Number(automation.configuration['rowsPerLaunch']);
  const isRunning = status === 'running';
  const [amount, unit] = nextRunAt === null ? [] : leftUntil(nextRunAt, now);
  return (
    <Gauge title={title}>
      <div className="flex items-center gap-4">
        <span className="relative">
          <Dial
            state={isRunning ? 'run' : nextRunAt === null ? 'draft' : 'on'}
            filled={filledOf(automation, lists, now)}
            className="size-22 [&>.icon]:size-7"
            tool={dialToolOf(automation.type)}
          >
            {isRunning || nextRunAt === null ? (
              <ToolIcon type={automation.type} />
            ) : (
              <span className="grid place-content-center text-center text-[1.375rem] leading-none font-[640] text-ink">
                {amount}
                <small className="mt-0.5 block text-xs font-medium text-muted">{unit}</small>
              </span>
            )}
          </Dial>
        </span>
        <p className="min-w-0 text-sm text-pretty text-muted">
          <strong className="block text-lg font-[620] text-ink">
            {isRunning ? texts.running : nextRunAt === null ? texts.none : formatRelativeTime(nextRunAt, now)}
          </strong>
          {isRunning
            ? texts.runningText
            : nextRunAt === null
              ? isActive || status === 'blocked'
                ? texts.waitsText
                : texts.offText
              : [perRun > 0 && texts.upTo(perRun), left !== undefined && texts.left(left)].filter(Boolean).join(' ')}
        </p>
      </div>
      {limit && (
        <div className="mt-6 grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-1.5 text-sm">
          <span className="font-medium">{texts.today}</span>
          <span className="text-muted">
            <span className="font-semibold text-ink">{formatCount(limit.day_used)}</span> {texts.of(formatCount(limit.day_ceiling))}
          </span>
          <Ticks
            className="col-span-full"
            value={limit.day_used}
            of={limit.day_ceiling}
            label={texts.todaySpoken(formatCount(limit.day_used), formatCount(limit.day_ceiling))}
          />
        </div>
      )}
    </Gauge>
  );
}

const minuteMs = 60_000;

/** The time until an instant, in its largest unit. */
function leftUntil(at: string, now: Date): readonly [amount: string, unit: string] {
  const minutes = Math.max(0, Math.floor((Date.parse(at) - now.getTime()) / minuteMs));
  if (minutes < 60) return [String(minutes), texts.minutes];
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? [String(hours), texts.hours] : [String(Math.floor(hours / 24)), texts.days];
}

interface ByDayProps {
  userId: string;
  accountId: string | null;
  days: readonly { day: string; at: string }[];
  action: RunAction;
  runs: readonly RunOfDay[] | undefined;
  failure: (() => void) | undefined;
  today: string;
}

const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', timeZone: 'America/Sao_Paulo' });

/** A tower for each of the last days: what was confirmed. Marks that are not lit go up to the limit of today; the limits of earlier days are not known. */
function ByDay({ userId, accountId, days, action, runs, failure, today }: ByDayProps) {
  const id = useId();
  const unit = unitTexts[action];
  const usage = useQuery(accountUsageQuery(userId)).data;
  const limit =
    usage?.find((row) => row.instagram_account_id === accountId && row.action === actionFacts[action].ceiling)?.day_ceiling ?? null;
  const byDay = new Map<string, number>();
  for (const run of runs ?? []) byDay.set(dayOf(momentOf(run)), (byDay.get(dayOf(momentOf(run))) ?? 0) + run.confirmed);
  const most = Math.max(1, limit ?? 0, ...byDay.values());
  const each = Math.ceil((most * markHeight.least) / mostTowerHeight);
  const marks = Math.ceil(most / each);
  const height = marks * Math.min(markHeight.most, Math.floor(mostTowerHeight / marks));
  return (
    <Gauge title={unit.title} hint={texts.mark(unit, each)}>
      {failure ? (
        <Failure text={texts.failed} onRetry={failure} />
      ) : !runs ? (
        <Skeleton className="h-40" />
      ) : (
        <>
          <Towers
            // On the narrowest phones, 'hoje' needs the room of the name before it.
            className="max-[359px]:[&_li:nth-last-child(2)>span:last-child]:invisible"
            height={height}
            towers={days.map(({ day, at }) => ({
              key: `${id}-${day}`,
              name: day === today ? texts.now : String(Number(day.slice(8))),
              value: (byDay.get(day) ?? 0) / each,
              limit: limit === null ? null : limit / each,
              label: texts.day(dayAndMonth.format(new Date(at)), formatCount(byDay.get(day) ?? 0), unit),
            }))}
          />
          <p className="mt-2 text-xs text-muted">
            {byDay.size === 0 ? texts.none14 : limit !== null && texts.upToLimit(formatCount(limit))}
          </p>
        </>
      )}
    </Gauge>
  );
}

interface CollectionProps {
  automation: ListedAutomation;
  lists: Lists;
  runs: readonly RunOfDay[] | undefined;
  failure: (() => void) | undefined;
  now: Date;
}

/** How far a list is, its files, and the pages that were read for it. */
function Collection({ automation, lists, runs, failure, now }: CollectionProps) {
  const { newest } = lists;
  return (
    <>
      <Gauge title={texts.collecting} className="lg:col-span-2">
        <div className="grid max-w-xl gap-4">
          {newest ? <ListProgress list={newest} /> : <p className="text-muted">{automation.reason ?? texts.none14}</p>}
          <DownloadButtons automation={automation} lists={lists} />
        </div>
      </Gauge>
      <Gauge title={texts.extraction}>
        {failure ? (
          <Failure text={texts.failed} onRetry={failure} />
        ) : (
          <Figures
            figures={
              runs && [
                [
                  newest?.data_type === 'comments' ? texts.collected.comments : texts.collected.people,
                  formatCount(newest?.total_records ?? 0),
                ],
                [texts.pages, formatCount(runs.reduce((sum, { pages }) => sum + pages, 0))],
                [texts.runs, formatCount(runs.length)],
                [texts.lastRun, automation.lastRunAt ? formatRelativeTime(automation.lastRunAt, now) : texts.noArticle],
              ]
            }
          />
        )}
      </Gauge>
    </>
  );
}
