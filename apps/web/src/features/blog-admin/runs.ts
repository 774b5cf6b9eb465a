import { type ArticleRun, isOpenRun } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { formatCount } from '../../lib/format';
import { livePolling } from '../../lib/live-state';
import { formatRelativeTime } from '../../lib/relative-time';
import { runTexts as texts } from './texts';

/** While an article is being written its state is read so often: words are counted as they come. */
const openPollMs = 1_000;
const slowPollMs = 15_000;
const recentCount = 50;

const readRuns = () => client().from('article_runs').select('*').eq('origin', 'editorial').order('created_at', { ascending: false });

/** The newest runs of our own blog, newest first. */
export const recentRunsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['article_runs', userId, 'recent'],
    queryFn: async () => unwrap(await readRuns().limit(recentCount).overrideTypes<ArticleRun[], { merge: false }>()),
    refetchInterval: ({ state }) => (state.data?.some((run) => isOpenRun(run.state)) ? openPollMs : livePolling(slowPollMs)),
  });

/** Runs that began between two instants, newest first. */
export const runsBetweenQuery = (userId: string, from: Date, to: Date) =>
  queryOptions({
    queryKey: ['article_runs', userId, from.toISOString(), to.toISOString()],
    queryFn: async () =>
      unwrap(
        await readRuns()
          .gte('created_at', from.toISOString())
          .lt('created_at', to.toISOString())
          .limit(1_000)
          .overrideTypes<ArticleRun[], { merge: false }>(),
      ),
    refetchInterval: () => livePolling(slowPollMs),
  });

/** The steps of an article, in order; the last one is its publication. */
export const stepCount = 6;

/** Which step is under way, from 1, by state. */
const stepOfState: Partial<Record<ArticleRun['state'], number>> = {
  choosing: 1,
  outlining: 2,
  drafting: 3,
  reviewing: 4,
  illustrating: 5,
  approved: 6,
};
/** The same by the step that a paused run waits in. */
const stepOfName: Readonly<Record<string, number>> = { topics: 1, outline: 2, draft: 3, review: 4, revise: 4, image: 5 };

/** How many steps of a run are done. */
export function stepsDone({ state, step }: Pick<ArticleRun, 'state' | 'step'>): number {
  if (state === 'published' || state === 'needs_review') return stepCount;
  const current = stepOfState[state] ?? (state === 'waiting_provider' ? stepOfName[step ?? ''] : undefined) ?? 1;
  return current - 1;
}

/** What an administrator reads about a run that is under way. */
export function stepSentence(run: Pick<ArticleRun, 'state' | 'progress' | 'reason' | 'retry_at'>): string {
  switch (run.state) {
    case 'choosing':
      return texts.choosing;
    case 'outlining':
      return texts.outlining;
    case 'drafting':
      return texts.drafting(run.progress ? formatCount(run.progress) : null);
    case 'reviewing':
      return texts.reviewing;
    case 'illustrating':
      return texts.illustrating;
    case 'approved':
    case 'published':
    case 'needs_review':
      return texts.publishing;
    case 'waiting_provider':
      return run.retry_at === null ? (run.reason ?? texts.waitingProvider) : texts.pausedUntil(formatRelativeTime(run.retry_at));
    default:
      return texts.queued;
  }
}

/** What the calls of runs cost, in cents; null when the price of none is known. */
export function costOf(runs: readonly (Pick<ArticleRun, 'cost'> | null)[]): number | null {
  const known = runs.flatMap((run) => (run?.cost === undefined || run.cost === null ? [] : [Number(run.cost)]));
  return known.length === 0 ? null : Math.round(known.reduce((sum, cost) => sum + cost, 0) * 100);
}

/** How an article's state is counted and shown. */
export type Outcome = 'published' | 'running' | 'held' | 'failed' | 'skipped';

const outcomes: Record<ArticleRun['state'], Outcome> = {
  queued: 'running',
  choosing: 'running',
  outlining: 'running',
  drafting: 'running',
  reviewing: 'running',
  illustrating: 'running',
  waiting_provider: 'running',
  approved: 'running',
  needs_review: 'held',
  waiting_approval: 'held',
  published: 'published',
  rejected: 'skipped',
  expired: 'skipped',
  skipped: 'skipped',
  failed: 'failed',
};

export const outcomeOf = ({ state }: Pick<ArticleRun, 'state'>): Outcome => outcomes[state] ?? 'running';

const endWords: Partial<Record<ArticleRun['state'], string>> = {
  published: texts.published,
  needs_review: texts.held,
  waiting_approval: texts.held,
  rejected: texts.rejected,
  expired: texts.expired,
  skipped: texts.skipped,
  failed: texts.failed,
};

/** "Publicado", "Falhou: {motivo}", or the step under way. */
export function outcomeSentence(run: ArticleRun): string {
  const word = endWords[run.state];
  if (word === undefined) return stepSentence(run);
  // The reason of an article that waits is a whole sentence: "Precisa de você: {regra}".
  if (outcomeOf(run) === 'held') return run.reason ?? word;
  return texts.outcome(word, run.state === 'published' ? null : run.reason);
}
