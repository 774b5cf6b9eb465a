import { automationTypes, slotCost } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { literal } from '../texts/sentence-sql.js';

export interface Entitlement {
  userId: string;
  maxSlots: number;
  sequence: number;
}

/** Slots of an automation, in SQL. A type that only a newer replica knows counts as one slot here. */
const costOfAutomation = `case type ${automationTypes.map((type) => `when ${literal(type)} then ${slotCost(type)}`).join(' ')} else 1 end`;
const costOfBlogAutomation = slotCost('blog-automation');

/** Locks the customer's entitlement, so that one transaction at a time counts their slots. Creates the row when there is none. */
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

/** Slots in use: everything published, whether on or off. Drafts and the product's own blog use none. */
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
  /** It is on, or will be switched on by itself when its pause is over. */
  isOn: boolean;
  /** Switched off because the plan shrank. */
  isOverPlan: boolean;
}

/** Everything of a customer that uses slots, oldest first. */
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

/** Slots of what is on. */
export function slotsOn(holders: readonly SlotHolder[]): number {
  return holders.reduce((sum, { isOn, cost }) => sum + (isOn ? cost : 0), 0);
}

/**
 * What to switch off or on so that what is on fits the plan. The newest are switched off first. What was switched off for the plan is
 * switched on again, oldest first, as far as it fits.
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
