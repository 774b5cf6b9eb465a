import type { Database } from '@decola/database';
import type { FoundSite } from './ping.service.js';

/**
 * Stores where a site answers and what it told of itself. A call that got in ends the waiting for its plugin.
 * @param proven the fingerprint of the token that it has proven to know; null when it was another one, or none
 */
export async function storeFoundSite(
  db: Database,
  { id }: { id: string },
  { door, kind, plugin, capabilities, provenToken }: FoundSite,
  proven: string | null,
  at: Date,
): Promise<void> {
  await db.query(
    `update sites set door = $2, kind = $3, plugin_version = $4, capabilities = $5, proven_fingerprint = $6, checked_at = $7,
       inventory_due_at = coalesce(inventory_due_at, $7), updated_at = $7,
       problem_code = case when $8 then null else problem_code end, problem_reason = case when $8 then null else problem_reason end,
       pickup_code = case when $8 then null else pickup_code end
     where id = $1`,
    [id, door, kind, plugin, JSON.stringify(capabilities), proven, at, provenToken !== null || kind === 'other'],
  );
}
