import { AlertTriangle, Loader2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../../lib/classes';
import { Button } from './button';
import { badgeLook, lampOfTone, noticeLook, type Tone, tones } from './looks';
import { stateTexts as texts } from './texts';

export type { Tone };

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={classes('lit rounded-panel p-5 shadow-2 sm:p-6', className)} {...rest} />;
}

export function Badge({ tone = 'neutral', className, children }: { tone?: Tone; className?: string; children: ReactNode }) {
  return <span className={classes(badgeLook, tones[tone], className)}>{children}</span>;
}

/** A word from the product: a light, and its sentence on a soft ground. */
export function Notice({ tone = 'warning', className, children }: { tone?: Tone; className?: string; children: ReactNode }) {
  return (
    <div data-lamp={lampOfTone[tone]} className={classes(noticeLook, tones[tone], 'text-ink', className)}>
      <span className="light mt-[7px]" aria-hidden />
      <div>{children}</div>
    </div>
  );
}

/** Stands in for a page that is loading; the specification names the texts. */
export function Waiting({ text = texts.loading }: { text?: string }) {
  return (
    <div role="status" className="grid min-h-[60vh] place-content-center justify-items-center gap-3 text-muted">
      <Loader2 className="size-8 animate-spin" aria-hidden />
      <p>{text}</p>
    </div>
  );
}

export function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-3 rounded-panel p-8 text-center inset-ring-[1.5px] inset-ring-danger-lamp">
      <AlertTriangle className="size-8 text-danger" aria-hidden />
      <p>{text}</p>
      <Button variant="secondary" onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <div className={classes('skeleton', className)} aria-hidden />;
}
