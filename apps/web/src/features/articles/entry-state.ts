import { deliveredStates, type DeliveryState, isOpenRun, isWaitingArticle } from '@decola/contracts';
import type { LampState } from '../../components/ui/lamp';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import type { Entry } from './article-data';
import { deliveryTexts, runTexts } from './texts';

/** How an article is counted and filtered. `ended`: there is none, and nobody has to do anything about it. */
export type EntryKind = 'published' | 'waiting' | 'failed' | 'working' | 'ended';

/** The one thing that helps when an article is not where it should be. */
export type Remedy = 'decide' | 'retry-run' | 'retry-delivery' | 'replace';

export interface EntryState {
  kind: EntryKind;
  lamp: LampState;
  sentence: string;
  remedy: Remedy | null;
}

/** Tries of a delivery, over three days. */
export const deliveryTries = 7;

const dateFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' });

/** The day in Brasília, `YYYY-MM-DD`. */
export const dateOf = (at: string | Date): string => dateFormat.format(new Date(at));

/** When an article was or is due. */
export const dueAt = ({ run }: Entry): string => run.occurrence_at ?? run.created_at;

/** A moment as the diary says it, which groups articles by day: on the article's own day only the time is said. */
function momentIn(entry: Entry, at: string, now: Date): string {
  return formatRelativeTime(at, dateOf(at) === dateOf(dueAt(entry)) ? new Date(at) : now);
}

const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'America/Sao_Paulo' });

const state = (kind: EntryKind, lamp: LampState, sentence: string, remedy: Remedy | null = null): EntryState => ({
  kind,
  lamp,
  sentence,
  remedy,
});

function deliveryState(entry: Entry, now: Date): EntryState | null {
  const { delivery, article } = entry;
  if (!delivery) return null;
  const { reason, next_attempt_at: nextAt, seen_at: seenAt } = delivery;
  const site = article?.site_key ?? '';
  const states: Record<DeliveryState, () => EntryState> = {
    pending: () => (reason === null ? state('working', 'run', deliveryTexts.sending(site)) : state('working', 'off', reason)),
    preparing: () => state('working', 'run', deliveryTexts.sending(site)),
    illustrating: () => state('working', 'run', deliveryTexts.sending(site)),
    publishing: () => state('working', 'run', deliveryTexts.sending(site)),
    accepted: () => state('published', 'done', deliveryTexts.accepted),
    published: () => state('published', 'on', deliveryTexts.published),
    seen: () => state('published', 'done', seenAt === null ? deliveryTexts.published : deliveryTexts.seen(momentIn(entry, seenAt, now))),
    not_seen: () =>
      state('published', 'warn', reason === null ? deliveryTexts.notSeenOpen : deliveryTexts.notSeen(reason), 'retry-delivery'),
    retrying: () =>
      state(
        'working',
        'warn',
        nextAt === null
          ? deliveryTexts.sending(site)
          : deliveryTexts.retrying(formatRelativeTime(nextAt, now), Math.min(delivery.attempt + 1, deliveryTries), deliveryTries),
        'retry-delivery',
      ),
    waiting_pickup: () => state('working', 'on', reason ?? deliveryTexts.waitingPickup, 'retry-delivery'),
    blocked: () => state('failed', 'stop', reason ?? deliveryTexts.blocked, 'retry-delivery'),
    edited_by_owner: () => state('published', 'on', deliveryTexts.edited, 'replace'),
    withdrawn: () => state('ended', 'off', deliveryTexts.withdrawn),
    gone: () => state('failed', 'stop', deliveryTexts.gone, 'retry-delivery'),
    given_up: () => state('failed', 'stop', deliveryTexts.givenUp, 'retry-delivery'),
  };
  return states[delivery.state]();
}

function articleState({ article }: Entry): EntryState | null {
  if (!article) return null;
  switch (article.state) {
    case 'waiting_approval':
      return state(
        'waiting',
        'warn',
        article.approval_until === null ? runTexts.waitingOpen : runTexts.waiting(dayAndMonth.format(new Date(article.approval_until))),
        'decide',
      );
    case 'needs_review':
      return state('waiting', 'warn', article.reason === null ? runTexts.needsReviewOpen : runTexts.needsReview(article.reason), 'decide');
    case 'rewriting':
      return state('working', 'run', runTexts.rewriting);
    case 'approved':
      return state('working', 'on', runTexts.approved);
    case 'rejected':
      return state('ended', 'off', runTexts.rejected);
    case 'expired':
      return state('failed', 'off', runTexts.expired, 'retry-run');
  }
}

function runState({ run }: Entry, now: Date): EntryState {
  const { reason } = run;
  switch (run.state) {
    case 'queued':
      return state('working', 'off', runTexts.queued);
    case 'choosing':
    case 'outlining':
    case 'reviewing':
    case 'illustrating':
      return state('working', 'run', runTexts[run.state]);
    case 'drafting':
      return state('working', 'run', runTexts.drafting(run.progress ? formatCount(run.progress) : null));
    case 'waiting_provider':
      return state('working', 'warn', run.retry_at === null ? runTexts.pausedOpen : runTexts.paused(formatRelativeTime(run.retry_at, now)));
    case 'needs_review':
      return state('waiting', 'warn', reason === null ? runTexts.needsReviewOpen : runTexts.needsReview(reason));
    case 'waiting_approval':
      return state('waiting', 'warn', runTexts.waitingOpen);
    case 'approved':
      return state('working', 'on', runTexts.approved);
    case 'published':
      return state('published', 'on', runTexts.published);
    case 'rejected':
      return state('ended', 'off', reason ?? runTexts.rejected);
    case 'expired':
      return state('failed', 'off', reason ?? runTexts.expired, 'retry-run');
    case 'skipped':
      return state('failed', 'off', reason ?? runTexts.skipped, 'retry-run');
    case 'failed':
      return state('failed', 'stop', reason ?? runTexts.failed, 'retry-run');
  }
}

/** What the customer reads of an article, and what they can do: where its delivery is, else how it was decided, else how far it is written. */
export function stateOf(entry: Entry, now: Date): EntryState {
  // A run that is open again, such as one that is rewritten, says more than what it made before.
  if (isOpenRun(entry.run.state) && !entry.delivery) return articleStateWhileWriting(entry) ?? runState(entry, now);
  return deliveryState(entry, now) ?? articleState(entry) ?? runState(entry, now);
}

const articleStateWhileWriting = (entry: Entry): EntryState | null =>
  entry.article?.state === 'rewriting' && entry.run.state === 'queued' ? articleState(entry) : null;

/** Whether the customer may decide about the article now. */
export const isDecidable = ({ article, delivery }: Entry): boolean =>
  article !== null && delivery === null && isWaitingArticle(article.state);

/** Whether the article stands on the customer's site, so that it can be withdrawn. */
export const isOnSite = ({ delivery }: Entry): boolean =>
  delivery !== null && (deliveredStates as readonly DeliveryState[]).includes(delivery.state);

/** Whether its title and text may be changed: what was refused or withdrawn stays as it is. */
export const isEditable = ({ article, delivery }: Entry): boolean =>
  article !== null &&
  (isWaitingArticle(article.state) || article.state === 'approved') &&
  delivery?.state !== 'withdrawn' &&
  delivery?.state !== 'gone' &&
  delivery?.state !== 'edited_by_owner';
