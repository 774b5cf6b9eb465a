import { type Database, rowsOf } from '@decola/database';
import type { WheelKeys } from '../keys/wheel-keys.service.js';

/** Handles of people whose data were erased. Only an HMAC is kept of each: it can be compared with a handle, and nothing can be read from it. */
export class ErasedHandles {
  constructor(private readonly keys: WheelKeys) {}

  async add(db: Database, people: readonly { automationId: string; handle: string }[]): Promise<void> {
    if (people.length === 0) return;
    await db.query(
      `insert into erased_handles (automation_id, handle_key) select * from unnest($1::uuid[], $2::bytea[]) on conflict do nothing`,
      [people.map(({ automationId }) => automationId), people.map(({ automationId, handle }) => this.keys.handle(automationId, handle))],
    );
  }

  /** @returns the position in `people` of each one who was erased */
  async among(db: Database, people: readonly { automationId: string; handle: string }[]): Promise<ReadonlySet<number>> {
    const rows = await rowsOf<{ position: string }>(
      db,
      `select p.position - 1 as position from unnest($1::uuid[], $2::bytea[]) with ordinality as p (automation_id, handle_key, position)
       join erased_handles e on e.automation_id = p.automation_id and e.handle_key = p.handle_key`,
      [people.map(({ automationId }) => automationId), people.map(({ automationId, handle }) => this.keys.handle(automationId, handle))],
    );
    return new Set(rows.map(({ position }) => Number(position)));
  }
}
