import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { buildNames } from '../build/traits.js';
import type { CallGuard } from '../calls/guard.js';
import { ceilingActions, type World } from '../state/world.js';
import { count } from './requests.js';
import { watchPage } from './watch-page.js';

const bounds = z.partialRecord(z.enum(ceilingActions), count);
const ceilings = z.strictObject({ perHour: bounds.optional(), perDay: bounds.optional(), sameMomentMs: count.optional() });
const clockChange = z.union([z.strictObject({ advanceMs: z.number().int() }), z.strictObject({ now: z.iso.datetime({ offset: true }) })]);

/** Routes about the whole network: health, statistics, reset, clock, ceilings and build. */
export function networkControl(app: FastifyInstance, world: World, guard: CallGuard): void {
  app.get('/_sandbox/health', () => ({ ok: true, build: `${world.build.name}-${world.build.revision}` }));

  app.get('/_sandbox/', (_request, reply) => reply.type('text/html; charset=utf-8').send(watchPage()));

  app.post('/_sandbox/reset', (request) => {
    const { seed } = z.strictObject({ seed: z.string().min(1).optional() }).parse(request.body ?? {});
    world.reset(seed);
    guard.forget();
    return { seed: world.seed };
  });

  app.put('/_sandbox/ceilings', (request) => {
    world.ceilings = { ...world.ceilings, ...ceilings.parse(request.body) };
    world.changed();
    return world.ceilings;
  });

  app.get('/_sandbox/clock', () => ({ now: new Date(world.clock.now()).toISOString(), offsetMs: world.clock.offsetMs }));
  app.post('/_sandbox/clock', (request) => {
    const change = clockChange.parse(request.body);
    if ('advanceMs' in change) world.clock.advance(change.advanceMs);
    else world.clock.set(Date.parse(change.now));
    world.changed();
    return { now: new Date(world.clock.now()).toISOString(), offsetMs: world.clock.offsetMs };
  });

  app.post('/_sandbox/build', (request) => {
    const { name } = z.strictObject({ name: z.enum(buildNames).default('main') }).parse(request.body ?? {});
    world.rollOut(name);
    return { build: `${world.build.name}-${world.build.revision}` };
  });

  app.get('/_sandbox/stats', () => {
    const { heapUsed, rss } = process.memoryUsage();
    return {
      seed: world.seed,
      build: `${world.build.name}-${world.build.revision}`,
      now: new Date(world.clock.now()).toISOString(),
      accounts: world.accounts.count,
      sessions: world.sessions.all().filter(({ endedBecause, expiresAt }) => !endedBecause && expiresAt > world.clock.now()).length,
      objections: world.objections.all().length,
      counts: Object.fromEntries(world.ledger.counts),
      memory: { heapUsed, rss },
    };
  });
}
