import type { AutomationsConfig } from './config.js';

/** What decides about runs, reservations and previews, as an operator configured it. */
export const runRules = (config: AutomationsConfig) => ({
  ceilings: config.CEILINGS,
  actionGapMs: config.ACTION_GAP_MS,
  pageGapMs: config.PAGE_GAP_MS,
  unfollowAfterDays: config.UNFOLLOW_AFTER_DAYS,
  jobTtlMs: config.RUN_JOB_TTL_MS,
  /** See `TargetRules`. */
  pepper: config.ACCOUNT_KEY_PEPPER,
});
