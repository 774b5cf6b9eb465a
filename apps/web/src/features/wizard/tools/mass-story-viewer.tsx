import { tools } from '@decola/contracts';
import { sourceAnswers } from '../answered';
import { SourceFields } from '../fields/source-fields';
import { counted, sourceParts, word } from '../sentence-parts';
import { storyTexts as texts } from './texts';
import type { FieldsProps, ToolSteps } from './tool-steps';

const { methods } = tools['mass-story-viewer'];
const notes = Object.fromEntries(methods.map(({ value }) => [value, texts.proposals.counted]));

function Fields(props: FieldsProps) {
  return <SourceFields legend={texts.proposals.method} methods={methods} notes={notes} {...props} />;
}

export const massStoryViewerSteps: ToolSteps = {
  fields: [Fields],
  answers: sourceAnswers,
  sentence: (configuration) => [
    word(texts.sentence.see),
    counted(configuration, texts.unit),
    ...sourceParts(configuration, texts.sentence.source),
  ],
  acts: () => ({ usage: 'view-story', unit: texts.unit }),
};
