import type { DataSource, EntityManager } from 'typeorm';

/**
 * Extras of `@EventPattern` for a handler whose events may share a transaction: `@EventPattern<string>(type, sharedTransaction)`. While many wait, one transaction
 * with one statement for the inbox holds the effects of up to a hundred of them, in the order of their delivery. Such a handler
 * - has effects in the transaction of its context only, because it may be called again after a rollback;
 * - waits for nothing but the database, and not long, because its neighbours' rows stay locked meanwhile (waits for locks are limited to 0.7 s);
 * - changes no settings of the transaction, and lets errors of statements pass.
 */
export const sharedTransaction = { sharesTransaction: true } as const;

/** Most events of one transaction. */
export const sharedBatchSize = 100;

/** An event whose handlers allow a shared transaction. */
export interface SharedEvent {
  /** In the form in which PostgreSQL returns it. */
  id: string;
  /** Runs the handlers. */
  run: (manager: EntityManager) => Promise<void>;
}

/** One event of a batch failed. */
export class FailedInBatchError extends Error {
  constructor(
    /** Its position in the batch. */
    readonly index: number,
    cause: unknown,
  ) {
    super('an event failed in a shared transaction', { cause });
    this.name = 'FailedInBatchError';
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether PostgreSQL returns this id as it is written: the new rows of the inbox are found by it. */
export const isShareableId = (id: string): boolean => uuid.test(id);

/** Limits waits for locks like `yieldToPeople`, without a statement of its own. Sorted, so that two replicas cannot deadlock over the same events. */
const insertInbox = `insert into inbox (message_id, consumer)
  select id, $2 from unnest($1::uuid[]) as id cross join set_config('lock_timeout', '700ms', true) order by id
  on conflict do nothing returning message_id`;

/**
 * Applies the effects of events once, in this order, in one transaction with their rows of the inbox.
 * @throws FailedInBatchError when a handler failed; any other error may be about any of the events. Nothing was applied then
 */
export async function applyTogether(dataSource: DataSource, consumer: string, events: readonly SharedEvent[]): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const inserted = await manager.query<{ message_id: string }[]>(insertInbox, [events.map(({ id }) => id), consumer]);
    const fresh = new Set(inserted.map(({ message_id }) => message_id));
    for (const [index, { id, run }] of events.entries()) {
      if (!fresh.delete(id)) continue;
      await run(manager).catch((error: unknown) => {
        throw new FailedInBatchError(index, error);
      });
    }
    // After an error that a handler caught, COMMIT would roll its neighbours back and report nothing.
    if (events.length > 1) await manager.query('select 1');
  });
}
