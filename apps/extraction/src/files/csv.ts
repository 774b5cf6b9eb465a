import { escapeFormula } from '@decola/service-kit';
import { stringify } from 'csv-stringify/sync';
import { Readable } from 'node:stream';
import type { FileColumn } from './columns.js';
import type { Batches } from './list-files.js';

function cell<Row>({ kind, value }: FileColumn<Row>, row: Row): string {
  const content = value(row);
  if (content === null) return '';
  if (content instanceof Date) return content.toISOString();
  return kind === 'text' ? escapeFormula(String(content)) : String(content);
}

/** Without it Excel reads the file in another encoding, and every accent is wrong. */
const byteOrderMark = '\uFEFF';

/** Excel in Portuguese puts a whole line of a file with commas into one column. */
const delimiter = ';';

function lines(records: readonly (readonly string[])[]): string {
  return stringify([...records] as string[][], { delimiter, record_delimiter: 'windows' });
}

async function* textOf<Row>(columns: readonly FileColumn<Row>[], batches: Batches<Row>): AsyncGenerator<string> {
  yield byteOrderMark + lines([columns.map(({ name }) => name)]);
  for await (const rows of batches) yield lines(rows.map((row) => columns.map((column) => cell(column, row))));
}

/** Streams a CSV file in UTF-8. Batches are loaded as fast as the client reads, so memory does not grow with the list. */
export function csvStream<Row>(columns: readonly FileColumn<Row>[], batches: Batches<Row>): Readable {
  return Readable.from(textOf(columns, batches), { objectMode: false });
}
