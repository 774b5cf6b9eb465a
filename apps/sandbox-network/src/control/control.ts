import type { FastifyInstance } from 'fastify';
import type { CallGuard } from '../calls/guard.js';
import type { World } from '../state/world.js';
import { accountControl } from './accounts.js';
import { ledgerControl } from './ledger.js';
import { listControl } from './lists.js';
import { messageControl } from './messages.js';
import { networkControl } from './network.js';
import { objectionControl } from './objections.js';
import { postControl } from './posts.js';
import { sessionControl } from './sessions.js';
import { storyControl } from './stories.js';
import { tieControl } from './ties.js';

/** All routes under `/_sandbox`, for tests and developers. README.md describes each. */
export function controlApi(app: FastifyInstance, world: World, guard: CallGuard): void {
  networkControl(app, world, guard);
  accountControl(app, world);
  tieControl(app, world);
  listControl(app, world);
  postControl(app, world);
  sessionControl(app, world);
  storyControl(app, world);
  messageControl(app, world);
  objectionControl(app, world);
  ledgerControl(app, world);
}
