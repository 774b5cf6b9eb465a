import type { ArticleRunReason } from '@decola/contracts';
import {
  BadAnswerError,
  BudgetReachedError,
  CutAnswerError,
  ProviderBusyError,
  ProviderDownError,
  RefusedTopicError,
  RequestRefusedError,
} from '../model/model.errors.js';
import { runTexts } from '../texts/writing-texts.js';
import { dateInBrasilia } from '../calendar/brasilia.js';

/** What follows a failed step. `next-topic`: the topic is given up, not the run. `retry`: not the model's fault; the job is repeated. */
export type RunOutcome =
  | { kind: 'wait'; afterMs: number; isDown: boolean }
  | { kind: 'next-topic' }
  | { kind: 'end'; state: 'failed' | 'skipped'; code: ArticleRunReason; reason: string }
  | { kind: 'retry' };

/** Pause of a run whose provider refuses every call: it waits for an operator, not for a moment. */
export const downPauseMs = 30 * 60 * 1000;
/** A run that is older than this does not wait any longer for such a provider: its article would come days late. */
const longestDownMs = 2 * 24 * 60 * 60 * 1000;
/** Topics that the provider may refuse before the run fails. */
export const mostBlockedTopics = 3;

const end = (state: 'failed' | 'skipped', code: ArticleRunReason, reason: string): RunOutcome => ({ kind: 'end', state, code, reason });

export interface RunFacts {
  /** How often the run waited for a provider that may work again, since its last finished step. */
  waits: number;
  /** How many of its topics were refused before this one. */
  blocked: number;
  /** Since the run was opened. */
  ageMs: number;
  /** Pauses in ms; after the last one the run fails. */
  ladder: readonly number[];
}

/** What follows an error of a step. */
export function outcomeOf(error: unknown, { waits, blocked, ageMs, ladder }: RunFacts): RunOutcome {
  if (error instanceof ProviderDownError) {
    return ageMs < longestDownMs ? { kind: 'wait', afterMs: downPauseMs, isDown: true } : end('failed', 'provider', runTexts.provider);
  }
  if (error instanceof ProviderBusyError) {
    const pauseMs = ladder[waits];
    if (pauseMs === undefined) return end('failed', 'provider', runTexts.provider);
    return { kind: 'wait', afterMs: Math.max(pauseMs, error.retryAfterMs ?? 0), isDown: false };
  }
  if (error instanceof BudgetReachedError) {
    if (error.scope === 'article' || !error.until) return end('failed', 'article_limit', runTexts.articleLimit);
    const date = dateInBrasilia(error.until);
    return end('skipped', 'budget', error.scope === 'month' ? runTexts.budgetMonth(date) : runTexts.budgetDay(date));
  }
  if (error instanceof RefusedTopicError) {
    return blocked + 1 < mostBlockedTopics ? { kind: 'next-topic' } : end('failed', 'policy', runTexts.policy);
  }
  if (error instanceof CutAnswerError) return end('failed', 'too_long', runTexts.tooLong);
  if (error instanceof BadAnswerError) return end('failed', 'answer', runTexts.answer);
  if (error instanceof RequestRefusedError) return end('failed', 'provider', runTexts.provider);
  return { kind: 'retry' };
}
