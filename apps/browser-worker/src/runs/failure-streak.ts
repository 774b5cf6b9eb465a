import type { ActionOutcome } from '@decola/contracts';
import type { Objection } from '../network/signals.js';

/** Failed actions in a row after which the account stops this kind of action. */
const failuresThatStop = 2;

/**
 * Counts failed actions in a row. Two without proof mean a silent block (row 14); two of which the network refused at least one, in whatever
 * form, mean a refusal.
 */
export class FailureStreak {
  private readonly outcomes: ActionOutcome[] = [];

  /** @returns the objection that stops the run; null while it may go on. */
  record(outcome: ActionOutcome): Objection | null {
    if (outcome !== 'refused' && outcome !== 'not_confirmed') {
      this.outcomes.length = 0;
      return null;
    }
    this.outcomes.push(outcome);
    if (this.outcomes.length < failuresThatStop) return null;
    const evidence = { failedInRow: this.outcomes.length, outcomes: this.outcomes.join(' ') };
    return this.outcomes.includes('refused') ? { class: 'refused', row: null, evidence } : { class: 'silent_block', row: 14, evidence };
  }
}
