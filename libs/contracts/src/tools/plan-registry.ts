import { z } from 'zod';
import { commentPlan } from './auto-comment/plan.js';
import { sendDmPlan } from './auto-dm-sender/plan.js';
import { followPlan, unfollowPlan } from './auto-follow-unfollow/plan.js';
import { likePlan } from './auto-like/plan.js';
import { extractListPlan } from './followers-following-extractor/plan.js';
import { viewStoryPlan } from './mass-story-viewer/plan.js';
import { extractInteractionsPlan } from './post-interactions-extractor/plan.js';
import type { RunKind } from './registry.js';

/** Opens the site's start page once, to see whether the session works and whose it is. Belongs to no tool. */
const checkSessionPlan = z.object({ kind: z.literal('check-session') });

/** One schema for each kind of run of the tools. */
const toolPlan = z.discriminatedUnion('kind', [
  followPlan,
  unfollowPlan,
  likePlan,
  commentPlan,
  viewStoryPlan,
  sendDmPlan,
  extractListPlan,
  extractInteractionsPlan,
]);
export type ToolPlan = z.infer<typeof toolPlan>;

/**
 * Finds the targets of another plan and does nothing to them. A plan of its own, and no mark on the other one: a worker of an earlier version
 * refuses it, where it would overlook a mark and act.
 */
const previewPlan = z.object({ kind: z.literal('preview'), of: toolPlan });

/** What a run is told to do. */
export const runPlan = z.discriminatedUnion('kind', [...toolPlan.options, checkSessionPlan, previewPlan]);
export type RunPlan = z.infer<typeof runPlan>;

/** The plan of one kind of run. It does not compile for a kind that no schema above describes. */
export type PlanOf<Kind extends RunKind | 'check-session' | 'preview'> = Extract<RunPlan, { kind: Kind }>;
type KindWithoutPlan = Exclude<RunKind, ToolPlan['kind']>;
type PlanWithoutTool = Exclude<ToolPlan['kind'], RunKind>;
/** Compiles only while the kinds of runs that the tools name are those that have a plan. */
const _plansFitTools: [KindWithoutPlan, PlanWithoutTool] extends [never, never] ? true : never = true;
void _plansFitTools;
