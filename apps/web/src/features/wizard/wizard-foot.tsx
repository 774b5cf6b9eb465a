import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button';
import { FlightSentence } from './flight-sentence';
import type { SentencePart } from './sentence-parts';
import { wizardPageTexts as texts } from './texts';
import type { SaveKind } from './use-save';

interface WizardFootProps {
  /** Shown where the plan stands below the form instead of beside it. */
  sentence: readonly SentencePart[];
  step: number;
  isLast: boolean;
  /** False: it can only be kept as a draft. */
  isRunnable: boolean;
  /** A draft can be saved at every step, not only at the last one. */
  isDraftAlways?: boolean;
  /** What is being saved. */
  saving: SaveKind | null;
  isBusy: boolean;
  publishLabel: string;
  goTo: (step: number) => void;
  onFinish: (kind: SaveKind) => void;
  /** Stands between the buttons. */
  children?: ReactNode;
}

/** The buttons of a wizard, always in sight. */
export function WizardFoot(props: WizardFootProps) {
  const { sentence, step, isLast, isRunnable, isDraftAlways = false, saving, isBusy, publishLabel, goTo, onFinish, children } = props;
  return (
    <div
      data-foot
      className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-2 rounded-b-panel border-t border-line bg-surface-end px-4 pt-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:-mx-7 sm:px-7 sm:py-4"
    >
      {sentence.length > 0 && (
        <p className="basis-full text-sm leading-snug font-medium min-[1100px]:hidden" aria-hidden>
          <FlightSentence parts={sentence} />
        </p>
      )}
      {step > 1 && (
        <Button variant="quiet" className="sm:-ml-3" onClick={() => goTo(step - 1)}>
          {texts.previous}
        </Button>
      )}
      {children}
      <div className="contents sm:ml-auto sm:flex sm:gap-2">
        {(isLast || isDraftAlways) && (
          <Button
            variant={isLast && !isRunnable ? 'primary' : 'secondary'}
            onClick={() => onFinish('draft')}
            isBusy={saving === 'draft'}
            disabled={isBusy}
            className="max-sm:flex-1"
          >
            {texts.saveDraft}
          </Button>
        )}
        {isLast && isRunnable && (
          <Button
            onClick={() => onFinish('publish')}
            isBusy={saving === 'publish'}
            disabled={isBusy}
            className="max-sm:grow max-sm:basis-full"
          >
            {publishLabel}
          </Button>
        )}
        {!isLast && (
          <Button className="max-sm:flex-1" onClick={() => goTo(step + 1)}>
            {texts.next} <ArrowRight className="size-4" aria-hidden />
          </Button>
        )}
      </div>
    </div>
  );
}
