import pTimeout from 'p-timeout';

/** How long the broker may take to say that a channel or a connection is closed. */
const closeTimeoutMs = 5_000;

/**
 * Resolves when a channel or a connection is closed, at the latest after 5 s, and never rejects. amqplib never settles its promise when the connection
 * is lost before the broker's answer: a service that stops at that moment would not end. The broker itself closes what belongs to a lost connection.
 */
export async function closed(closing: Promise<unknown> | undefined): Promise<void> {
  await pTimeout(Promise.allSettled([closing]), { milliseconds: closeTimeoutMs, message: false });
}
