import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { callNames } from '../build/operations.js';
import { objectionKinds } from '../state/objection-kinds.js';
import type { World } from '../state/world.js';
import { count, knownAccount, Refusal, username } from './requests.js';

const objectionScript = z.strictObject({
  username: username.nullable().default(null),
  kind: z.enum(objectionKinds),
  call: z.enum([...callNames, 'any', 'action', 'read']).default('action'),
  target: z.string().nullable().default(null),
  afterCalls: count.default(0),
  times: z.number().int().positive().nullable().default(1),
  delayMs: count.max(600_000).default(0),
  blockMs: count.nullable().default(null),
  status: z.number().int().min(200).max(599).nullable().default(null),
});

/** The script of objections. */
export function objectionControl(app: FastifyInstance, world: World): void {
  app.post('/_sandbox/objections', (request, reply) => {
    const script = objectionScript.parse(request.body);
    if (script.username) knownAccount(world, script.username);
    const objection = world.objections.add(script);
    world.changed();
    return reply.code(201).send(objection);
  });

  app.get('/_sandbox/objections', () => ({ objections: world.objections.all() }));

  app.delete<{ Params: { id: string } }>('/_sandbox/objections/:id', (request) => {
    if (!world.objections.remove(request.params.id)) throw new Refusal(404, 'no such objection');
    world.changed();
    return { removed: true };
  });
}
