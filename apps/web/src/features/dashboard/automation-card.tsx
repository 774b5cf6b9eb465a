import type { AutomationStatus } from '@decola/contracts';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatCount } from '../../lib/format';

const statuses: Record<AutomationStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Rascunho', tone: 'neutral' },
  waiting: { label: 'Ativo', tone: 'success' },
  running: { label: 'Executando agora', tone: 'brand' },
  paused: { label: 'Parado', tone: 'danger' },
  blocked: { label: 'Parado', tone: 'danger' },
  done: { label: 'Concluído', tone: 'success' },
};

interface AutomationCardProps {
  icon: ReactNode;
  /** The name, or the field in which it is changed. */
  title: ReactNode;
  subtitle: string;
  status: AutomationStatus;
  /** Switched off: a red border and 'Inativo'. */
  isInactive: boolean;
  /** Why it stands still, and what to do. */
  reason?: string | null;
  control?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** How one automation looks; knows nothing of where it comes from, so that the landing page shows the real thing. */
export function AutomationCard({ icon, title, subtitle, status, isInactive, reason, control, actions, children }: AutomationCardProps) {
  const { label, tone } = statuses[status];
  return (
    <div
      className={classes('grid grid-cols-1 gap-3 rounded-2xl border bg-surface p-4 sm:p-5', isInactive ? 'border-danger' : 'border-line')}
    >
      <div className="flex items-start gap-3">
        <span className="hidden size-11 shrink-0 place-content-center rounded-xl bg-brand-soft text-brand sm:grid [&_svg]:size-5">
          {icon}
        </span>
        <div className="min-w-0 flex-1">
          {title}
          <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
            <p className="text-sm text-muted">{subtitle}</p>
            <span className="flex gap-2">
              {isInactive && <Badge tone="danger">Inativo</Badge>}
              <Badge tone={tone}>{label}</Badge>
            </span>
          </div>
        </div>
        {control}
      </div>
      {reason && (
        <p className={classes('rounded-xl px-4 py-3 text-[15px]', status === 'blocked' ? 'bg-danger-soft text-danger' : 'bg-sunken')}>
          {reason}
        </p>
      )}
      {children}
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

/** What is known of an automation's runs, one short fact each; facts without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | null])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="flex gap-1.5">
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
  /** What the profile says; null while it is not known. */
  total: number | null;
  isRunning: boolean;
  isComplete: boolean;
  reason: string | null;
}

/** How far an extraction is, in the honest words "X de Y". */
export function Collected({ collected, total, isRunning, isComplete, reason }: CollectedProps) {
  const share = total ? Math.min(1, collected / total) : 0;
  return (
    <div className="grid gap-1.5">
      <p className="text-[15px]" data-testid="progress">
        obtidos <strong>{formatCount(collected)}</strong>
        {total !== null && <> de {formatCount(total)}</>}
        {isRunning && <span className="text-muted"> · coletando</span>}
      </p>
      {total !== null && !isComplete && (
        <div
          className="h-2 overflow-hidden rounded-full bg-sunken"
          role="progressbar"
          aria-label="Pessoas coletadas"
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={collected}
        >
          <div className="h-full bg-brand transition-[width] duration-200" style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {reason && <p className="text-sm text-muted">{reason}</p>}
    </div>
  );
}
