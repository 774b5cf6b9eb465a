import type { PayloadOf, runFinished, RunPlan } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { PauseCause } from '../safety/stops.js';
import { pauseReason } from '../texts/texts.js';
import { rereadReason } from '../tools/registry.js';

type Finished = PayloadOf<typeof runFinished>;

/** Why the automation cannot go on until its customer does something, as its run reports it; null when it can. */
export async function pauseCauseOf(db: Database, plan: RunPlan, targetProblem: Finished['targetProblem']): Promise<PauseCause | null> {
  switch (targetProblem) {
    case 'target_gone':
    case 'target_private':
    case 'post_gone':
    case 'post_of_another':
    case 'limit_of_network':
      return targetProblem;
    case 'already_in_ledger':
      return rereadReason(plan, targetProblem) !== null || (await isSourceGrowing(db, plan)) ? null : 'source_used_up';
    case 'source_empty':
      // A hashtag or a list of the network may show somebody tomorrow; an extracted list only while its extraction goes on.
      return extractedSourceOf(plan) !== null && !(await isSourceGrowing(db, plan)) ? 'source_used_up' : null;
    default:
      return null;
  }
}

/** Why a run ended early, as a sentence for the diary; null when it did not. */
export function endReason(plan: RunPlan, { stop, targetProblem }: Finished, cause: PauseCause | null, now: Date): string | null {
  const reason = stop?.class ?? problemOf(plan, targetProblem) ?? cause;
  return reason === null ? rereadReason(plan, targetProblem) : pauseReason(reason, now, null);
}

/** A problem that says nothing about the account, and does not pause the automation; null when it is another one. */
function problemOf(plan: RunPlan, targetProblem: Finished['targetProblem']): PauseCause | null {
  if (targetProblem === 'list_refused') return 'postCode' in plan ? 'post_refused' : 'list_refused';
  return targetProblem === 'source_empty' ? targetProblem : null;
}

/** Whether the extraction that fills the plan's extracted list goes on, now or after a pause. */
async function isSourceGrowing(db: Database, plan: RunPlan): Promise<boolean> {
  const growing = await rowOf(
    db,
    `select 1 from extraction_progress p join automations x on x.id = p.automation_id
     where p.extracted_data_id = $1 and x.completed_at is null and (x.is_active or x.pause_resumes)`,
    [extractedSourceOf(plan)],
  );
  return growing !== undefined;
}

/** Id of the extracted list that a run takes its targets from; null when it takes them from elsewhere. */
function extractedSourceOf(plan: RunPlan): string | null {
  return 'source' in plan && plan.source?.kind === 'slot' ? plan.source.extractedDataId : null;
}
