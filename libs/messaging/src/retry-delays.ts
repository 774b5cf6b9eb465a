/**
 * Delays before a failed message is tried again, with one queue each: RabbitMQ has no delayed messages, so a message waits in a queue whose time to live
 * sends it back to its own queue.
 */
export const retryDelays = [
  { name: '1s', ms: 1_000 },
  { name: '5s', ms: 5_000 },
  { name: '30s', ms: 30_000 },
  { name: '5m', ms: 300_000 },
  { name: '1h', ms: 3_600_000 },
] as const;

/** After this many failed attempts a message is dead-lettered. */
export const maxAttempts = 8;
