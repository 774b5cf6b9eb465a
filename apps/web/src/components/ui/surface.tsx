import { AlertTriangle, Loader2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../../lib/classes';
import { Button } from './button';

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={classes('rounded-2xl border border-line bg-surface p-5 sm:p-6', className)} {...rest} />;
}

const tones = {
  neutral: 'bg-sunken text-muted',
  brand: 'bg-brand-soft text-brand-strong',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;
export type Tone = keyof typeof tones;

export function Badge({ tone = 'neutral', className, children }: { tone?: Tone; className?: string; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center rounded-full px-2.5 py-0.5 text-[13px] font-semibold whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

export function Notice({ tone = 'warning', children }: { tone?: Tone; children: ReactNode }) {
  return <div className={classes('rounded-xl px-4 py-3 text-[15px]', tones[tone])}>{children}</div>;
}

/** A whole page that waits, with the text the specification names. */
export function Waiting({ text = 'Carregando...' }: { text?: string }) {
  return (
    <div role="status" className="grid min-h-[60vh] place-content-center justify-items-center gap-3 text-muted">
      <Loader2 className="size-8 animate-spin text-brand" aria-hidden />
      <p>{text}</p>
    </div>
  );
}

export function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-3 rounded-2xl border border-line bg-surface p-8 text-center">
      <AlertTriangle className="size-8 text-danger" aria-hidden />
      <p>{text}</p>
      <Button variant="outline" onClick={onRetry}>
        Tentar novamente
      </Button>
    </div>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <div className={classes('animate-pulse rounded-xl bg-line/70', className)} aria-hidden />;
}
