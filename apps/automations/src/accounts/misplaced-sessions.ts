import { containsSession, misplacedSessionText } from '@decola/contracts';
import { refusedFor } from '@decola/table-api';

/**
 * Refuses a session of the network in a field that is meant for something else, because it would be stored in plain text there.
 * @throws RestError P0001 with the sentence for the customer, which repeats nothing of what was sent
 */
export function refuseSessionsIn(...sent: readonly unknown[]): void {
  if (containsSession(sent)) throw refusedFor(misplacedSessionText);
}
