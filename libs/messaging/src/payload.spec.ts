import { PermanentError } from '@decola/service-kit';
import type { ConsumeMessage } from 'amqplib';
import { z } from 'zod';
import { NewerMessageError } from './newer-messages.js';
import { parsePayload } from './payload.js';

const reader = {
  ...{ kind: 'event', type: 'order.moved', version: 2 },
  schema: z.object({
    id: z.uuid(),
    state: z.enum(['packed', 'sent']),
    by: z.discriminatedUnion('kind', [z.object({ kind: z.literal('post'), number: z.string() }), z.object({ kind: z.literal('hand') })]),
    tags: z
      .array(z.enum(['fragile', 'heavy']))
      .max(2)
      .nullish(),
    weights: z.partialRecord(z.enum(['net', 'gross']), z.number()).optional(),
    size: z.union([z.enum(['s', 'm']), z.number()]).optional(),
    owner: z.strictObject({ name: z.string() }).optional(),
  }),
};
const order = { id: 'b7a3f6e2-1a55-4a43-9c0f-6c8f2f2f0a11', state: 'packed', by: { kind: 'hand' } };

function read(body: unknown, version = 2): unknown {
  const headers = { 'cloudEvents:dataschema': `order.moved/v${version}` };
  const content = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return parsePayload({ content, properties: { headers } } as unknown as ConsumeMessage, reader);
}

describe('parsePayload', () => {
  it('reads what fits, and ignores members that it does not know', () =>
    expect(read({ ...order, colour: 'red', by: { kind: 'hand', glove: true } })).toEqual(order));

  it.each([
    ['a value of an enum', { ...order, state: 'lost' }],
    ['a variant', { ...order, by: { kind: 'drone', height: 3 } }],
    ['a value within an array', { ...order, tags: ['heavy', 'wet'] }],
    ['a key of a record', { ...order, weights: { net: 1, tare: 2 } }],
    ['a value of a union', { ...order, size: 'xl' }],
    ['a member of a strict object', { ...order, owner: { name: 'Ana', title: 'Dr.' } }],
    ['a value beside something else that does not fit', { ...order, state: 'lost', tags: 'wet' }],
  ])('takes %s that it does not know for the word of a newer release', (_, body) => expect(() => read(body)).toThrow(NewerMessageError));

  it('takes whatever does not fit for newer when its sender used a higher version', () => {
    const body = { ...order, tags: ['heavy', 'heavy', 'heavy'] };
    expect(() => read(body, 3)).toThrow(NewerMessageError);
    expect(() => read(body, 2)).toThrow(PermanentError);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', 'null'],
    ['a missing value of an enum', { ...order, state: undefined }],
    ['an enum of another type', { ...order, state: { is: 'packed' } }],
    ['a missing variant', { ...order, by: {} }],
    ['a wrong format', { ...order, id: '17' }],
    ['a wrong type', { ...order, tags: 'heavy' }],
    ['a union that nothing fits', { ...order, size: true }],
    ['a missing member', { ...order, by: { kind: 'post' } }],
  ])('refuses %s as malformed', (_, body) => expect(() => read(body)).toThrow(PermanentError));

  it.each([
    ['malformed', { ...order, id: 'segredo' }],
    ['newer', { ...order, state: 'segredo' }],
  ])('names fields of a %s message, and never their values', (_, body) => {
    expect(() => read(body)).toThrow(/\b(id|state)$/);
    expect(() => read(body)).not.toThrow(/segredo/);
  });
});
