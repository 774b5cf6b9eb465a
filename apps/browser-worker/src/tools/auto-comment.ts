import { type PlanOf, TextRotation } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { commentBox, commentList, hashtagPage, profileGrid } from '../canary/recipes.js';
import { viewsOfPostAction } from '../driver/post-screen.js';
import type { Post } from '../network/posts.js';
import { actOn, type Candidates } from '../runs/acting-run.js';
import type { ActingModule, RunParts, Settler } from '../runs/run-module.js';
import { hashtagPosts } from '../sources/hashtag.js';
import { NewestPosts } from '../sources/newest-posts.js';

export const comment: ActingModule<PlanOf<'comment'>> = {
  begin(plan, parts) {
    const texts = new TextRotation(plan.texts, plan.textsUsed);
    return Promise.resolve(
      actOn(postsOf(plan, parts), (target) => [
        {
          action: 'comment',
          target,
          views: viewsOfPostAction,
          act: (announce) => {
            let text: string | null = null;
            return parts.screens.comments.comment(target, {
              text: () => (text ??= texts.next()),
              announce,
              betweenPages: betweenPagesOf(parts),
            });
          },
        },
      ]),
    );
  },
};

export const commentSettler: Settler = {
  views: 1,
  settle: (reservation, parts) => parts.screens.comments.settle(reservation, betweenPagesOf(parts)),
};

const betweenPagesOf =
  ({ control, job }: RunParts) =>
  () =>
    control.pause(job.pace.pageGapMs);

const isClosed = ({ isClosedToComments }: Post) => (isClosedToComments ? 'comments_off' : null);

function postsOf({ source, sourceOffset = 0 }: PlanOf<'comment'>, parts: RunParts): Candidates {
  switch (source.kind) {
    case 'hashtag':
      return hashtagPosts(source.hashtag, isClosed, viewsOfPostAction, parts);
    case 'slot':
      return new NewestPosts({ ...source, start: sourceOffset }, isClosed, viewsOfPostAction, parts);
  }
}

/** The screens that the runs need. */
export const commentCanary: readonly CanaryRecipe[] = [hashtagPage, profileGrid, commentBox, commentList];
