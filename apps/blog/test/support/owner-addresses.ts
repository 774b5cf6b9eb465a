import { userAddress } from '@decola/contracts';
import { requestQueueOf } from '@decola/messaging';
import amqp from 'amqplib';

/** Answers `user.address` as identity does. @param addressOf null for a person who is gone */
export async function answerAddresses(
  brokerUrl: string,
  addressOf: (userId: string) => string | null,
): Promise<{ close(): Promise<void> }> {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createChannel();
  const queue = requestQueueOf(userAddress.type);
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic', 'x-message-ttl': 30_000 } });
  await channel.consume(
    queue,
    (message) => {
      if (!message) return;
      const { userId } = userAddress.request.parse(JSON.parse(message.content.toString('utf8')));
      const reply = { ok: true, answer: { email: addressOf(userId) } };
      channel.publish('', String(message.properties.replyTo), Buffer.from(JSON.stringify(reply)), {
        correlationId: String(message.properties.correlationId),
      });
    },
    { noAck: true },
  );
  return { close: () => connection.close() };
}
