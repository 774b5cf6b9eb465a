import { leadRead } from '@decola/contracts';
import { requestQueueOf } from '@decola/messaging';
import amqp from 'amqplib';

/** Answers `lead.read` as extraction does. @param answersOf the stored answers of a lead, by its participation */
export async function answerLeads(
  brokerUrl: string,
  answersOf: (participationId: string) => Record<string, string> | undefined,
): Promise<{ close(): Promise<void> }> {
  const connection = await amqp.connect(brokerUrl);
  const channel = await connection.createChannel();
  const queue = requestQueueOf(leadRead.type);
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'classic', 'x-message-ttl': 30_000 } });
  await channel.consume(
    queue,
    (message) => {
      if (!message) return;
      const { participationId } = leadRead.request.parse(JSON.parse(message.content.toString('utf8')));
      const fields = answersOf(participationId);
      const reply = { ok: true, answer: { lead: fields ? { fields } : null } };
      channel.publish('', String(message.properties.replyTo), Buffer.from(JSON.stringify(reply)), {
        correlationId: String(message.properties.correlationId),
      });
    },
    { noAck: true },
  );
  return { close: () => connection.close() };
}
