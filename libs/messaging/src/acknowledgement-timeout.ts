/** A job took longer than the broker's `consumer_timeout`, so the broker requeued it while it was still being handled. */
export class AcknowledgementTimeoutError extends Error {
  constructor(
    queues: readonly string[],
    /** The broker's `consumer_timeout` in ms; null when the broker did not report it. */
    readonly allowedMs: number | null,
    cause: unknown,
  ) {
    super(
      `RabbitMQ requeued a job of ${queues.join(', ')} that took longer than its consumer_timeout` +
        `${allowedMs === null ? '' : ` of ${allowedMs} ms`}, although it is still being handled. ` +
        'Raise consumer_timeout for these queues (libs/messaging/README.md, "How long a job may take").',
      { cause },
    );
    this.name = 'AcknowledgementTimeoutError';
  }
}

/** @param error why the broker closed the channel @returns undefined when it closed it for another reason */
export function acknowledgementTimeoutOf(error: unknown, queues: readonly string[]): AcknowledgementTimeoutError | undefined {
  const text = error instanceof Error ? error.message : String(error);
  if (!/delivery acknowledgement on channel \d+ timed out/.test(text)) return undefined;
  const allowed = /Timeout value used: (\d+) ms/.exec(text)?.[1];
  return new AcknowledgementTimeoutError(queues, allowed === undefined ? null : Number(allowed), error);
}
