import { slotCost } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '../rows.js';

export interface Entitlement {
  userId: string;
  maxSlots: number;
  sequence: number;
}

/** Types that cost two; the SQL below and `slotCost` say the same. */
const costOfAutomation = `case when type = 'auto-dm-sender' then 2 else 1 end`;
const costOfBlogAutomation = slotCost('blog-automation');

/** Takes the owner's row, so that slots are counted by one transaction at a time. */
export async function lockEntitlement(db: Database, userId: string): Promise<Entitlement> {
  await db.query(`insert into entitlements (user_id) values ($1) on conflict do nothing`, [userId]);
  const row = await rowOf<{ max_slots: number; sequence: string }>(
    db,
    `select max_slots, sequence from entitlements where user_id = $1 for update`,
    [userId],
  );
  if (!row) throw new Error('the entitlement row is gone');
  return { userId, maxSlots: row.max_slots, sequence: Number(row.sequence) };
}

/** Slots in use: everything published, switched on or off. Drafts and the product's own blog cost nothing. */
export async function usedSlots(db: Database, userId: string): Promise<number> {
  const row = await rowOf<{ used: number }>(
    db,
    `select (select coalesce(sum(${costOfAutomation}), 0) from automations where user_id = $1 and not is_draft)::int
          + (select count(*) * ${costOfBlogAutomation} from blog_automations
             where user_id = $1 and published_at is not null and origin = 'customer')::int as used`,
    [userId],
  );
  return row?.used ?? 0;
}

/** Free slots as the customer sees them: negative when the plan shrank below what is used. */
export async function availableSlots(db: Database, userId: string): Promise<number> {
  const row = await rowOf<{ max_slots: number }>(db, `select max_slots from entitlements where user_id = $1`, [userId]);
  return (row?.max_slots ?? 0) - (await usedSlots(db, userId));
}

export interface SlotHolder {
  id: string;
  kind: 'automation' | 'blog';
  cost: number;
  /** Runs, or will run again by itself when what paused it is over. */
  isOn: boolean;
  /** Switched off because the plan shrank. */
  isOverPlan: boolean;
}

/** Everything that uses slots, oldest first. */
export async function slotHolders(db: Database, userId: string): Promise<SlotHolder[]> {
  return rowsOf<SlotHolder>(
    db,
    `select id, 'automation' as kind, ${costOfAutomation} as cost, created_at,
       (is_active or (pause_cause is not null and pause_cause <> 'plan')) as "isOn", coalesce(pause_cause = 'plan', false) as "isOverPlan"
     from automations where user_id = $1 and not is_draft
     union all
     select id, 'blog', ${costOfBlogAutomation}, created_at, is_active, coalesce(pause_cause = 'plan', false)
     from blog_automations where user_id = $1 and published_at is not null and origin = 'customer'
     order by created_at, id`,
    [userId],
  );
}

/** Slots of what is switched on. */
export function slotsOn(holders: readonly SlotHolder[]): number {
  return holders.reduce((sum, { isOn, cost }) => sum + (isOn ? cost : 0), 0);
}

/**
 * What must change so that what is on fits the plan: the newest go off first; what went off for this reason comes back, oldest
 * first, as far as it fits.
 * @param holders oldest first
 */
export function fitToPlan(holders: readonly SlotHolder[], maxSlots: number): { off: SlotHolder[]; on: SlotHolder[] } {
  let used = slotsOn(holders);
  const off: SlotHolder[] = [];
  for (const holder of [...holders].reverse()) {
    if (used <= maxSlots) break;
    if (!holder.isOn) continue;
    off.push(holder);
    used -= holder.cost;
  }
  const on: SlotHolder[] = [];
  if (off.length > 0) return { off, on };
  for (const holder of holders) {
    if (!holder.isOverPlan || holder.isOn || used + holder.cost > maxSlots) continue;
    on.push(holder);
    used += holder.cost;
  }
  return { off, on };
}
