import { z } from 'zod';
import type { ArticleImage } from './pictures.js';

/**
 * States of an article for a customer's site. `needs_review`: a rule is broken, so its owner decides. `rewriting`: its owner asked for a change, which is being
 * written. Approved ones are delivered.
 */
export const customerArticleStates = ['waiting_approval', 'needs_review', 'rewriting', 'approved', 'rejected', 'expired'] as const;
export type CustomerArticleState = (typeof customerArticleStates)[number];

/** States in which its owner may decide about an article. */
export const waitingArticleStates = ['waiting_approval', 'needs_review'] as const satisfies readonly CustomerArticleState[];
export const isWaitingArticle = (state: CustomerArticleState): boolean => (waitingArticleStates as readonly string[]).includes(state);

/** What search engines are told of an article. */
export interface CustomerArticleMeta {
  metaTitle: string;
  metaDescription: string;
  focusKeyword: string;
}

/** A statement of an article that its review doubts. */
export interface DoubtfulClaim {
  /** As it stands in the article. */
  quote: string;
  /** What the review says of it: `doubtful` or `invented`. */
  verdict: string;
}

/** A row of `customer_articles` over rest/v1. */
export interface CustomerArticle {
  id: string;
  user_id: string;
  blog_automation_id: string;
  run_id: string;
  /** Host of the site that it is for, without `www.`. */
  site_key: string;
  /** Grows with every change of the text. */
  revision: number;
  title: string;
  slug: string;
  content_html: string;
  excerpt: string;
  /** Null: the site chooses. */
  category: string | null;
  tags: string[];
  meta: CustomerArticleMeta;
  image: ArticleImage | null;
  claims: DoubtfulClaim[];
  publish_mode: 'publish' | 'draft';
  state: CustomerArticleState;
  /** Why it waits, or what its owner said against it. */
  reason: string | null;
  /** A waiting article expires then. */
  approval_until: string | null;
  created_at: string;
  updated_at: string;
}

/** What the owner of an article may say: deliver it, have it rewritten once with a note, or do without it. */
export const articleDecisions = ['approve', 'change', 'reject'] as const;
export type ArticleDecision = (typeof articleDecisions)[number];

const decision = { decision: z.enum(articleDecisions), note: z.string().max(1_000).nullish() };

/** Body of `decide-article`. A change needs a note; the reason of a rejection is optional, and kept for the choice of later topics. */
export const decideArticleBody = z.looseObject({ articleId: z.uuid(), ...decision });
export type DecideArticleBody = z.infer<typeof decideArticleBody>;

/** Body of a decision on the page that a mail leads to. */
export const decideByMailBody = z.looseObject({ ...decision, nonce: z.string().max(300) });
export type DecideByMailBody = z.infer<typeof decideByMailBody>;

/** Answer of functions that only do something. */
export type DoneAnswer = { success: true } | { success: false; error: string };

/**
 * What the page of an approval mail shows: `GET /internal/site/approval/:token` of blog, which changes nothing. The page sends `nonce` back with the decision, by
 * POST to the same address, which answers a `DoneAnswer`.
 */
export type ApprovalAnswer =
  | {
      state: 'open';
      article: {
        title: string;
        /** Cleaned HTML. */
        contentHtml: string;
        excerpt: string;
        category: string | null;
        tags: string[];
        image: ArticleImage | null;
        claims: DoubtfulClaim[];
        siteKey: string;
        /** How the site gets it. */
        publishMode: 'publish' | 'draft';
      };
      /** Why it needs its owner; null when it waits because the owner wants to see every article. */
      reason: string | null;
      /** ISO 8601. */
      until: string;
      /** False when it was rewritten already. */
      canChange: boolean;
      nonce: string;
    }
  | { state: 'decided'; title: string; decision: ArticleDecision }
  /** The link or the article is too old. */
  | { state: 'expired'; title: string }
  | { state: 'unknown' };

/** Body of `update-article`. What is absent stays as it is. */
export const updateArticleBody = z.looseObject({
  articleId: z.uuid(),
  title: z.string().max(300).nullish(),
  content_html: z.string().max(200_000).nullish(),
  meta: z
    .looseObject({
      metaTitle: z.string().max(200).nullish(),
      metaDescription: z.string().max(500).nullish(),
      focusKeyword: z.string().max(300).nullish(),
    })
    .nullish(),
});
export type UpdateArticleBody = z.infer<typeof updateArticleBody>;

/**
 * Body of `preview-topics`. `draft`: the automation as its owner sees it now, since what they have just saved may not have arrived. `replace`: other topics in place
 * of the planned ones, but for those that their owner locked.
 */
export const previewTopicsBody = z.looseObject({
  blogAutomationId: z.uuid(),
  draft: z
    .looseObject({
      keyword: z.string().trim().min(1).max(500),
      theme: z.string().max(500).nullish(),
      categories: z.string().max(5_000).nullish(),
      webhook_url: z.string().max(2_000),
      settings: z.unknown().optional(),
    })
    .nullish(),
  replace: z.boolean().nullish(),
});
export type PreviewTopicsBody = z.infer<typeof previewTopicsBody>;

/** What an article will be about, and why people search for that. */
export interface PlannedTopic {
  id: string;
  title: string;
  focusKeyword: string;
  why: string;
}

export type PreviewTopicsAnswer = { success: true; topics: PlannedTopic[] } | { success: false; error: string };

/** Body of `retry-article`: a run that was skipped or has failed. */
export const retryArticleBody = z.looseObject({ runId: z.uuid() });
export type RetryArticleBody = z.infer<typeof retryArticleBody>;
