import { isOutage } from '@decola/database';
import { Refusal, UnavailableError } from '@decola/service-kit';
import { proposedVisitTexts } from '../texts/texts.js';
import type { Spin, SpinOutcome } from './spin.js';

/** Draws for some spins in one transaction. @throws when it did not commit: then nobody won */
export type DrawBatch = (spins: readonly Spin[]) => Promise<SpinOutcome[]>;

export interface DrawLaneOptions {
  /** Spins of one transaction. */
  batch: number;
  /** Spins of one wheel, and of all wheels, that wait at most. */
  mostOfWheel: number;
  mostOfAll: number;
  /** A spin that would wait longer is refused. */
  longestWaitMs: number;
}

export const drawLaneDefaults: DrawLaneOptions = { batch: 256, mostOfWheel: 500, mostOfAll: 2_000, longestWaitMs: 3_000 };

interface Waiting {
  spin: Spin;
  resolve: (outcome: SpinOutcome) => void;
  reject: (error: unknown) => void;
}

/** Weight of the newest batch in the mean time of a batch. */
const newest = 0.2;

/**
 * A replica's queue of spins: one transaction at a time takes what waits, wheel by wheel in turn, so that one wheel's storm delays no other. There is no
 * timer: alone, a spin is drawn at once, and under load the batches grow.
 */
export class DrawLane {
  private readonly waiting = new Map<string, Waiting[]>();
  private count = 0;
  private working: Promise<void> | undefined;
  private isClosed = false;
  private msPerBatch = 0;

  constructor(
    private readonly draw: DrawBatch,
    private readonly options: DrawLaneOptions = drawLaneDefaults,
  ) {}

  /** Spins that wait for their draw. */
  get length(): number {
    return this.count;
  }

  /** @throws Refusal 503 with `Retry-After` when too many wait; UnavailableError when the draw did not commit. The same spin may be sent again. */
  spin(spin: Spin): Promise<SpinOutcome> {
    if (this.isClosed) return Promise.reject(new UnavailableError());
    const ofWheel = this.waiting.get(spin.automationId) ?? [];
    const { mostOfWheel, mostOfAll, longestWaitMs, batch } = this.options;
    // A batch costs one commit however many spins are in it, so a crowd waits for batches, not for each other.
    const waitMs = Math.ceil(this.count / batch) * this.msPerBatch;
    if (ofWheel.length >= mostOfWheel || this.count >= mostOfAll || waitMs > longestWaitMs) return Promise.reject(busy(waitMs));
    return new Promise((resolve, reject) => {
      ofWheel.push({ spin, resolve, reject });
      this.waiting.set(spin.automationId, ofWheel);
      this.count += 1;
      this.working ??= this.work();
    });
  }

  /** Refuses new spins, and ends when those that wait are answered. */
  async drain(): Promise<void> {
    this.isClosed = true;
    await this.working;
  }

  private async work(): Promise<void> {
    // Spins that arrive in the same turn of the event loop share a transaction.
    await new Promise(setImmediate);
    while (this.count > 0) {
      const batch = this.take();
      const began = performance.now();
      await this.answer(batch);
      const ms = performance.now() - began;
      this.msPerBatch = this.msPerBatch === 0 ? ms : this.msPerBatch * (1 - newest) + ms * newest;
    }
    this.working = undefined;
  }

  private take(): Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < this.options.batch && this.count > 0) {
      for (const [automationId, ofWheel] of this.waiting) {
        const next = ofWheel.shift();
        if (ofWheel.length === 0) this.waiting.delete(automationId);
        if (!next) continue;
        batch.push(next);
        this.count -= 1;
        if (batch.length === this.options.batch) break;
      }
    }
    return batch;
  }

  /** A batch that fails is halved until the spin that cannot be drawn stands alone. While the database is away, all are refused at once. */
  private async answer(batch: readonly Waiting[]): Promise<void> {
    let outcomes: SpinOutcome[];
    try {
      outcomes = await this.draw(batch.map(({ spin }) => spin));
    } catch (error) {
      if (isOutage(error) || isLockTimeout(error)) return batch.forEach(({ reject }) => reject(new UnavailableError()));
      if (batch.length === 1) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await this.answer(batch.slice(0, half));
      await this.answer(batch.slice(half));
      return;
    }
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome) resolve(outcome);
      else reject(new Error('a spin without an outcome'));
    });
  }
}

/** The wheel's row stayed locked, by an edit or by another replica: the same spin may succeed soon. */
const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

function busy(waitMs: number): Refusal {
  const seconds = Math.min(Math.max(Math.ceil(waitMs / 1_000), 1), 3);
  return new Refusal(503, 'busy', proposedVisitTexts.busy(seconds), { headers: { 'retry-after': String(seconds) } });
}
