import { ChoiceField } from '../../../components/ui/field';
import { Notice } from '../../../components/ui/surface';
import { isFilled } from '../answered';
import { choiceProps } from '../fields/field-props';
import { Region } from '../fields/region';
import { ProfileField } from '../fields/source-fields';
import { answer, gap, named, textOf, word } from '../sentence-parts';
import { sentenceTexts } from '../texts';
import { extractTexts, listTexts as texts } from './texts';
import type { FieldsProps, ToolSteps } from './tool-steps';

function Fields(props: FieldsProps) {
  return (
    <>
      <Region>
        <ChoiceField legend={extractTexts.extract} choices={[texts.followers, texts.following]} {...choiceProps(props, 'extractionType')} />
      </Region>
      <Region>
        <ProfileField hint={texts.profileHint} {...props} />
      </Region>
      <Region>
        <h3 className="text-lg">{extractTexts.proposals.expect}</h3>
        <Notice>{texts.proposals.cut}</Notice>
      </Region>
    </>
  );
}

export const followersFollowingExtractorSteps: ToolSteps = {
  fields: [Fields],
  answers: (configuration) => [isFilled(configuration['targets']), isFilled(configuration['extractionType'])],
  sentence: (configuration) => {
    const words = texts.sentence;
    const profile = answer(named(textOf(configuration, 'targets')), sentenceTexts.gaps.profile);
    const kind = configuration['extractionType'];
    if (kind === 'following') return [word(words.who), profile, word(words.follows), word(words.toFile)];
    return [
      word(words.extract),
      kind === 'followers' ? word(words.followers) : gap(words.list),
      word(words.of),
      profile,
      word(words.toFile),
    ];
  },
  acts: null,
};
