import type { ConfirmChannel, GetMessage, Message } from 'amqplib';
import { headerOf } from './envelope.js';

/**
 * How often a message goes back to its queue because of an outage of the database. A message that fails like this more often is suspected of causing the
 * outage (a query that crashes the server), and its failures count. Lower than the delivery limit at which the broker dead-letters a message.
 */
const maxUncountedRequeues = 20;

/** Whether a message may go back to its queue without counting as a failed attempt. */
export function mayRequeueUncounted(message: Message): boolean {
  return Number(headerOf(message as GetMessage, 'x-delivery-count') ?? 0) < maxUncountedRequeues;
}

/** Returns messages to their queue: the acknowledgements of their channel. */
export interface Requeuer {
  requeue(message: Message): void;
}

/** Collects unacknowledged messages, and returns them to their queue together, in the order of their delivery and without counting a failed attempt. */
export class RequeueBuffer {
  private messages: { channel: Requeuer; message: Message }[] = [];

  add(channel: Requeuer, message: Message): void {
    this.messages.push({ channel, message });
  }

  /** Returns all collected messages to their queue. */
  flush(): void {
    const messages = this.messages.splice(0).sort((a, b) => a.message.fields.deliveryTag - b.message.fields.deliveryTag);
    for (const { channel, message } of messages) channel.requeue(message);
  }
}

/** Returns a message to its queue. */
export function requeue(channel: Pick<ConfirmChannel, 'nack'>, message: Message): void {
  try {
    channel.nack(message, false, true);
  } catch {
    // the channel is closed, so the broker has requeued the message already
  }
}
