import type { Logger } from '@decola/service-kit';
import type { ChannelWrapper } from 'amqp-connection-manager';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import pTimeout from 'p-timeout';
import { Acknowledgements } from './acknowledgements.js';
import { closed } from './closed.js';
import type { BrokerConnection, Declaration } from './connection.js';
import { declareUntilDone } from './declare-until-done.js';
import { RequeueBuffer } from './requeue.js';

export interface QueueConsumerOptions {
  connection: BrokerConnection;
  /** Shown in the broker's management page. */
  name: string;
  queue: string;
  /** Maximum number of messages that the broker delivers before some are acknowledged. */
  prefetch: number;
  /** Declares the queue, for each new channel. */
  declaration: Declaration;
  /** `settled` when the message may be acknowledged; `requeue` when it must go back to the queue as it came. */
  handle: (channel: ConfirmChannel, message: ConsumeMessage) => Promise<'settled' | 'requeue'>;
  logger: Pick<Logger, 'error' | 'warn'>;
}

/** Consumes one queue, also after reconnects. While it is paused it holds no message, so that other replicas get them. */
export class QueueConsumer {
  private wrapper: ChannelWrapper | undefined;
  private channel: ConfirmChannel | undefined;
  private consumerTag: string | undefined;
  private isPaused = false;
  private readonly handling = new Set<Promise<void>>();
  private readonly requeueBuffer = new RequeueBuffer();
  private acknowledgements: Acknowledgements | undefined;
  /** Starting and cancelling the broker's consumer, one after another. */
  private updating: Promise<void> = Promise.resolve();

  constructor(private readonly options: QueueConsumerOptions) {}

  /** Resolves when the broker delivers messages. */
  async open(): Promise<void> {
    const { connection, name, queue, prefetch, logger } = this.options;
    this.wrapper = connection.createChannel({
      name,
      setup: async (channel: ConfirmChannel) => {
        if (!(await this.declare(channel))) return;
        await channel.prefetch(prefetch);
        this.channel = channel;
        this.acknowledgements = new Acknowledgements(channel);
        this.consumerTag = undefined;
        channel.once('close', () => {
          if (this.channel === channel) this.channel = this.consumerTag = undefined;
        });
        await this.updateConsumer();
      },
    });
    this.wrapper.on('error', (error: unknown) => logger.error({ err: error }, `${queue}: channel failed`));
    await this.wrapper.waitForConnect();
  }

  /** Stops consuming, and requeues messages that arrive meanwhile. Messages that are being handled continue. */
  pause(): Promise<void> {
    this.isPaused = true;
    return this.updateConsumer();
  }

  resume(): Promise<void> {
    this.isPaused = false;
    this.requeueBuffer.flush();
    return this.updateConsumer();
  }

  /** Resolves when no message is being handled, or after `drainMs`. */
  async drained(drainMs: number): Promise<void> {
    await pTimeout(Promise.allSettled([...this.handling]), { milliseconds: drainMs, message: false });
  }

  async close(): Promise<void> {
    this.acknowledgements?.flush();
    await closed(this.wrapper?.close());
  }

  private declare(channel: ConfirmChannel): Promise<boolean> {
    const { connection, declaration, queue, logger } = this.options;
    return declareUntilDone(connection, channel, declaration, (error) =>
      logger.error({ err: error }, `${queue}: could not be declared, trying again`),
    );
  }

  /** Starts or cancels the broker's consumer, whichever `isPaused` asks for. */
  private updateConsumer(): Promise<void> {
    this.updating = this.updating
      .then(() => this.applyPause())
      .catch((error: unknown) => this.options.logger.error({ err: error }, `${this.options.queue}: could not start or stop consuming`));
    return this.updating;
  }

  private async applyPause(): Promise<void> {
    const { channel } = this;
    const { acknowledgements } = this;
    if (!channel || !acknowledgements) return; // the next channel's setup does it
    if (!this.isPaused && this.consumerTag === undefined) {
      const { consumerTag } = await channel.consume(this.options.queue, (message) => this.onMessage(channel, acknowledgements, message));
      if (this.channel === channel) this.consumerTag = consumerTag;
    } else if (this.isPaused && this.consumerTag !== undefined) {
      const tag = this.consumerTag;
      this.consumerTag = undefined;
      await channel.cancel(tag);
    }
  }

  private onMessage(channel: ConfirmChannel, acknowledgements: Acknowledgements, message: ConsumeMessage | null): void {
    if (message === null) return this.onCancelledByBroker(channel);
    acknowledgements.expect(message);
    const work = this.handle(channel, acknowledgements, message);
    this.handling.add(work);
    void work.finally(() => {
      this.handling.delete(work);
      // Requeued only when all other messages are settled, so that they keep their order.
      if (this.handling.size === 0) this.requeueBuffer.flush();
    });
  }

  private async handle(channel: ConfirmChannel, acknowledgements: Acknowledgements, message: ConsumeMessage): Promise<void> {
    const { handle, logger, queue } = this.options;
    try {
      // A message may arrive after the pause: it was on its way.
      const outcome = this.isPaused ? 'requeue' : await handle(channel, message);
      if (outcome === 'requeue') this.requeueBuffer.add(acknowledgements, message);
      else acknowledgements.settle(message);
    } catch (error) {
      logger.error({ err: error, queue }, 'message returned to its queue');
      acknowledgements.requeue(message);
    }
  }

  /** The broker cancels consumers of a queue that moves to another node or is deleted. */
  private onCancelledByBroker(channel: ConfirmChannel): void {
    const { queue, logger } = this.options;
    logger.warn(`${queue}: consumer cancelled by the broker`);
    this.consumerTag = undefined;
    if (this.isPaused) return;
    void this.declare(channel).then((isDeclared) => (isDeclared ? this.updateConsumer() : undefined));
  }
}
