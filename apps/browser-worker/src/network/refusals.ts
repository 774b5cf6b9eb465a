import { type Answer, at } from './answers.js';

/** "Your request could not be processed." An outdated page may cause it, so the page is reloaded before it counts as an objection. */
export const notProcessedError = 1_357_005;

/**
 * How the network refused an action. `reviewed`: the person reviews followers by hand, which says nothing about our account. `target_gone`: the
 * post or comment does not exist any more. `not_processed`: error 1357005. `refused`: any other form.
 */
export type Refusal = 'reviewed' | 'target_gone' | 'not_processed' | 'refused';

/** How an answer refuses an action that it does not confirm; null when it cannot be read. */
export function refusalIn(answer: Answer): 'not_processed' | 'refused' | null {
  if (at(answer.json, 'error') === notProcessedError) return 'not_processed';
  return answer.status >= 400 || answer.json !== null ? 'refused' : null;
}
