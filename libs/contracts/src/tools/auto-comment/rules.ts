import { z } from 'zod';
import {
  initialSchedule,
  oneOf,
  scheduleFields,
  sessionField,
  slotSourceFields,
  targetsField,
  textLimits,
} from '../configuration-fields.js';
import { fieldText, placeholderProblems, problemUnless, type RawConfiguration, sourceProblems } from '../problems.js';
import type { ToolRules } from '../rules.js';
import { autoComment } from './facts.js';

/** Bounds of the number of comments. */
export const commentCount = { min: 3, max: 10 } as const;

/** The texts that take turns, without blank ones. */
export function commentsOf(configuration: RawConfiguration): string[] {
  const given = configuration['commentsList'];
  const comments: unknown[] = Array.isArray(given) ? given : fieldText(configuration, 'comments').split('\n');
  return comments.flatMap((comment) => (typeof comment === 'string' && comment.trim() !== '' ? [comment.trim()] : []));
}

const schema = z.looseObject({
  ...sessionField,
  ...scheduleFields,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('comment'),
  method: oneOf('hashtag', 'slot'),
  commentsList: z.array(z.string().max(textLimits.comment)).max(commentCount.max).nullish(),
  /** `commentsList` joined by line breaks. The limit fits a full list of the longest comments. */
  comments: z
    .string()
    .max(commentCount.max * (textLimits.comment + 1))
    .nullish(),
});

export const autoCommentRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({
    sessionCookie: '',
    action: 'comment',
    method: '',
    targets: '',
    comments: '',
    commentsList: ['', '', ''],
    ...initialSchedule,
  }),
  problems: (configuration) => {
    const comments = commentsOf(configuration);
    const { length } = comments;
    return [
      ...sourceProblems(autoComment, configuration, 'Selecione um método de seleção'),
      ...problemUnless(length >= commentCount.min, 'commentsList', 'É necessário adicionar pelo menos 3 comentários'),
      ...problemUnless(length <= commentCount.max, 'commentsList', `Use no máximo ${commentCount.max} comentários`),
      ...comments.flatMap((comment) => placeholderProblems('commentsList', comment, 'no comentário')),
    ];
  },
};
