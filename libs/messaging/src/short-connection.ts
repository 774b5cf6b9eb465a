import amqp, { type ChannelModel, type ConfirmChannel } from 'amqplib';
import pTimeout from 'p-timeout';

/** How long a connection may take to close in order before its socket is closed. */
const closeTimeoutMs = 1_000;

/**
 * Opens a connection with one channel for some work, and closes both afterwards.
 * @param options.timeoutMs limit for connecting and the work together. Default: none.
 * @throws TimeoutError when the limit was reached; what the work did until then may have taken effect
 */
export async function withShortConnection<Result>(
  url: string,
  work: (channel: ConfirmChannel) => Promise<Result>,
  { name, timeoutMs = Number.POSITIVE_INFINITY }: { name: string; timeoutMs?: number },
): Promise<Result> {
  const connecting = amqp.connect(url, { noDelay: true, clientProperties: { connection_name: name } });
  const run = async (): Promise<Result> => {
    const connection = await connecting;
    // Whatever ends the connection rejects the call that is under way; without listeners these events would end the process.
    connection.on('error', () => undefined);
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    const result = await work(channel);
    // Acknowledgements have no response: once the channel is closed, the broker has processed them.
    await channel.close();
    return result;
  };
  try {
    return await pTimeout(run(), { milliseconds: timeoutMs });
  } finally {
    void connecting.then(close, () => undefined);
  }
}

/** Closes a connection, also one whose broker does not answer. */
async function close(connection: ChannelModel): Promise<void> {
  try {
    await pTimeout(connection.close(), { milliseconds: closeTimeoutMs });
  } catch {
    (connection as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
