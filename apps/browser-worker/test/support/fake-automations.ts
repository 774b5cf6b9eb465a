import { randomUUID } from 'node:crypto';
import { previewTargets } from '@decola/contracts';
import type {
  LedgerTarget,
  listResume,
  PayloadOf,
  personName,
  runActionDone,
  runFinished,
  runPage,
  runPreview,
  runReserve,
  runStarted,
  runTrying,
  slotTargets,
  TargetSource,
} from '@decola/contracts';
import { runPicture } from '@decola/contracts';
import type { z } from 'zod';
import { RunChannel, type PlaceReply, type ReserveReply, type SlotReply } from '../../src/runs/run-channel.js';
import { type Person, targetOf } from './jobs.js';

export type PeopleSlot = Extract<TargetSource, { kind: 'slot' }>;
export type RunEnd = PayloadOf<typeof runFinished>;

export interface Reservation extends LedgerTarget {
  reservationId: string;
  runId: string;
  accountKey: string;
  action: string;
  outcome: string | null;
  /** Why it was skipped; null or absent when it was not. */
  skipReason?: string | null;
}

/**
 * Automations and extraction as a run sees them, in memory: one reservation per (account, action, target) for ever, unless it was skipped. All
 * messages of the runs are stored in their order.
 */
export class FakeAutomations extends RunChannel {
  readonly log: string[] = [];
  readonly startedRuns: PayloadOf<typeof runStarted>[] = [];
  readonly tries: PayloadOf<typeof runTrying>[] = [];
  readonly actions: PayloadOf<typeof runActionDone>[] = [];
  readonly pages: PayloadOf<typeof runPage>[] = [];
  readonly pictures: PayloadOf<typeof runPicture>[] = [];
  readonly ends: PayloadOf<typeof runFinished>[] = [];
  readonly reservations: Reservation[] = [];
  /** What previews told, in its order. */
  readonly previewed: z.infer<typeof runPreview.request>[] = [];
  readonly questions: z.infer<typeof runReserve.request>[] = [];
  readonly slots = new Map<string, LedgerTarget[]>();
  /** Where lists go on, by id; a list that is not here begins at its top. Pages of the newest reading move it, as in extraction. */
  readonly places = new Map<string, PlaceReply & { reading?: string }>();
  /** Newest usernames that extraction knows, by id. */
  readonly names = new Map<string, string>();
  readonly nameQuestions: string[] = [];
  /** Called before a page is stored; a test may delay it. */
  beforePage: () => Promise<void> = () => Promise.resolve();
  /** Called before a picture is stored; a test may refuse it. */
  beforePicture: () => Promise<void> = () => Promise.resolve();
  /** Called before a try is stored; a test may refuse it. */
  beforeTrying: () => Promise<void> = () => Promise.resolve();
  /** Called before a reservation is answered. */
  afterReserve: () => Promise<void> = () => Promise.resolve();
  stopReserving: ReserveReply['stop'] = null;
  /** True for a candidate that is in the ledger although no reservation of this test says so. */
  alreadyKnown: (candidate: LedgerTarget, accountKey: string) => boolean = () => false;
  /**
   * True: as automations does, a second end of a run is ignored. A worker that is killed between the end of its run and the mark in Redis leaves a run
   * that the next worker ends once more.
   */
  ignoresRepeatedEnds = false;
  /** False when no run is wanted any more. */
  isWanted = true;

  /** Removes what a test put into the hooks above. */
  resetHooks(): void {
    this.beforePage = this.beforePicture = this.beforeTrying = this.afterReserve = () => Promise.resolve();
    this.stopReserving = null;
    this.isWanted = true;
    this.ignoresRepeatedEnds = false;
    this.names.clear();
    this.alreadyKnown = () => false;
  }

  async started(event: PayloadOf<typeof runStarted>): Promise<void> {
    this.log.push('started');
    this.startedRuns.push(event);
    await Promise.resolve();
  }

  async trying(event: PayloadOf<typeof runTrying>): Promise<void> {
    await this.beforeTrying();
    this.log.push(`trying:${event.action}`);
    this.tries.push(event);
  }

  async action(event: PayloadOf<typeof runActionDone>): Promise<void> {
    this.log.push(`action:${event.action}:${event.outcome}`);
    this.actions.push(event);
    const reservation = this.reservations.find(({ reservationId }) => reservationId === event.reservationId);
    if (reservation) Object.assign(reservation, { outcome: event.outcome, skipReason: event.skipReason });
    await Promise.resolve();
  }

  async page(event: PayloadOf<typeof runPage>): Promise<void> {
    await this.beforePage();
    this.log.push(`page:${event.page}`);
    this.pages.push(event);
    const place = this.places.get(event.extractedDataId);
    if (place?.state === 'read' && event.reading === place.reading)
      this.places.set(event.extractedDataId, { ...place, cursor: event.cursor, nextPage: event.page + 1 });
  }

  resumeList({ extractedDataId, reading }: z.infer<typeof listResume.request>): Promise<PlaceReply> {
    const start = { state: 'read' as const, cursor: null, pass: 1, nextPage: 0, profileTotal: null };
    const place = { ...(this.places.get(extractedDataId) ?? start), reading };
    this.places.set(extractedDataId, place);
    return Promise.resolve(place);
  }

  /** Checked as the broker's channel does. */
  async picture(event: PayloadOf<typeof runPicture>): Promise<void> {
    await this.beforePicture();
    this.pictures.push(runPicture.schema.parse(event));
  }

  async finished(event: PayloadOf<typeof runFinished>): Promise<void> {
    if (this.ignoresRepeatedEnds && this.ends.some(({ runId }) => runId === event.runId)) return;
    this.log.push(`finished:${event.outcome}`);
    this.ends.push(event);
    await Promise.resolve();
  }

  mayGoOn(): Promise<boolean> {
    return Promise.resolve(this.isWanted);
  }

  async reserve(question: z.infer<typeof runReserve.request>): Promise<ReserveReply> {
    const { runId, accountKey, action, candidates } = question;
    this.questions.push(question);
    const reply: ReserveReply = { reserved: [], refused: [], stop: this.stopReserving };
    for (const candidate of candidates) {
      const known =
        this.alreadyKnown(candidate, accountKey) ||
        this.reservations.some(
          (one) =>
            one.accountKey === accountKey && one.action === action && one.targetId === candidate.targetId && one.outcome !== 'skipped',
        );
      if (known || reply.stop) {
        reply.refused.push({ ...candidate, reason: known ? 'already_in_ledger' : 'ceiling' });
        continue;
      }
      const reservation = { ...candidate, reservationId: randomUUID() };
      this.reservations.push({ ...reservation, runId, accountKey, action, outcome: null });
      reply.reserved.push(reservation);
    }
    await this.afterReserve();
    return reply;
  }

  /** Wants ten targets that are in no ledger, as automations does. */
  preview(request: z.infer<typeof runPreview.request>): Promise<number> {
    this.previewed.push(request);
    const { runId, accountKey } = request;
    const found = this.previewed.filter((one) => one.runId === runId).flatMap(({ targets }) => targets);
    const wanted = found.filter(({ target, skipReason }) => skipReason === null && !this.alreadyKnown(target, accountKey));
    return Promise.resolve(Math.max(0, previewTargets - wanted.length));
  }

  personName({ targetId }: z.infer<typeof personName.request>): Promise<string | null> {
    this.nameQuestions.push(targetId);
    return Promise.resolve(this.names.get(targetId) ?? null);
  }

  async slotTargets({ extractedDataId, offset, limit }: z.infer<typeof slotTargets.request>): Promise<SlotReply> {
    const all = this.slots.get(extractedDataId) ?? [];
    await Promise.resolve();
    return { targets: all.slice(offset, offset + limit), nextOffset: offset + limit < all.length ? offset + limit : null };
  }

  /** An extraction that contains these people. */
  slotOf(people: readonly Person[]): PeopleSlot {
    const extractedDataId = randomUUID();
    this.slots.set(extractedDataId, people.map(targetOf));
    return { kind: 'slot', extractedDataId };
  }

  /** Reservations that a run made and gave no outcome. */
  openOf(runId: string): Reservation[] {
    return this.reservations.filter((one) => one.runId === runId && one.outcome === null);
  }

  /** Candidates that a run proposed, in their order. */
  proposedBy(runId: string): string[] {
    return this.questions
      .filter((question) => question.runId === runId)
      .flatMap(({ candidates }) => candidates.map(({ targetId }) => targetId));
  }

  /** @throws Error when the run ended more than once. */
  endOf(runId: string): RunEnd | undefined {
    const ends = this.ends.filter((end) => end.runId === runId);
    if (ends.length > 1) throw new Error(`run ${runId} ended ${ends.length} times`);
    return ends[0];
  }
}
