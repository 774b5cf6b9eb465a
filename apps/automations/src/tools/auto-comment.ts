import { commentsOf, type PlanOf, type TargetSource, TextRotation } from '@decola/contracts';
import { isDeepStrictEqual } from 'node:util';
import { budgetOf, type RunModule } from './run-module.js';
import { sourceOfTurn, sourcesOf, whyFrom } from './sources.js';

type PostSource = PlanOf<'comment'>['source'];

const isPostSource = (source: TargetSource): source is PostSource => source.kind === 'hashtag' || source.kind === 'slot';

export const comment: RunModule<'comment'> = {
  // Start page, the posts' page, a post, the proof.
  leastViews: 4,
  plan(input) {
    const source = sourceOfTurn(sourcesOf(input.configuration).filter(isPostSource), input.runNumber);
    const texts = commentsOf(input.configuration);
    if (!source || texts.length === 0) return null;
    const plan = { kind: 'comment' as const, source, budget: budgetOf(input), texts, textsUsed: input.actionsSoFar };
    return source.kind === 'slot' ? { ...plan, sourceOffset: input.sourceOffset } : plan;
  },
  isStillPlanned: (plan, configuration) => sourcesOf(configuration).some((source) => isDeepStrictEqual(source, plan.source)),
  preview: {
    why: ({ source }) => whyFrom(source, 'post'),
    texts: ({ texts, textsUsed }) => new TextRotation(texts, textsUsed),
  },
  readsLists: () => false,
  countsActions: true,
};
