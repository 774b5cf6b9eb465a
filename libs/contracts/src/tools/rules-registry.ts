import type { z } from 'zod';
import { autoCommentRules } from './auto-comment/rules.js';
import { autoDmSenderRules } from './auto-dm-sender/rules.js';
import { autoFollowUnfollowRules } from './auto-follow-unfollow/rules.js';
import { autoLikeRules } from './auto-like/rules.js';
import { followersFollowingExtractorRules } from './followers-following-extractor/rules.js';
import { massStoryViewerRules } from './mass-story-viewer/rules.js';
import { postInteractionsExtractorRules } from './post-interactions-extractor/rules.js';
import { prizeExtractorRules } from './prize-extractor/rules.js';
import type { RawConfiguration } from './problems.js';
import type { AutomationType } from './registry.js';
import type { ToolRules } from './rules.js';

const rules = {
  'auto-follow-unfollow': autoFollowUnfollowRules,
  'auto-like': autoLikeRules,
  'auto-comment': autoCommentRules,
  'auto-dm-sender': autoDmSenderRules,
  'prize-extractor': prizeExtractorRules,
  'followers-following-extractor': followersFollowingExtractorRules,
  'post-interactions-extractor': postInteractionsExtractorRules,
  'mass-story-viewer': massStoryViewerRules,
} as const satisfies Record<AutomationType, ToolRules>;

type Rules = typeof rules;
export type AutomationConfiguration<Type extends AutomationType = AutomationType> = z.infer<Rules[Type]['schema']>;

export const toolRules: Record<AutomationType, ToolRules> = rules;

/** The configuration that the wizard starts with. */
export function defaultConfiguration<Type extends AutomationType>(type: Type): AutomationConfiguration<Type> {
  return toolRules[type].initial() as AutomationConfiguration<Type>;
}

/** The configuration that is stored for one that a client sent. Applying it again changes nothing. */
export function normaliseConfiguration(type: AutomationType, configuration: RawConfiguration): RawConfiguration {
  return toolRules[type].normalise?.(configuration) ?? configuration;
}
