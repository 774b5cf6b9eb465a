import type { AutomationType } from '@decola/contracts';
import { autoCommentSteps } from './auto-comment';
import { autoDmSenderSteps } from './auto-dm-sender';
import { autoFollowUnfollowSteps } from './auto-follow-unfollow';
import { autoLikeSteps } from './auto-like';
import { followersFollowingExtractorSteps } from './followers-following-extractor';
import { massStoryViewerSteps } from './mass-story-viewer';
import { postInteractionsExtractorSteps } from './post-interactions-extractor';
import { prizeExtractorSteps } from './prize-extractor';
import type { ToolSteps } from './tool-steps';

/** The wizard's part of every tool. It does not compile while one is missing. */
export const toolSteps: Record<AutomationType, ToolSteps> = {
  'auto-follow-unfollow': autoFollowUnfollowSteps,
  'auto-like': autoLikeSteps,
  'auto-comment': autoCommentSteps,
  'auto-dm-sender': autoDmSenderSteps,
  'prize-extractor': prizeExtractorSteps,
  'followers-following-extractor': followersFollowingExtractorSteps,
  'post-interactions-extractor': postInteractionsExtractorSteps,
  'mass-story-viewer': massStoryViewerSteps,
} satisfies Record<AutomationType, ToolSteps>;
