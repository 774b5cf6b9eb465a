import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { callKinds, faultKinds } from '../state/fault-kinds.js';
import { models, type ModelState } from '../state/model-state.js';

const count = z.number().int().nonnegative();

const faultScript = z.strictObject({
  kind: z.enum(faultKinds),
  call: z.enum([...callKinds, 'any']).default('any'),
  match: z.string().min(1).nullable().default(null),
  afterCalls: count.default(0),
  times: z.number().int().positive().nullable().default(1),
  delayMs: count.max(3_600_000).nullable().default(null),
  retryAfterSeconds: count.nullable().default(null),
  parameter: z.string().min(1).nullable().default(null),
});

const settings = z.strictObject({
  tokensPerSecond: count.optional(),
  refusedParameters: z.array(z.string()).optional(),
  responseFormats: z.array(z.enum(['text', 'json_object', 'json_schema'])).optional(),
});

/** All routes under `/_sandbox`, for tests and developers. README.md describes each. */
export function controlApi(app: FastifyInstance, state: ModelState): void {
  app.get('/_sandbox/health', () => ({ status: 'up', models }));

  app.post('/_sandbox/reset', () => {
    state.reset();
    return { ok: true };
  });

  app.get('/_sandbox/settings', () => state.settings);
  app.patch('/_sandbox/settings', ({ body }) => {
    const changes = Object.entries(settings.parse(body)).filter(([, value]) => value !== undefined);
    Object.assign(state.settings, Object.fromEntries(changes));
    return state.settings;
  });

  app.post('/_sandbox/faults', ({ body }, reply) => reply.status(201).send(state.faults.add(faultScript.parse(body))));
  app.get('/_sandbox/faults', () => ({ faults: state.faults.all() }));
  app.delete('/_sandbox/faults', () => {
    state.faults.clear();
    return { removed: true };
  });
  app.delete<{ Params: { id: string } }>('/_sandbox/faults/:id', ({ params }, reply) =>
    state.faults.remove(params.id) ? { removed: true } : reply.status(404).send({ error: 'no such fault' }),
  );

  app.post('/_sandbox/release', () => {
    state.release();
    return { ok: true };
  });

  app.get('/_sandbox/requests', () => ({ requests: state.ledger.all(), total: state.ledger.total() }));
}
