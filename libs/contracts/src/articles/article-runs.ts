import { z } from 'zod';
import { defineJob } from '../messages/definitions.js';
import type { ArticleRunState } from './article-run-states.js';
import type { GateFinding } from './gate.js';

/** Queue of articles that a person waits for. */
export const interactiveArticlesQueue = 'blog.articles.interactive';
/** Queue of articles that a schedule asks for. */
export const scheduledArticlesQueue = 'blog.articles.scheduled';
/** The queues of a writer with their shares: while both hold jobs, it takes two interactive ones and one scheduled one of every three. */
export const articleQueues = [
  { name: interactiveArticlesQueue, weight: 2 },
  { name: scheduledArticlesQueue, weight: 1 },
] as const;

/** One article is to be written, or its writing goes on. Ordered and carried out by blog alone. */
export const articleWrite = defineJob(
  'article.write',
  z.object({
    runId: z.uuid(),
    /** The run's attempt that this job is for; a job of an earlier attempt changes nothing. */
    attempt: z.number().int().positive(),
  }),
);

/** Why a run ended without an article, or without a published one. */
export const articleRunReasons = [
  /** Skipped. */
  'missed',
  'cancelled',
  'budget',
  'no_topic',
  /** Failed. */
  'policy',
  'provider',
  'answer',
  'too_long',
  'article_limit',
  'error',
  /** Held for a person. */
  'gate',
  'approval',
  /** Nobody decided in time. */
  'expired',
  /** Its owner does not want it. */
  'rejected',
] as const;
export type ArticleRunReason = (typeof articleRunReasons)[number];

/** What the gate found in the article of a run: what kept it back, and what could be better. Long quotes are cut. */
export interface RunQuality {
  hard: GateFinding[];
  soft: GateFinding[];
}

/** A row of `article_runs` over rest/v1. */
export interface ArticleRun {
  id: string;
  user_id: string;
  /** `editorial`: of our own blog. */
  origin: 'editorial' | 'customer';
  /** Null: asked for by hand. */
  blog_automation_id: string | null;
  state: ArticleRunState;
  reason_code: ArticleRunReason | null;
  /** A sentence for the person; null while nothing keeps the article back. */
  reason: string | null;
  /** The step under way, or the last one. */
  step: string | null;
  /** Words written so far, while drafting. */
  progress: number | null;
  keyword: string;
  /** Known as soon as the outline is. */
  title: string | null;
  article_id: string | null;
  /** The run of the article that this one writes anew; null for all others. */
  refreshes_run_id?: string | null;
  /** Tokens of the model that it used so far. */
  tokens: number;
  /** Null while there is no article. Absent for everybody but administrators. */
  quality?: RunQuality | null;
  /** What those cost in R$; null when a price is unknown (`AI_PRICES`). Absent for everybody but administrators. */
  cost?: number | null;
  /** When a run that waits goes on. */
  retry_at: string | null;
  /** When an article of a schedule was due. */
  occurrence_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Body of `generate-blog-articles`. */
export const generateArticleBody = z.looseObject({
  keyword: z.string().max(500),
  /** Id that the run gets, chosen by the page so that it can follow the run; the same id again joins the run. */
  run_id: z.uuid().nullish(),
  /** Opens the run `run_id` anew, when it was skipped or has failed; the keyword is the run's own then. */
  retry: z.boolean().nullish(),
});
export type GenerateArticleBody = z.infer<typeof generateArticleBody>;

/** Answer of `generate-blog-articles`. `reason`: why the article is a draft. */
export type GenerateArticleAnswer =
  | { success: true; article: { id: string; title: string; slug: string; published: boolean }; run_id: string; reason: string | null }
  | { success: false; error: string; run_id?: string };
