import { Ban } from 'lucide-react';
import { LightButton } from '../light-button';
import { PageFrame } from '../page-frame';
import { stateTexts } from './texts';

/** Says why there is no wheel. @param hint what the visitor can do about it */
export function StopCard({ text, hint, onRetry }: { text: string; hint: string; onRetry?: (() => void) | undefined }) {
  return (
    <PageFrame>
      <section role="alert" className="lit mt-6 grid w-full justify-items-center gap-2 rounded-panel px-5 py-9 text-center shadow-2">
        <span className="mb-2 grid size-16 place-content-center rounded-full bg-sunken text-muted">
          <Ban className="size-7" aria-hidden />
        </span>
        <h1 className="text-xl">{text}</h1>
        <p className="text-muted">{hint}</p>
        {onRetry && (
          <LightButton className="mt-3" onClick={onRetry}>
            {stateTexts.retry}
          </LightButton>
        )}
      </section>
    </PageFrame>
  );
}
