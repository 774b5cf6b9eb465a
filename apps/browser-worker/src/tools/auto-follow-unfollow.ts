import type { LedgerTarget, PlanOf } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { followersList, hashtagPage, ownProfile, profileHeader } from '../canary/recipes.js';
import { viewsOfAction } from '../driver/friendship.js';
import type { Post } from '../network/posts.js';
import { actOn, type Candidates, namedCandidates } from '../runs/acting-run.js';
import type { ActingModule, RunParts, Settler } from '../runs/run-module.js';
import { done } from '../runs/run-report.js';
import { hashtagPeople } from '../sources/hashtag.js';
import { ListPeople } from '../sources/list-people.js';
import { SlotPeople } from '../sources/slot-people.js';

/** A margin below the 7,500 people that an account can follow (instagram-web.md, 4.3). */
const mostFollowed = 7_400;

export const follow: ActingModule<PlanOf<'follow'>> = {
  async begin(plan, parts) {
    const { screens, control, job } = parts;
    // At the network's limit every follow fails until the customer unfollows people.
    const own = await screens.profiles.openOwn();
    if ((own.following ?? 0) >= mostFollowed) return { ...done, targetProblem: 'limit_of_network' };
    await control.pause(job.pace.pageGapMs);
    const { requestPrivate } = plan;
    return actOn(peopleOf(plan, parts), (target) => [
      {
        action: 'follow',
        target,
        views: viewsOfAction,
        act: (announce) => screens.friendship.follow(target, { requestPrivate, announce }),
      },
    ]);
  },
};

export const unfollow: ActingModule<PlanOf<'unfollow'>> = {
  begin({ targets, source, sourceOffset = 0 }, parts) {
    // From a list only people are reserved whom the ledger knows as followed by us.
    const people = source ? new SlotPeople(source.extractedDataId, sourceOffset, parts) : namedCandidates(targets);
    const { friendship } = parts.screens;
    return Promise.resolve(
      actOn(people, (target) => [
        { action: 'unfollow', target, views: viewsOfAction, act: (announce) => friendship.unfollow(target, { announce }) },
      ]),
    );
  },
};

export const followSettler = settlerOf('follow');
export const unfollowSettler = settlerOf('unfollow');

function settlerOf(action: 'follow' | 'unfollow'): Settler {
  return { views: 1, settle: (reservation, { screens }) => screens.friendship.settle(action, reservation) };
}

function peopleOf(plan: PlanOf<'follow'>, parts: RunParts): Candidates<LedgerTarget> {
  const { source } = plan;
  switch (source.kind) {
    case 'hashtag':
      return hashtagPeople(source.hashtag, whyNotVisited(plan), viewsOfAction, parts);
    case 'list':
      return new ListPeople(
        { username: source.username, mostPages: plan.maxPages ?? Infinity, publicOnly: !plan.requestPrivate, viewsOfAction },
        parts,
      );
    case 'slot':
      return new SlotPeople(source.extractedDataId, plan.sourceOffset ?? 0, parts);
  }
}

/** Why it would be no use to visit the author of a post, as the post shows: a visit costs a page view. */
const whyNotVisited =
  ({ requestPrivate }: PlanOf<'follow'>) =>
  ({ followsAuthor, isAuthorPrivate }: Post) => {
    if (followsAuthor === true) return 'already_so';
    return isAuthorPrivate && !requestPrivate ? 'target_private' : null;
  };

/** The screens that the kinds of runs need. */
export const followCanary: readonly CanaryRecipe[] = [ownProfile, hashtagPage, followersList, profileHeader];
export const unfollowCanary: readonly CanaryRecipe[] = [profileHeader];
