import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Message } from 'amqplib';
import { Acknowledgements } from './acknowledgements.js';

/** A channel that writes down what it was told. */
function recorded() {
  const frames: string[] = [];
  const tell = (what: string) => (message: Message, upTo?: boolean) =>
    void frames.push(`${what} ${message.fields.deliveryTag}${upTo === true ? ' and before' : ''}`);
  return { frames, acknowledgements: new Acknowledgements({ ack: tell('ack'), nack: tell('requeue') }) };
}

const delivered = (acknowledgements: Acknowledgements, count: number): Message[] => {
  const messages = Array.from({ length: count }, (_, index) => ({ fields: { deliveryTag: index + 1 } }) as Message);
  for (const message of messages) acknowledgements.expect(message);
  return messages;
};

describe('Acknowledgements', () => {
  it('of one turn leave as one frame', async () => {
    const { frames, acknowledgements } = recorded();
    for (const message of delivered(acknowledgements, 5).toReversed()) acknowledgements.settle(message);
    expect(frames).toEqual([]);
    await nextTurn();
    expect(frames).toEqual(['ack 5 and before']);
  });

  it('never include a message that is still being handled', async () => {
    const { frames, acknowledgements } = recorded();
    const [one, two, three, four, five] = delivered(acknowledgements, 5) as [Message, Message, Message, Message, Message];
    for (const message of [one, two, four, five]) acknowledgements.settle(message);
    await nextTurn();
    expect(frames).toEqual(['ack 2 and before', 'ack 4', 'ack 5']);
    acknowledgements.settle(three);
    await nextTurn();
    expect(frames.slice(3)).toEqual(['ack 3 and before']);
  });

  it('never include a message that waits for its return to the queue', () => {
    const { frames, acknowledgements } = recorded();
    const [one, two, three] = delivered(acknowledgements, 3) as [Message, Message, Message];
    acknowledgements.settle(two);
    acknowledgements.flush();
    acknowledgements.requeue(one);
    acknowledgements.settle(three);
    acknowledgements.flush();
    expect(frames).toEqual(['ack 2', 'requeue 1', 'ack 3 and before']);
  });
});
