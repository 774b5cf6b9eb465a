import type { AutomationStatus } from '@decola/contracts';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes';
import { formatCount } from '../lib/format';
import { automationCardTexts, collectionProgressTexts } from './texts';
import { Dial, type DialState, type DialTool } from './ui/dial';
import { Lamp, type LampState } from './ui/lamp';
import { Badge } from './ui/surface';
import { Marks, Ticks } from './ui/ticks';

const looks: Record<AutomationStatus, { lamp: LampState; dial: DialState }> = {
  draft: { lamp: 'off', dial: 'draft' },
  waiting: { lamp: 'on', dial: 'on' },
  running: { lamp: 'run', dial: 'run' },
  paused: { lamp: 'stop', dial: 'stop' },
  blocked: { lamp: 'stop', dial: 'stop' },
  done: { lamp: 'done', dial: 'done' },
};

/** Lamp and dial of an automation. @param isIdle it is switched on, but will not run */
export function lookOf(status: AutomationStatus, isInactive: boolean, isIdle: boolean): { lamp: LampState; dial: DialState } {
  if (isInactive) return looks.paused;
  return isIdle && status === 'waiting' ? { lamp: 'off', dial: 'idle' } : looks[status];
}

const panels: Record<DialState, string> = {
  run: 'lit shadow-2',
  on: 'lit shadow-1',
  idle: 'lit shadow-1',
  done: 'lit shadow-1',
  stop: 'lit inset-ring-[1.5px] inset-ring-danger-lamp',
  draft: 'inset-ring-[1.5px] inset-ring-line',
};

interface AutomationCardProps {
  tool?: DialTool | undefined;
  /** An element with the class `icon`. */
  icon: ReactNode;
  /** The name, or the field that edits it. */
  title: ReactNode;
  /** What the automation does, for whom and how often. */
  subtitle: ReactNode;
  status: AutomationStatus;
  /** Switched off: shows a red border and 'Inativo'. */
  isInactive: boolean;
  /** The automation is switched on, but will not run; its lamp is off. */
  isIdle?: boolean;
  /** The highlighted part of the dial's ring, 0 to 1: time elapsed until the next run, or share of a list that is collected. */
  filled?: number;
  /** Why the automation is stopped or waits, and what to do. */
  reason?: ReactNode;
  /** When the automation continues, or when it ended. */
  next?: { label: string; moment: ReactNode } | undefined;
  control?: ReactNode;
  actions?: ReactNode;
  /** The results of the automation. */
  children?: ReactNode;
}

/** The look of one automation, without its data source. A wide container shows a row, a narrow one stacks the same parts. */
export function AutomationCard({
  tool,
  icon,
  title,
  subtitle,
  status,
  isInactive,
  isIdle = false,
  filled = 0,
  reason,
  next,
  control,
  actions,
  children,
}: AutomationCardProps) {
  const { lamp, dial } = lookOf(status, isInactive, isIdle);
  return (
    <div className="@container">
      <div
        data-tool={tool}
        className={classes(
          'relative grid grid-cols-[56px_minmax(0,1fr)] items-start gap-x-3.5 gap-y-3 rounded-panel p-4 @[66rem]:grid-cols-[56px_minmax(0,1fr)_264px_104px_276px_48px] @[66rem]:items-center @[66rem]:gap-x-5 @[66rem]:py-4.5 @[66rem]:pr-6 @[66rem]:pl-5',
          panels[dial],
        )}
      >
        <Dial tool={tool} state={dial} filled={filled}>
          {icon}
        </Dial>
        <div className="min-w-0">
          <p className="mr-13 -ml-[3px] @max-[16rem]:mr-0 flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1 @[66rem]:mr-0">
            <Lamp state={lamp}>{automationCardTexts.status[status]}</Lamp>
            {isInactive && <Badge tone="danger">{automationCardTexts.inactive}</Badge>}
          </p>
          {title}
          <p className="mt-0.5 text-sm text-muted [overflow-wrap:anywhere]">{subtitle}</p>
        </div>
        <div className="col-span-full grid min-w-0 gap-2 text-sm empty:hidden @[66rem]:col-span-1 @[66rem]:col-start-3">
          {children}
          {reason && <div className="text-pretty [overflow-wrap:anywhere]">{reason}</div>}
        </div>
        <div className="col-span-full -mr-2 -mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-2 empty:hidden @[66rem]:contents">
          {next && (
            <p className="mr-auto min-w-0 text-sm text-muted @[66rem]:col-start-4 @[66rem]:mr-0">
              {next.label} <span className="block font-semibold text-ink">{next.moment}</span>
            </p>
          )}
          {actions && (
            <div className="ml-auto flex flex-wrap items-center justify-end gap-0.5 @[66rem]:col-start-5 @[66rem]:row-start-1">
              {actions}
            </div>
          )}
        </div>
        {control && (
          <div className="absolute top-3.5 right-4 flex @max-[16rem]:static @max-[16rem]:col-span-full @[66rem]:static @[66rem]:col-start-6 @[66rem]:row-start-1">
            {control}
          </div>
        )}
      </div>
    </div>
  );
}

/** The result of a run: one mark per attempted action, highlighted for each confirmed one, and the same as text. */
export function RunOutcome({ tried, confirmed, text }: { tried: number; confirmed: number; text: string }) {
  return (
    <p className="flex items-center gap-3">
      <Marks value={confirmed} of={tried} className="shrink-0" />
      <span>{text}</span>
    </p>
  );
}

/** Name-value pairs about an automation's runs; pairs without a value are omitted. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | null])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="flex flex-wrap gap-x-1.5">
              <dt>{name}:</dt>
              <dd className="text-ink">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface CollectedProps {
  collected: number;
  /** Total that the profile states; null while unknown. */
  total: number | null;
  isRunning: boolean;
  reason: string | null;
  /** True for comments; false for people. */
  areComments?: boolean;
}

/** Progress of an extraction: "obtidos X de Y". */
export function CollectionProgress({ collected, total, isRunning, reason, areComments = false }: CollectedProps) {
  const bar = areComments ? collectionProgressTexts.commentsBar : collectionProgressTexts.progressBar;
  return (
    <div className="grid gap-2">
      <p data-testid="progress">
        {collectionProgressTexts.collected} <strong className="font-semibold">{formatCount(collected)}</strong>
        {total !== null && (
          <>
            {' '}
            {collectionProgressTexts.of} {formatCount(total)}
          </>
        )}
        {isRunning && <span className="text-muted"> {collectionProgressTexts.running}</span>}
      </p>
      {total !== null && total > 0 && (
        <Ticks
          kind="progress"
          value={collected}
          of={total}
          mostMarks={60}
          label={`${bar}: ${formatCount(collected)} ${collectionProgressTexts.of} ${formatCount(total)}`}
        />
      )}
      {reason && <p className="text-muted">{reason}</p>}
    </div>
  );
}
