import { actionsPerRun, actionsPerRunOf, type AutomationType, frequencies, frequencyLabel } from '@decola/contracts';
import { Check, CircleDashed } from 'lucide-react';
import { SegmentField } from '../../components/ui/segments';
import { Stepper } from '../../components/ui/stepper';
import { Notice } from '../../components/ui/surface';
import { Marks } from '../../components/ui/ticks';
import { dialToolOf } from '../../components/tool-icon';
import type { QuietHours } from './day-plan';
import { DayWithPace } from './day-with-pace';
import { Region } from './fields/region';
import type { StepAnswer } from './step-answers';
import { frequencyProposals, frequencyTexts as texts } from './texts';
import { toolSteps } from './tools/registry';
import type { Configuration } from './use-draft';

interface FrequencyStepProps {
  type: AutomationType;
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  problems: Readonly<Record<string, string>>;
  userId: string;
  /** Id of the stored account; null for one whose session is pasted. */
  accountId: string | null;
  quiet: QuietHours;
}

/** A label such as `A cada 1 hora (recomendado)` on three short lines. Screen readers read it as one sentence. */
function FrequencyLabel({ text }: { text: string }) {
  const [, before = '', amount = text, after = ''] = /^(A cada) (.+?)(?: (\(.+\)))?$/.exec(text) ?? [];
  return (
    <>
      <span className="block text-xs font-normal">{before}</span> {amount}
      {after && (
        <>
          {' '}
          <span className="block text-xs font-normal">{after}</span>
        </>
      )}
    </>
  );
}

export function FrequencyStep({ type, configuration, onChange, problems, ...account }: FrequencyStepProps) {
  const typed = configuration['rowsPerLaunch'];
  const actions = actionsPerRunOf(typed);
  const acts = toolSteps[type].acts?.(configuration);
  return (
    <>
      <Region>
        <SegmentField
          legend={texts.frequency}
          segments={frequencies.map((value) => ({ value, label: <FrequencyLabel text={frequencyLabel(value)} /> }))}
          value={typeof configuration['frequency'] === 'string' ? configuration['frequency'] : ''}
          onChange={(frequency) => onChange({ frequency })}
          error={problems['frequency']}
        />
      </Region>
      <Region>
        <Stepper
          label={texts.actions}
          hint={texts.actionsHint}
          error={problems['rowsPerLaunch']}
          value={typeof typed === 'number' || typeof typed === 'string' ? String(typed) : ''}
          onChange={(value) => onChange({ rowsPerLaunch: value === '' ? '' : Number(value) })}
          min={actionsPerRun.min}
          max={actionsPerRun.max}
          usual={actionsPerRun.default}
          names={frequencyProposals}
        >
          <span className="flex items-center gap-3" data-tool={dialToolOf(type)}>
            <Marks value={actions} of={actionsPerRun.max} className="[&_i]:h-7 [&_i]:w-2" />
            <span className="text-sm text-muted">{frequencyProposals.ofMost(actions, actionsPerRun.max)}</span>
          </span>
        </Stepper>
      </Region>
      <Region>
        {acts && <DayWithPace {...account} {...acts} configuration={configuration} />}
        <Notice tone="neutral">{texts.limits}</Notice>
      </Region>
    </>
  );
}

interface ReviewProps {
  titles: readonly string[];
  answers: readonly StepAnswer[];
  onGo: (step: number) => void;
}

/** All steps with their answers, for a last check before publishing. */
export function Review({ titles, answers, onGo }: ReviewProps) {
  return (
    <Region>
      <h3 className="text-lg">{frequencyProposals.review}</h3>
      <ul className="-mt-2">
        {titles.map((title, index) => {
          const { isValid = false, said = '' } = answers[index] ?? {};
          return (
            <li
              key={title}
              className="grid min-h-14 grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-3 border-line py-1.5 text-md not-first:border-t"
            >
              {isValid ? <Check className="size-4 text-success" aria-hidden /> : <CircleDashed className="size-4 text-muted" aria-hidden />}
              <p className="min-w-0">
                <span className="block font-semibold [overflow-wrap:anywhere]">{isValid && said ? said : title}</span>{' '}
                <span className="block text-sm text-muted">{isValid ? said && title : frequencyProposals.missing}</span>
              </p>
              {index < titles.length - 1 && (
                <button type="button" className="inline-flex min-h-11 items-center link text-sm" onClick={() => onGo(index + 1)}>
                  {frequencyProposals.change} <span className="sr-only">{title}</span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </Region>
  );
}
