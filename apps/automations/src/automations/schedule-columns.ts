import { type AutomationType, frequencyMs, runKindOf } from '@decola/contracts';
import { rowOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import { perform } from '../automation-state/perform.js';
import { onlyReads } from '../tools/registry.js';
import { type Configuration, frequencyOf, textOf } from './configuration.js';

interface ScheduledAutomation {
  id: string;
  type: AutomationType;
  configuration: Configuration;
  /** Of the account that it acts with; null without one. */
  accountKey: string | null;
}

/**
 * Writes the columns of an automation that the scheduler reads, and makes it due when it is on. Ends its pause and its hold.
 * @param isSaved the configuration changed, so that an interrupted run is not continued, and the next run is one that the customer waits for
 */
export async function storeScheduleColumns(
  manager: EntityManager,
  { id, type, configuration, accountKey }: ScheduledAutomation,
  isSaved: boolean,
  now: Date,
): Promise<void> {
  const kind = runKindOf(type, configuration);
  const frequency = frequencyOf(configuration);
  const extractedDataId = kind !== null && onlyReads(kind) ? textOf(configuration['extractedDataId']) : null;
  const isNewList = extractedDataId !== null && (await startList(manager, id, extractedDataId));
  await perform(
    manager,
    'configure',
    { ids: [id] },
    {
      account_key: accountKey,
      run_kind: kind,
      frequency_ms: frequency === null ? null : frequencyMs(frequency),
      is_saved: isSaved,
      is_new_list: isNewList,
      now,
    },
  );
}

/** Resets the progress of an extraction when its list is another one. @returns true when it is */
async function startList(manager: EntityManager, automationId: string, extractedDataId: string): Promise<boolean> {
  const known = await rowOf(manager, `select 1 from extraction_progress where automation_id = $1 and extracted_data_id = $2`, [
    automationId,
    extractedDataId,
  ]);
  if (known) return false;
  await manager.query(
    `insert into extraction_progress (automation_id, extracted_data_id) values ($1, $2)
     on conflict (automation_id) do update set extracted_data_id = excluded.extracted_data_id, profile_total = null, collected = 0
     where extraction_progress.extracted_data_id <> excluded.extracted_data_id`,
    [automationId, extractedDataId],
  );
  return true;
}
