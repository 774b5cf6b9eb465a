import { randomUUID } from 'node:crypto';
import type { LedgerTarget, PayloadOf, runActionDone, runFinished, runPage, runReserve, runStarted, slotTargets } from '@decola/contracts';
import type { z } from 'zod';
import { RunChannel, type ReserveReply, type SlotReply } from '../../src/runs/run-channel.js';

export interface Reservation extends LedgerTarget {
  reservationId: string;
  runId: string;
  accountKey: string;
  action: string;
  outcome: string | null;
}

/**
 * Automations and extraction as a run meets them, in memory: one reservation per (account, action, target) for ever, unless
 * it was skipped. Everything that a run says is kept in order.
 */
export class FakeAutomations extends RunChannel {
  readonly log: string[] = [];
  readonly startedRuns: PayloadOf<typeof runStarted>[] = [];
  readonly actions: PayloadOf<typeof runActionDone>[] = [];
  readonly pages: PayloadOf<typeof runPage>[] = [];
  readonly ends: PayloadOf<typeof runFinished>[] = [];
  readonly reservations: Reservation[] = [];
  readonly questions: z.infer<typeof runReserve.request>[] = [];
  readonly slots = new Map<string, LedgerTarget[]>();
  /** Called before a page is taken; a test may hold it up. */
  beforePage: () => Promise<void> = () => Promise.resolve();
  afterReserve: () => Promise<void> = () => Promise.resolve();
  stopReserving: ReserveReply['stop'] = null;
  /** False from when nobody wants the run any more. */
  isWanted = true;

  async started(event: PayloadOf<typeof runStarted>): Promise<void> {
    this.log.push('started');
    this.startedRuns.push(event);
    await Promise.resolve();
  }

  async action(event: PayloadOf<typeof runActionDone>): Promise<void> {
    this.log.push(`action:${event.action}:${event.outcome}`);
    this.actions.push(event);
    const reservation = this.reservations.find(({ reservationId }) => reservationId === event.reservationId);
    if (reservation) reservation.outcome = event.outcome;
    await Promise.resolve();
  }

  async page(event: PayloadOf<typeof runPage>): Promise<void> {
    await this.beforePage();
    this.log.push(`page:${event.page}`);
    this.pages.push(event);
  }

  async finished(event: PayloadOf<typeof runFinished>): Promise<void> {
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
      const known = this.reservations.some(
        (one) => one.accountKey === accountKey && one.action === action && one.targetId === candidate.targetId && one.outcome !== 'skipped',
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

  async slotTargets({ extractedDataId, offset, limit }: z.infer<typeof slotTargets.request>): Promise<SlotReply> {
    const all = this.slots.get(extractedDataId) ?? [];
    await Promise.resolve();
    return { targets: all.slice(offset, offset + limit), nextOffset: offset + limit < all.length ? offset + limit : null };
  }

  /** The end of the only run, or of the run with this id. */
  endOf(runId: string): PayloadOf<typeof runFinished> | undefined {
    const ends = this.ends.filter((end) => end.runId === runId);
    if (ends.length > 1) throw new Error(`run ${runId} ended ${ends.length} times`);
    return ends[0];
  }
}
