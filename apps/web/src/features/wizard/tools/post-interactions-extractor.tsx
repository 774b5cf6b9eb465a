import { ChoiceField } from '../../../components/ui/field';
import { Notice } from '../../../components/ui/surface';
import { isFilled } from '../answered';
import { choiceProps } from '../fields/field-props';
import { Region } from '../fields/region';
import { PostField } from '../fields/source-fields';
import { gap, said, textOf, word } from '../sentence-parts';
import { extractTexts, interactionTexts as texts } from './texts';
import type { FieldsProps, ToolSteps } from './tool-steps';

function Fields(props: FieldsProps) {
  const kind = textOf(props.configuration, 'interactionType');
  const { likes, comments, commentsGot } = texts.proposals;
  return (
    <>
      <Region>
        <ChoiceField
          legend={extractTexts.extract}
          choices={[
            { ...texts.likes, description: likes },
            { ...texts.comments, description: comments },
          ]}
          {...choiceProps(props, 'interactionType')}
        />
      </Region>
      <Region>
        <PostField {...props} />
      </Region>
      {kind !== '' && (
        <Region>
          <h3 className="text-lg">{extractTexts.proposals.expect}</h3>
          {kind === 'likes' ? <Notice>{texts.likesCut}</Notice> : <Notice tone="neutral">{commentsGot}</Notice>}
        </Region>
      )}
    </>
  );
}

export const postInteractionsExtractorSteps: ToolSteps = {
  fields: [Fields],
  answers: (configuration) => [isFilled(configuration['targets']), isFilled(configuration['interactionType'])],
  sentence: (configuration) => {
    const words = texts.sentence;
    const kind = configuration['interactionType'];
    return [
      word(words.who),
      kind === 'likes' ? said(words.liked) : kind === 'comments' ? said(words.commented) : gap(words.either),
      word(' '),
      textOf(configuration, 'targets') ? word(words.post) : gap(words.post),
      word(words.toFile),
    ];
  },
  acts: null,
};
