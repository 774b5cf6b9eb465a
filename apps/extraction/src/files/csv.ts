import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../rows.js';

/** Columns of a list's file, in order. */
export const csvColumns = [
  'username',
  'full_name',
  'user_id',
  'profile_url',
  'is_private',
  'is_verified',
  'has_story',
  'position',
  'collected_at',
] as const;

export interface CsvPerson {
  username: string;
  full_name: string;
  user_id: string;
  is_private: boolean;
  is_verified: boolean;
  has_story: boolean;
  position: number;
  collected_at: Date;
}

/** Rows in memory at once. */
const batchRows = 1_000;

/** A spreadsheet runs a cell that begins so; with an apostrophe before it, it is text. */
export function neutralised(text: string): string {
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
}

export function csvRecord(person: CsvPerson): string[] {
  return [
    neutralised(person.username),
    neutralised(person.full_name),
    person.user_id,
    `https://www.instagram.com/${encodeURIComponent(person.username)}/`,
    String(person.is_private),
    String(person.is_verified),
    String(person.has_story),
    String(person.position),
    person.collected_at.toISOString(),
  ];
}

/** People of a list in its order, a batch at a time: positions only grow, so no batch misses or repeats anybody. */
export async function* peopleOf(dataSource: DataSource, listId: string): AsyncGenerator<string[][]> {
  let after = 0;
  for (;;) {
    const batch = await rowsOf<CsvPerson>(
      dataSource.manager,
      `select username, full_name, network_user_id as user_id, is_private, is_verified, has_story, position, collected_at
       from collected_people where extracted_data_id = $1 and position > $2 order by position limit $3`,
      [listId, after, batchRows],
    );
    if (batch.length > 0) yield batch.map(csvRecord);
    const last = batch.at(-1);
    if (!last || batch.length < batchRows) return;
    after = last.position;
  }
}

/** Excel takes a file without it for another encoding and breaks every accent. */
const byteOrderMark = '\uFEFF';

function lines(records: readonly (readonly string[])[]): string {
  return stringify([...records] as string[][], { record_delimiter: 'windows' });
}

async function* textOf(batches: AsyncIterable<string[][]> | Iterable<string[][]>): AsyncGenerator<string> {
  yield byteOrderMark + lines([csvColumns]);
  for await (const batch of batches) yield lines(batch);
}

/** A file in UTF-8, written only so fast as it is read: memory does not grow with the list. A reader who goes away ends it. */
export function csvOf(batches: AsyncIterable<string[][]> | Iterable<string[][]>): Readable {
  return Readable.from(textOf(batches), { objectMode: false });
}
