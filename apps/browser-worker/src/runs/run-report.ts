import {
  type BrowserRun,
  type CollectedPerson,
  type LedgerTarget,
  mostGivenBack,
  type PayloadOf,
  type RunAction,
  type runFinished,
  type StopSignal,
} from '@decola/contracts';
import type { Clock } from '@decola/service-kit';
import type { ActionResult } from '../driver/friendship.js';
import type { RunChannel } from './run-channel.js';

export type ListEnd = NonNullable<PayloadOf<typeof runFinished>['list']>;
export type SkipReason = NonNullable<PayloadOf<typeof runFinished>['targetProblem']>;

/** How a run ended, without its counts. */
export interface RunEnding {
  readonly outcome: 'done' | 'partial' | 'stopped';
  readonly stop: StopSignal | null;
  readonly targetProblem: SkipReason | null;
}

/** What one run tells the others, and its counts. `finished` closes it: nothing is said after that. */
export class RunReport {
  /** Name of the account's own profile link, once it was seen. */
  username: string | null = null;
  /** Where the list stands; null unless the run extracts one. */
  list: ListEnd | null = null;
  /** Where the next run goes on in its slot; null unless this run takes people from one. */
  sourceOffset: number | null = null;
  private passedOver: string[] = [];
  private tried = 0;
  private confirmed = 0;
  private skipped = 0;
  private pages = 0;

  constructor(
    private readonly channel: RunChannel,
    private readonly job: BrowserRun,
    private readonly fencingToken: number,
    private readonly clock: Clock,
  ) {}

  started(workerId: string): Promise<void> {
    return this.channel.started({ ...this.identity, workerId, startedAt: this.now });
  }

  /** The outcome of a reservation of this run, or of an earlier one when `settled`. */
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
      target: { targetId: target.targetId, username: target.username },
      outcome,
      skipReason,
      proof,
      settled,
      at: this.now,
    });
    if (settled) return;
    if (outcome === 'skipped') {
      this.skipped += 1;
      if (target.reservationId !== null) this.passedOver = [...this.passedOver, target.reservationId].slice(-mostGivenBack);
    } else this.tried += 1;
    if (outcome === 'confirmed' || outcome === 'requested') this.confirmed += 1;
  }

  /** Ids of reservations that this run passed over, newest last. */
  get givenBack(): string[] {
    return [...this.passedOver];
  }

  /** Somebody whom automations refused; it knows why, so it is only counted. */
  refused(): void {
    this.skipped += 1;
  }

  /** A page of a list that is read for candidates. */
  readPage(): void {
    this.pages += 1;
  }

  /** One page of an extraction; resolves when the broker has it. The report's `list` moves on with it. */
  async page(rows: readonly CollectedPerson[], next: string | null): Promise<void> {
    if (!this.list) throw new Error('this run extracts no list');
    const { extractedDataId, nextPage, pass, profileTotal } = this.list;
    await this.channel.page({
      ...this.identity,
      extractedDataId,
      page: nextPage,
      pass,
      rows: [...rows],
      cursor: next,
      profileTotal,
      collectedAt: this.now,
    });
    this.pages += 1;
    this.list = { ...this.list, nextPage: nextPage + 1, cursor: next };
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
      givenBack: this.givenBack,
      finishedAt: this.now,
    });
  }

  private get identity() {
    const { runId, automationId, userId, accountKey } = this.job;
    return { runId, automationId, userId, accountKey, fencingToken: this.fencingToken };
  }

  private get now(): string {
    return this.clock.now().toISOString();
  }
}
