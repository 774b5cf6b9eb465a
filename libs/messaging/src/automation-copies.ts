import type { automationCreated, automationDeleted, PayloadOf } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { deleteOutboxMessagesAbout } from './outbox-erasure.js';
import { addTombstone, hasTombstone, lockIds } from './tombstones.js';

type Automation = PayloadOf<typeof automationCreated>;

export interface AutomationCopiesOptions {
  /** Has `automation_id uuid primary key`, `user_id uuid`, `revision bigint` and the columns below. */
  table: string;
  /** Types that are copied; events about other types are ignored. Default: every type. */
  types?: readonly Automation['type'][];
  /** The other columns of the copy, by name. */
  columns: (automation: Automation) => Record<string, unknown>;
}

/**
 * A service's own copy of automations, fed by `automation.created`, `automation.updated`, `automation.deleted` and `user.deleted`. Each method
 * runs in the transaction of its event. Events may arrive twice and in any order: an older revision changes nothing, and a deleted automation, or
 * one of a deleted customer, is never copied again. The service's schema has the table of tombstones `gone (id uuid primary key, at timestamptz)`.
 */
export class AutomationCopies<Row extends object = object> {
  constructor(private readonly options: AutomationCopiesOptions) {}

  /** @returns undefined when nothing was stored; otherwise the stored row as it was before, if there was one */
  async store(db: Database, automation: Automation): Promise<{ previous: Row | undefined } | undefined> {
    if (!this.isCopied(automation.type)) return undefined;
    const ids = [automation.automationId, automation.userId];
    await lockIds(db, ids);
    if (await hasTombstone(db, ids)) return undefined;
    const { table, columns } = this.options;
    const previous = await rowOf<Row & { revision: string }>(db, `select * from ${table} where automation_id = $1`, [
      automation.automationId,
    ]);
    if (previous && Number(previous.revision) >= automation.revision) return undefined;
    const changing = { ...columns(automation), revision: automation.revision };
    const row = { automation_id: automation.automationId, user_id: automation.userId, ...changing };
    const placeholders = Object.keys(row).map((_, index) => `$${index + 1}`);
    const updates = Object.keys(changing).map((column) => `${column} = excluded.${column}`);
    await db.query(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${placeholders.join(', ')})
       on conflict (automation_id) do update set ${updates.join(', ')}`,
      Object.values(row),
    );
    return { previous };
  }

  /** Deletes the copy, and what references it by `on delete cascade`. */
  async delete(db: Database, { automationId, type }: PayloadOf<typeof automationDeleted>, now: Date): Promise<void> {
    if (!this.isCopied(type)) return;
    await lockIds(db, [automationId]);
    await addTombstone(db, automationId, now);
    await db.query(`delete from ${this.options.table} where automation_id = $1`, [automationId]);
  }

  /** Deletes every copy of a deleted customer, and the messages about them that wait in the outbox. */
  async deleteOfUser(db: Database, userId: string, now: Date): Promise<void> {
    await lockIds(db, [userId]);
    await addTombstone(db, userId, now);
    await db.query(`delete from ${this.options.table} where user_id = $1`, [userId]);
    await deleteOutboxMessagesAbout(db, [userId]);
  }

  private isCopied(type: Automation['type']): boolean {
    return this.options.types?.includes(type) ?? true;
  }
}
