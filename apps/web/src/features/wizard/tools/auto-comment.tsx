import { commentCount, commentsOf, tools } from '@decola/contracts';
import { sourceAnswers } from '../answered';
import { CommentsField } from '../fields/comments-field';
import { Region } from '../fields/region';
import { SourceFields } from '../fields/source-fields';
import { counted, sourceParts, word } from '../sentence-parts';
import { commentTexts as texts } from './texts';
import type { FieldsProps, PreviewProps, ToolSteps } from './tool-steps';

function Fields(props: FieldsProps) {
  return (
    <>
      <SourceFields legend={texts.proposals.method} methods={tools['auto-comment'].methods} notes={texts.proposals.notes} {...props} />
      <Region>
        <CommentsField configuration={props.configuration} onChange={props.onChange} error={props.problems['commentsList']} />
      </Region>
    </>
  );
}

/** Number of posts for which the preview shows the text that each gets. */
const shownPosts = 3;

/** The texts that the next posts get, in turn. */
function Preview({ configuration }: PreviewProps) {
  const comments = commentsOf(configuration);
  const { next, nextEmpty, post } = texts.proposals;
  return (
    <>
      <h3 className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">{next}</h3>
      {comments.length < commentCount.min ? (
        <p className="text-sm text-muted">{nextEmpty}</p>
      ) : (
        <ol className="grid gap-2">
          {comments.slice(0, shownPosts).map((comment, index) => (
            <li key={index} className="grid justify-items-start gap-1 text-sm">
              <span className="text-muted">{post(index + 1)}</span>
              <span className="max-w-full rounded-[14px_14px_14px_4px] bg-sunken px-3 py-2 [overflow-wrap:anywhere]">
                <span className="line-clamp-3">{comment}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

export const autoCommentSteps: ToolSteps = {
  fields: [Fields],
  answers: (configuration) => [...sourceAnswers(configuration), commentsOf(configuration).length >= commentCount.min],
  sentence: (configuration) => [
    word(texts.sentence.most),
    counted(configuration, texts.unit),
    ...sourceParts(configuration, texts.sentence.source),
    word(texts.sentence.turns),
  ],
  Preview,
  acts: () => ({ usage: 'comment', unit: texts.unit }),
};
