import {
  actionFacts,
  type BrowserRun,
  type CollectedComment,
  type CollectedPerson,
  type LedgerTarget,
  maxReleasedReservations,
  type PayloadOf,
  type ProfileCounters,
  type RunAction,
  type runFinished,
  type StopSignal,
} from '@decola/contracts';
import type { Clock } from '@decola/service-kit';
import type { ActionResult } from '../driver/action-result.js';
import { PageViews } from '../driver/page-views.js';
import type { LastPageEnd } from '../driver/people-list.js';
import type { RunChannel } from './run-channel.js';

export type ListEnd = NonNullable<PayloadOf<typeof runFinished>['list']>;
export type SkipReason = NonNullable<PayloadOf<typeof runFinished>['targetProblem']>;

/** How a run ended, without its counts. */
export interface RunEnding {
  readonly outcome: 'done' | 'partial' | 'stopped';
  readonly stop: StopSignal | null;
  readonly targetProblem: SkipReason | null;
}

export const done: RunEnding = { outcome: 'done', stop: null, targetProblem: null };
export const partial: RunEnding = { outcome: 'partial', stop: null, targetProblem: null };

/** Publishes what a run does and counts it. `finished` is the last message of a run. */
export class RunReport {
  /** The account's username, once it was read. */
  username: string | null = null;
  /** State of the list; null unless the run extracts one that goes on. */
  list: ListEnd | null = null;
  /** Offset in the extraction at which the next run continues; null unless this run takes people from one. */
  sourceOffset: number | null = null;
  /** Called for each target that was skipped by its row. */
  onPassedOver: ((target: LedgerTarget, reason: SkipReason) => void) | null = null;
  private ownProfile: ProfileCounters | null = null;
  /** Whether people follow the account, by their id, as their profiles showed it. */
  private readonly followers = new Map<string, boolean>();
  private released: string[] = [];
  private tried = 0;
  private confirmed = 0;
  private skipped = 0;
  private pages = 0;
  /** Counts the documents that the run opens; every message contains the number so far. */
  readonly views: PageViews;

  constructor(
    private readonly channel: RunChannel,
    private readonly job: BrowserRun,
    private readonly fencingToken: number,
    private readonly clock: Clock,
  ) {
    this.views = new PageViews(job.mostPageViews);
  }

  started(workerId: string): Promise<void> {
    return this.channel.started({ ...this.identity, workerId, startedAt: this.now });
  }

  /** To be published right before the click that sends an action. @throws ChannelSilentError when the broker does not confirm it. */
  trying(action: RunAction, target: LedgerTarget & { reservationId: string }, text?: string): Promise<void> {
    const { reservationId } = target;
    const written = text === undefined ? {} : { text };
    return this.channel.trying({ ...this.identity, reservationId, action, target: targetOf(target), ...written, at: this.now });
  }

  /** Publishes the outcome of a reservation: of this run, or with `settled` of an earlier one. */
  async action(
    action: RunAction,
    target: LedgerTarget & { reservationId: string | null },
    { outcome, skipReason, proof }: Pick<ActionResult, 'outcome' | 'skipReason' | 'proof'>,
    settled = false,
  ): Promise<void> {
    await this.channel.action({
      ...this.identity,
      reservationId: target.reservationId,
      action,
      target: targetOf(target),
      outcome,
      skipReason,
      proof,
      settled,
      followsCustomer: isPerson(action) ? (this.followers.get(target.targetId) ?? null) : null,
      at: this.now,
    });
    if (settled) return;
    if (outcome === 'skipped') {
      this.skipped += 1;
      if (target.reservationId !== null) this.released = [...this.released, target.reservationId].slice(-maxReleasedReservations);
    } else this.tried += 1;
    if (outcome === 'confirmed' || outcome === 'requested') this.confirmed += 1;
  }

  /** Ids of the reservations that this run released, newest last. */
  get givenBack(): string[] {
    return [...this.released];
  }

  /** Counts a target that automations refused to reserve, or that was skipped by its row of a list or grid, with the reason if it is known. */
  refused(target?: LedgerTarget, reason?: SkipReason): void {
    this.skipped += 1;
    if (target && reason) this.onPassedOver?.(target, reason);
  }

  /** Stores the counters of the account's own profile for the last message of the run. */
  sawOwnProfile({ followers, following, posts }: Omit<ProfileCounters, 'seenAt'>): void {
    this.ownProfile = { followers, following, posts, seenAt: this.now };
  }

  /** Remembers whether a person whose profile was opened follows the account, for the reports about them. */
  sawPerson({ userId, followsUs }: { userId: string; followsUs: boolean | null }): void {
    if (followsUs !== null) this.followers.set(userId, followsUs);
  }

  /** Counts a page of a list that was read for candidates. */
  countPage(): void {
    this.pages += 1;
  }

  /** Publishes a page of an extraction and advances `list`; resolves when the broker has confirmed the page. */
  page(rows: readonly CollectedPerson[], next: string | null, end: LastPageEnd | null): Promise<void> {
    return this.pageWith({ rows: [...rows] }, next, end);
  }

  /** As `page`, of a list of comments. */
  pageOfComments(comments: readonly CollectedComment[], next: string | null, end: LastPageEnd | null): Promise<void> {
    return this.pageWith({ rows: [], comments: [...comments] }, next, end);
  }

  private async pageWith(
    content: { rows: CollectedPerson[]; comments?: CollectedComment[] },
    next: string | null,
    end: LastPageEnd | null,
  ): Promise<void> {
    if (!this.list) throw new Error('this run extracts no list');
    const { extractedDataId, reading, nextPage, pass, profileTotal } = this.list;
    await this.channel.page({
      ...this.identity,
      extractedDataId,
      reading,
      page: nextPage,
      pass,
      ...content,
      cursor: next,
      end,
      profileTotal,
      collectedAt: this.now,
    });
    this.pages += 1;
    this.list = { ...this.list, nextPage: nextPage + 1, cursor: next };
  }

  /** Withdraws a list of which no page was read, so that its next run need not rest: a run without a page usually means that there is none now. */
  withdrawUnreadList(): void {
    if (this.pages === 0) this.list = null;
  }

  finished(ending: RunEnding): Promise<void> {
    return this.channel.finished({
      ...this.identity,
      ...ending,
      tried: this.tried,
      confirmed: this.confirmed,
      skipped: this.skipped,
      pages: this.pages,
      list: this.list,
      sourceOffset: this.sourceOffset,
      username: this.username,
      ownProfile: this.ownProfile,
      givenBack: this.givenBack,
      finishedAt: this.now,
    });
  }

  /** The fields that every message of the run contains. */
  get identity() {
    const { runId, automationId, userId, accountKey } = this.job;
    return { runId, automationId, userId, accountKey, fencingToken: this.fencingToken, pageViews: this.views.opened };
  }

  private get now(): string {
    return this.clock.now().toISOString();
  }
}

/** Whether the targets of an action have ids of people. */
function isPerson(action: RunAction): boolean {
  const { target } = actionFacts[action];
  return target === 'person' || target === 'story';
}

/** A target without the other fields of its reservation. */
function targetOf({ targetId, username, authorId, postCode }: LedgerTarget): LedgerTarget {
  return { targetId, username, ...(authorId === undefined ? {} : { authorId }), ...(postCode === undefined ? {} : { postCode }) };
}
