import type { PerformedAction, PlanOf, RunAction, RunKind } from '@decola/contracts';
import type { ReadingModule, RunModules, Settler, ToolModule } from '../runs/run-module.js';
import { comment, commentSettler } from './auto-comment.js';
import { messageSettler, replySettler, sendDm } from './auto-dm-sender.js';
import { follow, followSettler, unfollow, unfollowSettler } from './auto-follow-unfollow.js';
import { like, likeSettler } from './auto-like.js';
import { checkSession } from './check-session.js';
import { extractList } from './followers-following-extractor.js';
import { viewStory, viewStorySettler } from './mass-story-viewer.js';
import { extractInteractions } from './post-interactions-extractor.js';

/** How each kind of run is carried out. It does not compile while a kind of a tool, or a settler of an action of it, is missing. */
export const runModules: RunModules = {
  runs: {
    'check-session': checkSession,
    follow,
    unfollow,
    like,
    comment,
    'view-story': viewStory,
    'send-dm': sendDm,
    'extract-list': extractList,
    'extract-interactions': extractInteractions,
  } satisfies { [Kind in RunKind]: ToolModule<PlanOf<Kind>> } & { 'check-session': ReadingModule<PlanOf<'check-session'>> },
  settlers: {
    follow: followSettler,
    unfollow: unfollowSettler,
    like: likeSettler,
    comment: commentSettler,
    'view-story': viewStorySettler,
    message: messageSettler,
    reply: replySettler,
  } satisfies { [Action in RunAction]?: Settler } & { [Action in PerformedAction]: Settler },
};
