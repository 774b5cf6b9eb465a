import { z } from 'zod';
import type { DoubtfulClaim } from './customer-articles.js';

/** Why an article of a customer's site should be written anew. `age`: nobody has changed it for 180 days. */
export const refreshReasons = ['age', 'dead_links', 'stale_year'] as const;
export type RefreshReason = (typeof refreshReasons)[number];

/** What was found. A proposal that its owner dismissed does not come back for 180 days. */
export type RefreshProposalState = 'proposed' | 'accepted' | 'dismissed';

/** Facts of a proposal; each reason has its own. */
export interface RefreshDetail {
  /** `age`: since when the article is as it is; ISO 8601. */
  since?: string;
  /** `dead_links`: addresses that were not found on two days. */
  links?: string[];
  /** `stale_year`: the year, and the title, heading or sentence that has it. */
  year?: number;
  quote?: string;
}

/** A row of `refresh_proposals` over rest/v1: one for each article and reason. */
export interface RefreshProposal {
  id: string;
  user_id: string;
  article_id: string;
  reason: RefreshReason;
  detail: RefreshDetail;
  state: RefreshProposalState;
  created_at: string;
  updated_at: string;
}

/**
 * States of a new text for an article that is on its owner's site. `waiting`: its owner decides; until then the article stays as it is. `done`: it is the article's
 * new revision. `discarded`: its owner did not want it. `failed`: there is no text (`problem`), and it can be asked for again.
 */
export const articleRefreshStates = ['writing', 'waiting', 'done', 'discarded', 'failed'] as const;
export type ArticleRefreshState = (typeof articleRefreshStates)[number];

/** A row of `article_refreshes` over rest/v1. */
export interface ArticleRefresh {
  id: string;
  user_id: string;
  article_id: string;
  run_id: string;
  state: ArticleRefreshState;
  reasons: RefreshReason[];
  /** Of the new text; null while it is being written. */
  title: string | null;
  content_html: string | null;
  claims: DoubtfulClaim[];
  /** Why it waits, or why there is none. */
  problem: string | null;
  /** Until when its owner can decide. */
  until: string | null;
  created_at: string;
  updated_at: string;
}

/** `accept`: have the text written. `dismiss`: leave the article as it is. `publish` and `discard`: about a new text that waits. */
export const refreshDecisions = ['accept', 'dismiss', 'publish', 'discard'] as const;
export type RefreshDecision = (typeof refreshDecisions)[number];

/** Body of `refresh-article`. It answers a `DoneAnswer`; the same decision again is no error. */
export const refreshArticleBody = z.looseObject({ articleId: z.uuid(), decision: z.enum(refreshDecisions) });
export type RefreshArticleBody = z.infer<typeof refreshArticleBody>;
