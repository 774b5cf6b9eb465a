import type { PlanOf, TargetSource } from '@decola/contracts';
import { isDeepStrictEqual } from 'node:util';
import { budgetOf, type RunModule } from './run-module.js';
import { sourceOfTurn, sourcesOf, whyFrom } from './sources.js';

type PostSource = PlanOf<'like'>['source'];

const isPostSource = (source: TargetSource): source is PostSource => source.kind !== 'list';

export const like: RunModule<'like'> = {
  // Start page, the posts' page, a post, the proof.
  leastViews: 4,
  plan(input) {
    const source = sourceOfTurn(sourcesOf(input.configuration).filter(isPostSource), input.runNumber);
    if (!source) return null;
    const plan = { kind: 'like' as const, source, budget: budgetOf(input) };
    return source.kind === 'slot' ? { ...plan, sourceOffset: input.sourceOffset } : plan;
  },
  isStillPlanned: (plan, configuration) => sourcesOf(configuration).some((source) => isDeepStrictEqual(source, plan.source)),
  preview: { why: ({ source }) => whyFrom(source, 'post') },
  readsLists: () => false,
};
