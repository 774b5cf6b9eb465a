import { isOpenRun } from '@decola/contracts';
import { formatCount } from '../../lib/format';
import type { Entry } from './article-data';
import { stateOf } from './entry-state';
import { wayTexts as texts } from './texts';

/** A step of an article's way to its readers. */
export interface Step {
  name: string;
  state: 'done' | 'running' | 'waiting' | 'failed' | 'later';
  at: string | null;
  detail: string | null;
}

const step = (name: string, state: Step['state'], at: string | null = null, detail: string | null = null): Step => ({
  name,
  state,
  at,
  detail,
});

function topicStep({ run }: Entry): Step {
  if (run.state === 'queued' || run.state === 'choosing') return step(texts.topicLater, run.state === 'queued' ? 'later' : 'running');
  if (run.title === null && (run.state === 'failed' || run.state === 'skipped'))
    return step(texts.topicLater, 'failed', run.updated_at, run.reason);
  return step(texts.topic, 'done', run.created_at, run.keyword || null);
}

function textStep(entry: Entry): Step {
  const { run, article } = entry;
  if (article?.state === 'rewriting') return step(texts.writing, 'running', null, stateOf(entry, new Date()).sentence);
  if (article) return step(texts.written, 'done', article.created_at);
  if (run.state === 'failed' || run.state === 'skipped')
    return run.title === null ? step(texts.writing, 'later') : step(texts.writing, 'failed', run.updated_at, run.reason);
  const isRunning = isOpenRun(run.state) && run.state !== 'queued' && run.state !== 'choosing';
  return step(texts.writing, isRunning ? 'running' : 'later', null, run.progress ? texts.words(formatCount(run.progress)) : null);
}

function decisionStep({ article }: Entry): Step[] {
  if (!article) return [];
  // The reason of an article that waits for its approval is the state itself.
  if (article.state === 'waiting_approval') return [step(texts.waiting, 'waiting', article.updated_at)];
  if (article.state === 'needs_review') return [step(texts.waiting, 'waiting', article.updated_at, article.reason)];
  if (article.state === 'rejected' || article.state === 'expired')
    return [step(texts.decision, 'failed', article.updated_at, article.reason)];
  return [];
}

function deliverySteps(entry: Entry, now: Date): Step[] {
  const { article, delivery } = entry;
  if (article?.state === 'rejected' || article?.state === 'expired') return [];
  const isDraft = article?.publish_mode === 'draft';
  const look = isDraft ? [] : [step(texts.look, 'later')];
  if (!delivery) return [step(texts.delivery, 'later'), ...look];
  const { sentence } = stateOf(entry, now);
  const attempts = delivery.attempt > 0 ? texts.attempts(delivery.attempt) : null;
  switch (delivery.state) {
    case 'seen':
      return [step(texts.delivered, 'done', delivery.created_at), step(texts.seen, 'done', delivery.seen_at)];
    case 'not_seen':
      return [step(texts.delivered, 'done', delivery.created_at), step(texts.look, 'failed', delivery.updated_at, delivery.reason)];
    case 'published':
    case 'accepted':
      return [step(texts.delivered, 'done', delivery.updated_at), ...look];
    case 'edited_by_owner':
      return [step(texts.delivered, 'done', delivery.created_at, sentence)];
    case 'withdrawn':
      return [step(sentence, 'done', delivery.updated_at)];
    case 'blocked':
    case 'gone':
    case 'given_up':
      return [
        step(texts.delivery, 'failed', delivery.updated_at, [delivery.reason ?? sentence, attempts].filter(Boolean).join(' · ')),
        ...look,
      ];
    case 'retrying':
      return [step(texts.delivery, 'waiting', null, [delivery.reason, attempts].filter(Boolean).join(' · ') || null), ...look];
    default:
      return [step(texts.delivery, delivery.reason === null ? 'running' : 'waiting', null, delivery.reason), ...look];
  }
}

/** The way of an article from its topic to the public page. */
export function journeyOf(entry: Entry, now: Date): Step[] {
  const written = [topicStep(entry), textStep(entry), ...decisionStep(entry)];
  // Without an article nothing is delivered.
  const hasEnded = !entry.article && !isOpenRun(entry.run.state) && entry.run.state !== 'approved';
  return hasEnded ? written : [...written, ...deliverySteps(entry, now)];
}
