import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, rowOf } from '@decola/database';
import { denied, ExistingRow, type HookContext, requireOwn, type Row } from '@decola/table-api';

/** How long an insert waits for the event about its automation: the wizard posts both at once. */
const maxWaitMs = 2_000;
const pollMs = 50;
/** Inserts that may wait at once. Each holds a connection of the pool, and readers need the others. */
const maxWaiting = 3;
let waiting = 0;

interface Automation {
  user_id: string;
  extracted_data_id: string | null;
}

/**
 * Answers the wizard's insert with the list that the service opened itself for the automation, when there is one.
 * @throws RestError 42501 when the automation does not belong to the caller or a total was sent
 */
export async function listToInsert({ manager, caller }: HookContext, row: Row): Promise<Row | ExistingRow> {
  // Links and file names are computed; older clients send them all the same.
  const { csv_url: _link, file_name: _name, total_records: total, ...list } = row;
  if (total !== undefined && total !== null && total !== 0) throw denied(false, 'permission denied for table extracted_data');
  const { automation_id: automationId, user_id: userId, data_type: dataType } = list;
  // The table's row rules and constraints refuse these.
  if (caller.role !== 'authenticated' || userId !== caller.userId || typeof automationId !== 'string') return list;
  const automation = await findAutomation(manager, automationId);
  requireOwn(caller, { ...automation }, 'extracted_data');
  const existing = await rowOf<{ id: string }>(
    manager,
    `select id from extracted_data where automation_id = $1 and user_id = $2 and (id = $3 or (data_type = $4 and total_records = 0 and state = 'waiting'))
     order by (id = $3) desc nulls last, created_at desc limit 1`,
    [automationId, caller.userId, automation?.extracted_data_id, dataType],
  );
  return existing ? new ExistingRow(existing.id) : list;
}

/** The copy of an automation. Waits for the event that brings it. */
async function findAutomation(db: Database, automationId: string): Promise<Automation | undefined> {
  const find = () =>
    rowOf<Automation>(db, 'select user_id, extracted_data_id from automations where automation_id = $1::uuid', [automationId]);
  const found = await find();
  if (found || waiting >= maxWaiting) return found;
  waiting += 1;
  try {
    for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline;) {
      await sleep(pollMs);
      const arrived = await find();
      if (arrived) return arrived;
    }
    return undefined;
  } finally {
    waiting -= 1;
  }
}
