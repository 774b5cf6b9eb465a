import type { Canaries } from '../canary/canary.js';
import { commentCanary } from './auto-comment.js';
import { sendDmCanary } from './auto-dm-sender.js';
import { followCanary, unfollowCanary } from './auto-follow-unfollow.js';
import { likeCanary } from './auto-like.js';
import { checkSessionCanary } from './check-session.js';
import { extractListCanary } from './followers-following-extractor.js';
import { viewStoryCanary } from './mass-story-viewer.js';
import { extractInteractionsCanary } from './post-interactions-extractor.js';

/**
 * The screens that each kind of run needs, for an operator's canary. It does not compile while a kind of a tool is missing. Recipes are checked in
 * this order, each once: the hashtag's page comes before the recipes for posts, which look at a post of it.
 */
export const canaries: Canaries = {
  'check-session': checkSessionCanary,
  follow: followCanary,
  unfollow: unfollowCanary,
  like: likeCanary,
  comment: commentCanary,
  'view-story': viewStoryCanary,
  'send-dm': sendDmCanary,
  'extract-list': extractListCanary,
  'extract-interactions': extractInteractionsCanary,
};
