/** Number of interrupted runs in a row that are continued at once; the pause before each further one doubles. */
const freeInRow = 3;
const stepMs = 5_000;

/** Maximum pause after an interrupted run, ms. */
export const longestInterruptionPauseMs = 120_000;

/**
 * Pause before an interrupted run (its worker died or was stopped) is continued, ms.
 * @param inRow interrupted runs of one automation in a row, this one included
 */
export function pauseAfterInterruption(inRow: number): number {
  return inRow <= freeInRow ? 0 : Math.min(longestInterruptionPauseMs, stepMs * 2 ** (inRow - freeInRow));
}
