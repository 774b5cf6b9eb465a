import type { DataType } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import type { DataSource } from 'typeorm';
import {
  commentColumns,
  type FileColumn,
  leadColumns,
  type ListComment,
  type ListLead,
  type ListPerson,
  personColumns,
} from './columns.js';

/** Rows of a list in batches, from the database or from a test. */
export type Batches<Row> = AsyncIterable<Row[]> | Iterable<Row[]>;

/** A row of any list. */
export interface ListRow {
  /** From 1; never changes. */
  position: number;
}

/** What the file of a list has: its columns, and the query of its rows (`$1` is the list's id), without an order. */
export interface ListFile<Row extends ListRow = ListRow> {
  columns: readonly FileColumn<Row>[];
  query: string;
}

const peopleFile: ListFile<ListPerson> = {
  columns: personColumns,
  query: `select username, full_name, network_user_id as user_id, is_private, is_verified, has_story, position, collected_at
    from collected_people where extracted_data_id = $1`,
};

const commentsFile: ListFile<ListComment> = {
  columns: commentColumns,
  query: `select username, full_name, network_user_id as user_id, is_private, is_verified, has_story, position, collected_at,
      comment_id, text as comment_text, commented_at, like_count, reply_to
    from collected_comments where extracted_data_id = $1`,
};

/** When the prize of a row of `leads` was delivered; null while it is not. */
export const deliveredAt = `case when state = 'delivered' then state_at end`;

const leadsFile: ListFile<ListLead> = {
  columns: leadColumns,
  query: `select position, username, fields, prize_name, prize_type, code, captured_at, state, ${deliveredAt} as delivered_at, channels, consent_version
    from leads where extracted_data_id = $1`,
};

/** The file of a list by what it contains. */
export function listFileOf(dataType: DataType): ListFile {
  // A file's columns read only the rows of its own query.
  const file = dataType === 'comments' ? commentsFile : dataType === 'leads' ? leadsFile : peopleFile;
  return file as unknown as ListFile;
}

/** Rows in memory at once. */
const batchRows = 1_000;

/** Rows of a list by position. New rows get higher positions, so no batch misses or repeats any. */
export async function* readRows<Row extends ListRow>(
  dataSource: DataSource,
  { query }: ListFile<Row>,
  listId: string,
): AsyncGenerator<Row[]> {
  let after = 0;
  for (;;) {
    const batch = await rowsOf<Row>(dataSource.manager, `${query} and position > $2 order by position limit $3`, [
      listId,
      after,
      batchRows,
    ]);
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (!last || batch.length < batchRows) return;
    after = last.position;
  }
}
