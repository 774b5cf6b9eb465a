import { type Database, rowOf } from '@decola/database';
import { perform } from '../automation-state/perform.js';
import { budgetAction, onlyReads } from '../tools/registry.js';
import type { RunRow } from './run-row.js';

/** Number of interruptions in a row that are continued at once; the wait before each further one doubles. */
const freeInterruptions = 3;
const firstWaitMs = 5_000;
const longestWaitMs = 120_000;

/**
 * Plans another run that continues an interrupted one: with what is left of its budget, and with a look at everything that has no outcome.
 * @param givenBack reservations that the run skipped; their reports may still be on their way
 */
export async function continueRun(db: Database, run: RunRow, givenBack: readonly string[], now: Date): Promise<void> {
  await perform(db, 'interrupt', { ids: [run.automation_id] }, {});
  const row = await rowOf<{ interruptions: number; used: number; open: number }>(
    db,
    `select t.interruptions,
       (select count(*) from account_actions l where l.run_id = $2 and l.action = $6 and l.state <> 'skipped'
         and not (l.state = 'reserved' and l.id = any($4)))::int as used,
       (select count(*) from account_actions l where l.account_key = $3 and l.state = 'reserved' and l.id <> all($4)
         and coalesce(l.next_look_at, '-infinity') <= $5)::int as open
     from automations t where t.id = $1`,
    [run.automation_id, run.id, run.account_key, givenBack, now, budgetAction(run.kind) ?? null],
  );
  if (!row) return;
  const left = Math.max(0, run.budget - row.used);
  const isList = onlyReads(run.kind);
  if (!isList && left === 0 && row.open === 0) return;
  await perform(db, 'keep_budget', { ids: [run.automation_id] }, { left: isList ? null : left });
  await perform(db, 'schedule', { ids: [run.automation_id] }, { at: new Date(now.getTime() + waitMs(row.interruptions)) });
}

/** @param interruptions in a row, this one included */
function waitMs(interruptions: number): number {
  if (interruptions <= freeInterruptions) return 0;
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (interruptions - freeInterruptions));
}
