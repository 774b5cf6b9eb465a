import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { withheldForms } from '../state/withheld-lists.js';
import type { World } from '../state/world.js';
import { count, knownAccount } from './requests.js';

const listSettings = z.strictObject({
  lossRate: z.number().min(0).max(0.9).optional(),
  stableOrder: z.boolean().optional(),
  pageDelayMs: count.max(600_000).optional(),
  limited: z.boolean().optional(),
  hiddenShare: z.number().min(0).max(0.2).nullable().optional(),
});
const withheldLists = z.strictObject({
  form: z.enum(withheldForms),
  afterPages: count.default(0),
  forMs: z.number().int().positive().optional(),
});

/** Routes that set how follower and following lists misbehave, and from which accounts they are withheld. */
export function listControl(app: FastifyInstance, world: World): void {
  const known = (name: string) => knownAccount(world, name);

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/withheld-lists', (request) => {
    const { form, afterPages, forMs } = withheldLists.parse(request.body);
    const withheld = world.withheldLists.begin(known(request.params.username).username, form, afterPages, forMs);
    world.changed();
    return { form, until: new Date(withheld.until).toISOString() };
  });

  app.delete<{ Params: { username: string } }>('/_sandbox/accounts/:username/withheld-lists', (request) => {
    const ended = world.withheldLists.end(request.params.username);
    world.changed();
    return { ended };
  });

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/lists', (request) => {
    const name = known(request.params.username).username;
    world.lists.configure(name, listSettings.parse(request.body));
    world.changed();
    return world.lists.settingsOf(name);
  });

  app.put('/_sandbox/lists', (request) => {
    world.lists.defaults = { ...world.lists.defaults, ...listSettings.parse(request.body) };
    world.changed();
    return world.lists.defaults;
  });
}
