import type { PlanOf } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { feedPage, hashtagPage, postHeart, profileGrid } from '../canary/recipes.js';
import { viewsOfPostAction } from '../driver/post-screen.js';
import type { Post } from '../network/posts.js';
import { actOn, type Candidates } from '../runs/acting-run.js';
import type { ActingModule, RunParts, Settler } from '../runs/run-module.js';
import { feedPosts } from '../sources/feed-posts.js';
import { hashtagPosts } from '../sources/hashtag.js';
import { NewestPosts } from '../sources/newest-posts.js';

export const like: ActingModule<PlanOf<'like'>> = {
  begin: (plan, parts) =>
    Promise.resolve(
      actOn(postsOf(plan, parts), (target) => [
        { action: 'like', target, views: viewsOfPostAction, act: (announce) => parts.screens.likes.like(target, announce) },
      ]),
    ),
};

export const likeSettler: Settler = { views: 1, settle: (reservation, { screens }) => screens.likes.settle(reservation) };

const isLikedAlready = ({ hasLiked }: Post) => (hasLiked === true ? 'already_so' : null);

function postsOf({ source, sourceOffset = 0 }: PlanOf<'like'>, parts: RunParts): Candidates {
  switch (source.kind) {
    case 'hashtag':
      return hashtagPosts(source.hashtag, isLikedAlready, viewsOfPostAction, parts);
    case 'feed':
      return feedPosts(isLikedAlready, viewsOfPostAction, parts);
    case 'slot':
      return new NewestPosts({ ...source, start: sourceOffset }, isLikedAlready, viewsOfPostAction, parts);
  }
}

/** The screens that the runs need. */
export const likeCanary: readonly CanaryRecipe[] = [hashtagPage, feedPage, profileGrid, postHeart];
