import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '../state/world.js';

const ledgerQuery = z.object({
  account: z.string().optional(),
  action: z.string().optional(),
  target: z.string().optional(),
  verdict: z.string().optional(),
  verdicts: z.stringbool().optional(),
  since: z.coerce.number().optional(),
  after: z.coerce.number().int().optional(),
  limit: z.coerce.number().int().positive().max(200_000).optional(),
});

/** Reading the ledger. */
export function ledgerControl(app: FastifyInstance, world: World): void {
  app.get('/_sandbox/ledger', (request) => {
    const { verdicts, ...filter } = ledgerQuery.parse(request.query);
    return { entries: world.ledger.find({ ...filter, ...(verdicts ? { verdicts } : {}) }) };
  });

  app.get('/_sandbox/ledger/stream', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' });
    raw.write(': here\n\n');
    const stop = world.ledger.listen((entry) => raw.write(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`));
    request.raw.on('close', stop);
  });
}
