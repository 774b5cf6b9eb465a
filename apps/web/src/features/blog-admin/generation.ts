import { type ArticleRun, type GenerateArticleAnswer, isOpenRun } from '@decola/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import pTimeout, { TimeoutError } from 'p-timeout';
import { useEffect, useState } from 'react';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { listReloadMs, reloadList } from './list-page';
import { recentRunsQuery } from './runs';
import { generateTexts as texts } from './texts';
import { useTimers } from './use-timers';

/** How long the page waits for an article; the server answers sooner, and goes on writing. */
const longestWaitMs = 120_000;
/** How long the first of the two sentences is shown that come before the server's first step. */
const startingMs = 800;

/** How the last generation ended. */
export type GenerationResult =
  | { kind: 'published'; title: string; slug: string | null }
  | { kind: 'draft'; title: string; reason: string }
  | { kind: 'failed'; message: string };

export interface Generation {
  /** A generation of this page, or one that was asked for earlier, is under way. */
  isBusy: boolean;
  /** What the page says until the run's first step is known. */
  opening: string;
  /** The run under way, once it is known. */
  run: ArticleRun | undefined;
  result: GenerationResult | null;
  /** @returns whether an article was made */
  generate: (keyword: string) => Promise<boolean>;
}

/** Asks for an article and follows its run. Kept above the panel's tabs, so that a change of tabs loses nothing. */
export function useGeneration(userId: string): Generation {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  const [asked, setAsked] = useState<{ runId: string; keyword: string } | null>(null);
  const [opening, setOpening] = useState<string>(texts.starting);
  const [result, setResult] = useState<GenerationResult | null>(null);
  /** The run that the page showed last and has no answer about: one of an earlier visit, or one that took longer than the server waits. */
  const [followedId, setFollowedId] = useState<string | null>(null);
  /** Runs that ended with an answer; their rows may be older. */
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const later = useTimers();

  const query = recentRunsQuery(userId);
  const isAsking = asked !== null;
  // The run appears a moment after it was asked for.
  const runs = useQuery({ ...query, refetchInterval: isAsking ? 1_000 : query.refetchInterval });
  const open = runs.data?.filter((run) => run.blog_automation_id === null && isOpenRun(run.state) && !answered.has(run.id)) ?? [];
  // A generation of the same keyword within ten minutes joins the run that there is, which has another id.
  const run = asked
    ? // Its own run also when that has ended: the answer is on its way.
      (runs.data?.find(({ id }) => id === asked.runId) ?? open.find(({ keyword }) => keyword === asked.keyword))
    : open[0];
  if (run && !asked && run.id !== followedId) setFollowedId(run.id);

  const ended = followedId === null ? undefined : runs.data?.find(({ id, state }) => id === followedId && !isOpenRun(state));
  const endedId = ended?.id;
  useEffect(() => {
    if (endedId !== undefined) later(() => void reloadList(), listReloadMs);
  }, [endedId, later]);

  const generate = async (keyword: string) => {
    const runId = crypto.randomUUID();
    failureToast.clear();
    setResult(null);
    setFollowedId(null);
    setOpening(texts.starting);
    setAsked({ runId, keyword });
    later(() => setOpening(texts.connecting), startingMs);
    try {
      const { article, reason, run_id: answeredId } = await ask(keyword, runId);
      setAnswered((known) => new Set([...known, runId, answeredId]));
      setResult(
        article.published
          ? { kind: 'published', title: article.title, slug: article.slug ?? null }
          : { kind: 'draft', title: article.title, reason: reason ?? '' },
      );
      toast.success(texts.done, { description: article.title });
      later(() => void reloadList(), listReloadMs);
      return true;
    } catch (error) {
      const message = (error instanceof GenerationError || error instanceof ApiError ? error.message : '') || texts.unknown;
      setResult({ kind: 'failed', message });
      failureToast.show(texts.error(message));
      return false;
    } finally {
      setAsked(null);
      void queryClient.invalidateQueries({ queryKey: ['article_runs'] });
    }
  };
  return { isBusy: isAsking || run !== undefined, opening, run, result: ended ? resultOf(ended) : result, generate };
}

/** How a run ended that the page followed without an answer of its own. */
function resultOf({ state, title, keyword, reason }: ArticleRun): GenerationResult {
  if (state === 'published') return { kind: 'published', title: title ?? keyword, slug: null };
  return state === 'needs_review'
    ? { kind: 'draft', title: title ?? keyword, reason: reason ?? '' }
    : { kind: 'failed', message: reason ?? texts.unknown };
}

/** What an administrator reads when no article came. */
class GenerationError extends Error {}

/** What an answer may lack: the server may be older than the page. */
type LooseAnswer = Partial<Extract<GenerateArticleAnswer, { success: true }>> & { error?: string };

/** @throws GenerationError with the sentence for the administrator, ApiError */
async function ask(keyword: string, runId: string) {
  let answer: LooseAnswer | null;
  try {
    answer = await pTimeout(callFunction<LooseAnswer | null>('generate-blog-articles', { keyword, run_id: runId }), {
      milliseconds: longestWaitMs,
    });
  } catch (error) {
    throw error instanceof TimeoutError ? new GenerationError(texts.timedOut) : error;
  }
  if (!answer) throw new GenerationError(texts.noData);
  if (!answer.success) throw new GenerationError(answer.error);
  if (!answer.article) throw new GenerationError(texts.noData);
  const { article, reason = null, run_id = runId } = answer;
  // Only drafts say whether they are published.
  return { article: { ...article, published: article.published ?? true }, reason, run_id };
}
