import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Message, requestRules } from '../state/direct.js';
import type { World } from '../state/world.js';
import { knownAccount, username } from './requests.js';

const newMessage = z.strictObject({
  from: username,
  to: username,
  text: z.string().min(1).max(1_000),
  at: z.iso.datetime({ offset: true }).optional(),
});
const question = z.object({ from: username.optional(), to: username.optional() });

/** Routes about direct messages: reading them, sending one as any person, and who takes messages from strangers. */
export function messageControl(app: FastifyInstance, world: World): void {
  const known = (name: string) => knownAccount(world, name);

  app.get('/_sandbox/messages', (request) => {
    const { from, to } = question.parse(request.query);
    const found = world.direct.find({ from: from === undefined ? undefined : known(from), to: to === undefined ? undefined : known(to) });
    return { messages: found.map(describe) };
  });

  // Sent by the person themselves, as from their phone: it is in no ledger and meets no rule.
  app.post('/_sandbox/messages', (request, reply) => {
    const { from, to, text, at } = newMessage.parse(request.body);
    const message = world.direct.send(known(from), known(to), text, at === undefined ? undefined : Date.parse(at));
    world.direct.deliver(message);
    world.changed();
    return reply.code(201).send(describe(message));
  });

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/direct', (request) => {
    const { newRequests } = z.strictObject({ newRequests: z.enum(requestRules) }).parse(request.body);
    world.direct.setRule(known(request.params.username), newRequests);
    world.changed();
    return { newRequests };
  });

  function describe({ id, thread, from, to, text, at, folder, isDelivered }: Message) {
    return {
      id,
      thread,
      from: world.accounts.byId(from)?.username,
      to: world.accounts.byId(to)?.username,
      text,
      at: new Date(at).toISOString(),
      folder,
      state: isDelivered ? 'delivered' : 'sending',
    };
  }
}
