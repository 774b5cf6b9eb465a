import type { PlanOf, TargetSource } from '@decola/contracts';
import { isDeepStrictEqual } from 'node:util';
import { runTexts } from '../texts/texts.js';
import { budgetOf, type RunModule } from './run-module.js';
import { sourceOfTurn, sourcesOf, whyFrom } from './sources.js';

type StorySource = PlanOf<'view-story'>['source'];

const isStorySource = (source: TargetSource): source is StorySource => source.kind !== 'list';

export const viewStory: RunModule<'view-story'> = {
  // Start page, the page with the people, a story.
  leastViews: 3,
  plan(input) {
    const source = sourceOfTurn(sourcesOf(input.configuration).filter(isStorySource), input.runNumber);
    if (!source) return null;
    const plan = { kind: 'view-story' as const, source, budget: budgetOf(input) };
    return source.kind === 'slot' ? { ...plan, sourceOffset: input.sourceOffset } : plan;
  },
  isStillPlanned: (plan, configuration) => sourcesOf(configuration).some((source) => isDeepStrictEqual(source, plan.source)),
  preview: { why: ({ source }) => whyFrom(source, 'story') },
  readsLists: () => false,
  // People show new stories every day.
  rereadsLists: { reason: runTexts.storiesOfListSeen },
};
