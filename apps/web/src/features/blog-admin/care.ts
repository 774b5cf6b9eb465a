import type { MigrateBlogImagesAnswer } from '@decola/contracts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { listReloadMs, page, reloadList } from './list-page';
import { careTexts as texts } from './texts';
import { useTimers } from './use-timers';

/** Counts as a function answers them. `errors` of an older server may be a list. */
const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : typeof value === 'number' && value > 0 ? value : 0);

interface LeftPicture {
  title: string;
  name: string;
  reason: string;
}

export interface Migration {
  migrated: number;
  errors: number;
  total: number;
  left: LeftPicture[];
}
export interface Cleaning {
  cleaned: number;
  errors: number;
  total: number;
  /** Names the changes for an undo; null when nothing changed, or when they were undone. */
  cleaningId: string | null;
  /** Articles that wait for the next call. */
  unfinished: number;
}

/** The last result of a tool in this browser, and when it came (ISO 8601). */
type Kept<Result> = Result & { at: string };

/** Keeps a tool's last result over page loads: the page is loaded again after a cleaning. */
function useKept<Result>(userId: string, tool: 'migration' | 'cleaning') {
  const key = `decola.blog-${tool}.${userId}`;
  const [kept, setKept] = useState<Kept<Result> | null>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') as Kept<Result> | null;
    } catch {
      return null;
    }
  });
  const keep = (result: Result) => {
    const next = { ...result, at: new Date().toISOString() };
    setKept(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage is full or disabled: the result is shown until the page is left.
    }
  };
  return [kept, keep] as const;
}

interface Failed {
  title: string;
  text: string;
}

/** The server's own sentence when it refuses, such as while the tool is running already; the usual one when it failed. */
const explain = (error: Error, { text }: Failed): string => (!(error instanceof ApiError) && error.message) || text;

type Refusable<Answer> = (Answer & { success: true }) | { success: false; error?: string };

/** @throws Error with the server's sentence when it refuses, ApiError when it fails */
async function call<Answer>(name: string, body: object): Promise<Answer> {
  const answer = await callFunction<Refusable<Answer> | null>(name, body);
  if (!answer?.success) throw new Error(answer?.error ?? '');
  return answer;
}

const showArticles = (queries: QueryClient) => void queries.invalidateQueries({ queryKey: ['blog_articles'] });

/** Brings pictures of other sites here. */
export function useMigration(userId: string) {
  const queries = useQueryClient();
  const failureToast = useErrorToast();
  const [last, keep] = useKept<Migration>(userId, 'migration');
  const migration = useMutation({
    mutationFn: () => call<Extract<MigrateBlogImagesAnswer, { success: true }>>('migrate-blog-images', {}),
    onMutate: () => failureToast.clear(),
    onSuccess: (answer) => {
      const result: Migration = {
        migrated: countOf(answer.migrated),
        errors: countOf(answer.errors),
        total: countOf(answer.total),
        left: answer.left ?? [],
      };
      keep(result);
      toast.success(texts.migrated, { description: texts.imageCount(result.migrated, result.total) });
      if (result.migrated > 0) void reloadList();
      showArticles(queries);
    },
    onError: (error) => failureToast.show(texts.migrateFailed.title, { description: explain(error, texts.migrateFailed) }),
  });
  return { last, isRunning: migration.isPending, run: () => migration.mutate() };
}

interface CleaningAnswer {
  cleaned: unknown;
  errors: unknown;
  total: unknown;
  cleaning_id?: string | null;
  unfinished?: unknown;
}

export type MigrationTool = ReturnType<typeof useMigration>;

/** Removes what is left of formatting in articles; the page is loaded again afterwards. */
export function useCleaning(userId: string) {
  const queries = useQueryClient();
  const later = useTimers();
  const failureToast = useErrorToast();
  const [last, keep] = useKept<Cleaning>(userId, 'cleaning');
  const read = (answer: CleaningAnswer): Cleaning => ({
    cleaned: countOf(answer.cleaned),
    errors: countOf(answer.errors),
    total: countOf(answer.total),
    cleaningId: answer.cleaning_id ?? null,
    unfinished: countOf(answer.unfinished),
  });
  const cleaning = useMutation({
    mutationFn: () => call<CleaningAnswer>('clean-blog-articles', {}),
    onMutate: () => failureToast.clear(),
    onSuccess: (answer) => {
      const result = read(answer);
      keep(result);
      toast.success(texts.cleaned, { description: texts.articleCount(result.cleaned, result.total - result.cleaned - result.errors) });
      showArticles(queries);
      later(() => page.reload(), listReloadMs);
    },
    onError: (error) => failureToast.show(texts.cleanFailed.title, { description: explain(error, texts.cleanFailed) }),
  });
  const undo = useMutation({
    mutationFn: (cleaningId: string) => call<CleaningAnswer>('clean-blog-articles', { undo: cleaningId }),
    onMutate: () => failureToast.clear(),
    onSuccess: () => {
      if (last) keep({ ...last, cleaned: 0, errors: 0, cleaningId: null });
      toast.success(texts.undone);
      void reloadList();
      showArticles(queries);
    },
    onError: (error) => failureToast.show(texts.undoFailed, { description: error.message || undefined }),
  });
  return {
    last,
    isRunning: cleaning.isPending,
    isUndoing: undo.isPending,
    run: () => cleaning.mutate(),
    undo: () => {
      if (last?.cleaningId) undo.mutate(last.cleaningId);
    },
  };
}

export type CleaningTool = ReturnType<typeof useCleaning>;
