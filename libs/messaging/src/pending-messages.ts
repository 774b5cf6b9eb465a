import type pg from 'pg';

/** A row of the outbox that is not sent yet. */
export interface PendingMessage {
  /** Order of the outbox; a bigint, which the driver returns as text. */
  position: string;
  id: string;
  kind: 'event' | 'job';
  /** Only of a job. */
  queue: string | null;
  type: string;
  version: number;
  subject: string;
  /** JSON. */
  payload: string;
  traceparent: string | null;
  created_at: Date;
}

/** Where a message goes to: the queue of a job, the type of an event. */
export const destinationOf = ({ queue, type }: PendingMessage): string => queue ?? type;

/**
 * Limit for the payloads of one batch together (a single larger message is still sent), so that a backlog of large messages does not fill the memory.
 * PostgreSQL knows the size of a compressed payload only after decompression, so the maximum ratio of its compression counts.
 */
const batchBytes = 8 * 1024 * 1024;
const bytes = `pg_column_size(payload)::bigint * case pg_column_compression(payload) when 'pglz' then 91 when 'lz4' then 255 else 1 end`;

const columns = 'position, id, kind, queue, type, version, subject, payload::text, traceparent, created_at';

/** What a batch leaves out, so that the rest goes on in order. */
export interface Exclusions {
  /** Destinations that do not accept messages. Messages of the same subject that come after one of theirs are left out too. */
  destinations: readonly string[];
  /** Subjects with a message under way. */
  subjects: readonly string[];
}

/** Loads the oldest pending messages, in order, up to `limit` and `batchBytes`. */
export async function loadPending(client: pg.Client, limit: number, { destinations, subjects }: Exclusions): Promise<PendingMessage[]> {
  const isRestricted = destinations.length > 0 || subjects.length > 0;
  // Looks at all pending messages, so it is left out while every destination accepts messages.
  const restriction = isRestricted
    ? `and subject <> all($3::text[]) and not exists (select from blocked b where b.subject = outbox.subject and b.position <= outbox.position)`
    : '';
  const blocked = isRestricted
    ? `with blocked as materialized (select subject, min(position) as position from outbox
         where sent_at is null and coalesce(queue, type) = any($4::text[]) group by subject) `
    : '';
  const { rows } = await client.query<PendingMessage>(
    `${blocked}select ${columns} from outbox where position in (
       select position from (
         select position, sum(bytes) over (order by position) - bytes as before
         from (select position, ${bytes} as bytes from outbox where sent_at is null ${restriction} order by position limit $1) waiting) measured
       where before <= $2) order by position`,
    [limit, batchBytes, ...(isRestricted ? [subjects, destinations] : [])],
  );
  return rows;
}

/** Loads the oldest pending message to one destination that may be sent now. @param others exclusions without this destination */
export async function loadOldestTo(client: pg.Client, destination: string, others: Exclusions): Promise<PendingMessage | undefined> {
  const { rows } = await client.query<PendingMessage>(
    `with blocked as materialized (select subject, min(position) as position from outbox
       where sent_at is null and coalesce(queue, type) = any($3::text[]) group by subject)
     select ${columns} from outbox where sent_at is null and coalesce(queue, type) = $1 and subject <> all($2::text[])
       and not exists (select from blocked b where b.subject = outbox.subject and b.position <= outbox.position)
     order by position limit 1`,
    [destination, others.subjects, others.destinations],
  );
  return rows[0];
}

export async function markSent(client: pg.Client, positions: readonly string[]): Promise<void> {
  await client.query('update outbox set sent_at = clock_timestamp() where position = any($1::bigint[])', [positions]);
}

/** Deletes messages that were sent longer than `keepSentMs` ago, and old rows of the inbox. */
export async function deleteOldMessages(client: pg.Client, keepSentMs: number): Promise<void> {
  await client.query(`delete from outbox where sent_at < now() - $1 * interval '1 millisecond'`, [keepSentMs]);
  // A message may be delivered again for hours, as long as its retries last, but not after a week.
  await client.query(`delete from inbox where received_at < now() - interval '7 days'`);
}
