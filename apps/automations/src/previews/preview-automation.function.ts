import { rowOf } from '@decola/database';
import { defineFunction, denied, type FunctionDefinition } from '@decola/table-api';
import type { Previews } from './previews.service.js';

/**
 * `preview_automation`: starts a dry run of the caller's automation or draft, or joins the one under way.
 * @returns a row of `previews`; where no page has to be opened it is over already
 */
export function previewAutomation(previews: Previews): FunctionDefinition {
  return defineFunction({
    name: 'preview_automation',
    arguments: { p_automation_id: 'uuid' },
    returns: 'scalar',
    volatile: true,
    call: async ({ manager, caller }, args) => {
      const id = args['p_automation_id'] as unknown as string;
      if (caller.role !== 'authenticated') throw denied(true, 'permission denied for function preview_automation');
      const own = await rowOf(manager, `select 1 from automations where id = $1 and user_id = $2`, [id, caller.userId]);
      if (!own) throw denied(false, 'permission denied for function preview_automation');
      const { automation_id, user_id, state, reason, items, created_at, finished_at, id: previewId } = await previews.ask(manager, id);
      return { id: previewId, automation_id, user_id, state, reason, items, created_at, finished_at };
    },
  });
}
