import { Check } from 'lucide-react';
import { Dial } from '../../components/ui/dial';
import { classes } from '../../lib/classes';
import type { StepAnswer } from './step-answers';
import { stepsTexts as texts } from './texts';

interface StepsNavProps {
  titles: readonly string[];
  /** Counted from 1. */
  current: number;
  answers: readonly StepAnswer[];
  /** The question of each step, shown until it is answered. */
  questions: readonly string[];
  /** Numbers of the steps with an invalid field. */
  failing: ReadonlySet<number>;
  onGo: (step: number) => void;
}

/** Buttons for all steps. The dial of each step shows the share of its questions that are answered, and a check mark when the step is valid. */
export function StepsNav({ titles, current, answers, questions, failing, onGo }: StepsNavProps) {
  return (
    <nav aria-label={texts.label} className="min-[1100px]:sticky min-[1100px]:top-24">
      <ol
        className="grid gap-1 sm:gap-2 min-[1100px]:grid-cols-1! min-[1100px]:gap-1"
        style={{ gridTemplateColumns: `repeat(${titles.length}, minmax(0, 1fr))` }}
      >
        {titles.map((title, index) => {
          const number = index + 1;
          const { isValid = false, filled = 0, said = '' } = answers[index] ?? {};
          const isFailing = failing.has(number) && !isValid;
          return (
            <li key={title} className="min-w-0">
              <button
                type="button"
                aria-current={number === current ? 'step' : undefined}
                onClick={() => onGo(number)}
                className={classes(
                  'grid w-full content-start justify-items-start gap-1.5 rounded-[12px] py-2 md:px-1 text-left text-sm leading-tight transition duration-150 md:grid-cols-[44px_minmax(0,1fr)] md:items-center md:gap-3 min-[1100px]:-ml-3 min-[1100px]:w-[calc(100%+0.75rem)] min-[1100px]:gap-3.5 min-[1100px]:px-3 min-[1100px]:py-2.5',
                  number === current
                    ? 'text-ink min-[1100px]:bg-surface/75 min-[1100px]:inset-ring min-[1100px]:inset-ring-rim'
                    : 'text-muted hover:text-ink',
                )}
              >
                <Dial
                  state={isFailing ? 'stop' : 'on'}
                  size="small"
                  filled={isValid ? 1 : filled}
                  className={classes('[--ts:transparent]', isValid ? '[--t:var(--success-lamp)]' : '[--t:var(--ink)]')}
                >
                  {isValid ? (
                    <Check className="icon text-success" />
                  ) : (
                    <span className={classes('text-sm font-bold', isFailing ? 'text-danger' : 'text-ink')}>{number}</span>
                  )}
                </Dial>
                <span className="w-full min-w-0">
                  <span className="block font-semibold hyphens-auto [overflow-wrap:anywhere]">{title}</span>{' '}
                  <span className="hidden text-xs [overflow-wrap:anywhere] text-muted min-[1100px]:line-clamp-2">
                    {said || questions[index]}
                  </span>
                  {isValid && <span className="sr-only">{texts.done}</span>}
                  {isFailing && <span className="sr-only">{texts.incomplete}</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
