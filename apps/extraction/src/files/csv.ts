import type { Readable } from 'node:stream';
import { stringify, type Stringifier } from 'csv-stringify';
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

/** The writer of a file: UTF-8 with a byte order mark, without which Excel takes it for another encoding and breaks every accent. */
export function csvWriter(): Stringifier {
  return stringify({ header: true, columns: [...csvColumns], bom: true, record_delimiter: 'windows' });
}

/** People of a list in its order, a batch at a time: positions only grow, so no batch misses or repeats anybody. */
export async function* peopleOf(dataSource: DataSource, listId: string): AsyncGenerator<string[]> {
  let after = 0;
  for (;;) {
    const batch = await rowsOf<CsvPerson>(
      dataSource.manager,
      `select username, full_name, network_user_id as user_id, is_private, is_verified, has_story, position, collected_at
       from collected_people where extracted_data_id = $1 and position > $2 order by position limit $3`,
      [listId, after, batchRows],
    );
    for (const person of batch) yield csvRecord(person);
    const last = batch.at(-1);
    if (!last || batch.length < batchRows) return;
    after = last.position;
  }
}

/** Written only so fast as it is read; memory does not grow with the list. */
export function csvOf(people: AsyncIterable<string[]> | Iterable<string[]>): Readable {
  const writer = csvWriter();
  void (async () => {
    try {
      for await (const record of people) {
        if (writer.destroyed) return;
        if (!writer.write(record)) await drained(writer);
      }
      writer.end();
    } catch (error) {
      writer.destroy(error as Error);
    }
  })();
  return writer;
}

/** Resolves also when the reader went away. */
function drained(writer: Stringifier): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      writer.off('drain', done);
      writer.off('close', done);
      resolve();
    };
    writer.once('drain', done);
    writer.once('close', done);
  });
}
