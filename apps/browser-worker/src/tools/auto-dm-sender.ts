import type { PlanOf } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { commentBox, commentList, conversation, messageButton } from '../canary/recipes.js';
import { viewsOfMessage } from '../driver/direct-messages.js';
import { viewsOfPostAction } from '../driver/post-screen.js';
import type { Comment } from '../network/comments.js';
import { actOn, namedCandidates, type Step } from '../runs/acting-run.js';
import type { ActingModule, RunParts, Settler } from '../runs/run-module.js';
import { keywordComments } from '../sources/keyword-comments.js';

export const sendDm: ActingModule<PlanOf<'send-dm'>> = {
  async begin(plan, parts) {
    const comments = await keywordComments(plan, parts);
    return Array.isArray(comments) ? actOn(namedCandidates(comments), (comment) => stepsFor(comment, plan, parts)) : comments;
  },
};

export const messageSettler: Settler = {
  views: 1,
  settle: (reservation, { screens }) => screens.messages.settle(reservation, reservation.text),
};

export const replySettler: Settler = {
  views: 1,
  settle: (reservation, { screens, control, job }) => screens.comments.settle(reservation, () => control.pause(job.pace.pageGapMs)),
};

/** The message comes first: a public answer that announces it must not stand below a comment whose author got none. */
function* stepsFor(
  comment: Comment,
  { message, reply, postCode, answersOwed = [] }: PlanOf<'send-dm'>,
  { screens, control, job }: RunParts,
): Generator<Step> {
  const { pk, author: username, authorId } = comment;
  const person = { targetId: authorId, username, postCode };
  let isSent = answersOwed.includes(authorId);
  if (!isSent) {
    yield {
      action: 'message',
      target: person,
      said: comment.text,
      views: viewsOfMessage,
      act: async (announce) => {
        const sent = await screens.messages.send(person, message, announce);
        isSent = sent.outcome === 'confirmed';
        return sent;
      },
    };
  }
  if (!isSent || reply === null) return;
  const target = { targetId: pk, username, authorId, postCode };
  yield {
    action: 'reply',
    target,
    views: viewsOfPostAction,
    act: (announce) =>
      screens.comments.comment(target, {
        answers: comment,
        text: () => `@${username} ${reply}`,
        announce,
        betweenPages: () => control.pause(job.pace.pageGapMs),
      }),
  };
}

/** The screens that the runs need. */
export const sendDmCanary: readonly CanaryRecipe[] = [commentList, commentBox, messageButton, conversation];
