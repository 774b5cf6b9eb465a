import type { LedgerTarget, SkipReason } from '@decola/contracts';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';

/** People of an extraction, requested in batches in the list's order. */
export class SlotPeople implements Candidates {
  problem: SkipReason | null = null;
  /** Offset of the current batch: everybody before it has been decided when the next batch is requested. */
  place: number;
  private readonly waiting: LedgerTarget[] = [];
  private offset: number | null;

  constructor(
    private readonly extractedDataId: string,
    start: number,
    private readonly parts: Pick<RunParts, 'channel' | 'job'>,
  ) {
    this.place = start;
    this.offset = start;
  }

  async next(): Promise<LedgerTarget | null> {
    const { channel, job } = this.parts;
    while (this.waiting.length === 0 && this.offset !== null) {
      this.place = this.offset;
      const { targets, nextOffset } = await channel.slotTargets({
        userId: job.userId,
        extractedDataId: this.extractedDataId,
        accountKey: job.accountKey,
        offset: this.offset,
        limit: 50,
      });
      this.waiting.push(...targets);
      this.offset = nextOffset !== null && nextOffset > this.offset ? nextOffset : null;
      if (this.place === 0 && targets.length === 0 && this.offset === null) this.problem = 'source_empty';
    }
    return this.waiting.shift() ?? null;
  }

  close(): void {
    // nothing to close
  }
}
