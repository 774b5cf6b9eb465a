import { tools } from '@decola/contracts';
import { sourceAnswers } from '../answered';
import { SourceFields } from '../fields/source-fields';
import { counted, sourceParts, word } from '../sentence-parts';
import { likeTexts as texts } from './texts';
import type { FieldsProps, ToolSteps } from './tool-steps';

function Fields(props: FieldsProps) {
  const { method, notes } = texts.proposals;
  return <SourceFields legend={method} methods={tools['auto-like'].methods} notes={notes} {...props} />;
}

export const autoLikeSteps: ToolSteps = {
  fields: [Fields],
  answers: sourceAnswers,
  sentence: (configuration) => [
    word(texts.sentence.most),
    counted(configuration, texts.unit),
    ...sourceParts(configuration, texts.sentence.source),
  ],
  acts: () => ({ usage: 'like', unit: texts.unit }),
};
