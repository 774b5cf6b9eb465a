import { type AutomationType, type WizardProblem } from '@decola/contracts';
import { isFilled } from './answered';
import { sentenceOf } from './sentence';
import { stepsOf, type WizardStep } from './steps';
import { toolSteps } from './tools/registry';
import type { Configuration } from './use-draft';

/** The progress of one step. */
export interface StepAnswer {
  isValid: boolean;
  /** Share of the step's questions that are answered, 0 to 1. */
  filled: number;
  /** What was answered, in a few words; empty until there is an answer. */
  said: string;
}

const share = (answers: readonly boolean[]) => answers.filter(Boolean).length / Math.max(1, answers.length);

/**
 * The state of every step, in order.
 * @param account display name of the chosen account; null while none is chosen
 * @param problems everything that prevents publishing the automation
 */
export function stepAnswers(
  type: AutomationType,
  configuration: Configuration,
  account: string | null,
  problems: readonly WizardProblem[],
): StepAnswer[] {
  const sentence = sentenceOf(type, configuration);
  const saidIn = (step: number) =>
    sentence
      .filter((part) => part.kind === 'said' && part.step === step)
      .map(({ text }) => text)
      .join(', ');
  const answerOf = (step: WizardStep, number: number): Omit<StepAnswer, 'isValid'> => {
    switch (step.kind) {
      case 'account':
        return { filled: account === null ? 0 : 1, said: account ?? '' };
      case 'fields':
        return { filled: share(toolSteps[type].answers(configuration, step.own)), said: saidIn(number) };
      case 'frequency': {
        // The actions per run are not counted: an empty field means the default.
        const isChosen = isFilled(configuration['frequency']);
        return { filled: isChosen ? 1 : 0, said: isChosen ? saidIn(number) : '' };
      }
    }
  };
  return stepsOf(type).map((step, index) => {
    const isValid = problems.every((problem) => problem.step !== index + 1);
    const { filled, said } = answerOf(step, index + 1);
    return { isValid, filled: isValid ? 1 : Math.min(filled, 0.9), said };
  });
}
