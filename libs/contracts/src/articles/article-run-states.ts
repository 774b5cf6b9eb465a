/** States of a run in which its article is being made. */
export const workingStates = ['choosing', 'outlining', 'drafting', 'reviewing', 'illustrating'] as const;
export type WorkingState = (typeof workingStates)[number];

/**
 * States of a run. `waiting_provider`: the model cannot be used now, and the run goes on by itself. `needs_review`: the article is a draft, because a rule is
 * broken. `published`: only articles of our own blog; those of customers are delivered from `approved`.
 */
export const articleRunStates = [
  'queued',
  ...workingStates,
  'waiting_provider',
  'needs_review',
  'waiting_approval',
  'approved',
  'published',
  'rejected',
  'expired',
  'skipped',
  'failed',
] as const;
export type ArticleRunState = (typeof articleRunStates)[number];

/** States in which a run goes on by itself. */
export const openStates = ['queued', ...workingStates, 'waiting_provider'] as const satisfies readonly ArticleRunState[];

export const isOpenRun = (state: ArticleRunState): boolean => (openStates as readonly string[]).includes(state);
