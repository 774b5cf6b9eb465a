import type { ConfirmChannel, Message } from 'amqplib';
import { requeue } from './requeue.js';

/**
 * Acknowledgements of one channel. Those of one turn of the event loop leave together: one frame acknowledges all messages up to the oldest one that is not
 * settled yet, where each would otherwise be a packet, and for a quorum queue a command of its own.
 */
export class Acknowledgements {
  /** Messages that the broker waits for, in the order of their delivery. */
  private readonly open = new Map<number, Message>();
  private settled: Message[] = [];
  private scheduled: NodeJS.Immediate | undefined;

  constructor(private readonly channel: Pick<ConfirmChannel, 'ack' | 'nack'>) {}

  /** A message arrived. */
  expect(message: Message): void {
    this.open.set(message.fields.deliveryTag, message);
  }

  /** Acknowledges a message, at the end of this turn of the event loop. */
  settle(message: Message): void {
    this.settled.push(message);
    this.scheduled ??= setImmediate(() => this.flush());
  }

  /** Returns a message to its queue at once. */
  requeue(message: Message): void {
    requeue(this.channel, message);
    this.open.delete(message.fields.deliveryTag);
  }

  /** Sends what waits. */
  flush(): void {
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    const settled = this.settled.sort((a, b) => a.fields.deliveryTag - b.fields.deliveryTag);
    this.settled = [];
    for (const { fields } of settled) this.open.delete(fields.deliveryTag);
    const [oldest = Number.POSITIVE_INFINITY] = this.open.keys();
    const before = settled.findLastIndex(({ fields }) => fields.deliveryTag < oldest);
    try {
      const last = settled[before];
      if (last) this.channel.ack(last, true);
      for (const message of settled.slice(before + 1)) this.channel.ack(message);
    } catch {
      // The channel is closed: the broker delivers the messages again.
    }
  }
}
