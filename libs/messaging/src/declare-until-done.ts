import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfirmChannel } from 'amqplib';
import type { BrokerConnection, Declaration } from './connection.js';

const retryMs = 1_000;

/**
 * Repeats a declaration until it succeeds or the channel that needs it is closed.
 * @returns whether it succeeded
 */
export async function declareUntilDone(
  connection: BrokerConnection,
  channel: ConfirmChannel,
  declaration: Declaration,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let isClosed = false;
  channel.once('close', () => (isClosed = true));
  while (!isClosed) {
    try {
      await connection.declare(declaration);
      return true;
    } catch (error) {
      onError(error);
      await sleep(retryMs);
    }
  }
  return false;
}
