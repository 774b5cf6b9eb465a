import type { PlanOf } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { hashtagPage, storiesTray, storyGate } from '../canary/recipes.js';
import { unknownOutcome } from '../driver/action-result.js';
import { viewsOfStory } from '../driver/story-viewer.js';
import { actOn, type Candidates } from '../runs/acting-run.js';
import type { ActingModule, RunParts, Settler } from '../runs/run-module.js';
import { hashtagPeople } from '../sources/hashtag.js';
import { SlotPeople } from '../sources/slot-people.js';
import { TrayPeople } from '../sources/tray-people.js';

export const viewStory: ActingModule<PlanOf<'view-story'>> = {
  begin: (plan, parts) =>
    Promise.resolve(
      actOn(peopleOf(plan, parts), (target) => [
        { action: 'view-story', target, views: viewsOfStory, act: (announce) => parts.screens.stories.watch(target, announce) },
      ]),
    ),
};

/** No page says whose stories were seen. */
export const viewStorySettler: Settler = { views: 0, settle: () => Promise.resolve(unknownOutcome('no page shows it')) };

function peopleOf({ source, sourceOffset = 0 }: PlanOf<'view-story'>, parts: RunParts): Candidates {
  switch (source.kind) {
    case 'feed':
      return new TrayPeople(viewsOfStory, parts);
    case 'hashtag':
      return hashtagPeople(source.hashtag, () => null, viewsOfStory, parts);
    case 'slot':
      return new SlotPeople(source.extractedDataId, sourceOffset, parts);
  }
}

/** The screens that the runs need. */
export const viewStoryCanary: readonly CanaryRecipe[] = [storiesTray, hashtagPage, storyGate];
