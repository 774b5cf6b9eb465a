import { escapeFormula } from '@decola/service-kit';
import { writeXlsxStream } from 'hucre/xlsx';
import { Readable } from 'node:stream';
import { sheetName } from '../texts/texts.js';
import type { Cell, FileColumn } from './columns.js';
import type { Batches } from './list-files.js';

/** XML cannot contain these, and a spreadsheet refuses a file that does: control characters, halves of surrogate pairs, and two noncharacters. */
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** `_x0041_` in a cell means `A`: the underscore is written as such a code itself (ECMA-376, ST_Xstring). */
const looksLikeCode = /_(?=x[0-9a-f]{4}_)/gi;

function text(value: string): string {
  return escapeFormula(value).toWellFormed().replace(notInXml, '').replace(looksLikeCode, '_x005F_');
}

/** Numbers, dates and truth values as such. */
function cell<Row>({ kind, value }: FileColumn<Row>, row: Row): Cell {
  const content = value(row);
  return kind === 'text' && typeof content === 'string' ? text(content) : content;
}

async function* rowsOf<Row>(columns: readonly FileColumn<Row>[], batches: Batches<Row>) {
  for await (const rows of batches)
    for (const row of rows) yield Object.fromEntries(columns.map((column) => [column.name, cell(column, row)]));
}

/** Streams an XLSX file with one sheet. Rows are loaded as fast as the client reads, as for CSV. */
export function xlsxStream<Row>(columns: readonly FileColumn<Row>[], batches: Batches<Row>): Readable {
  const sheetColumns = columns.map(({ name: key, width, kind }) =>
    // A cell has no time zone, so the header names it.
    kind === 'instant' ? { key, header: `${key} (UTC)`, width, numFmt: 'yyyy-mm-dd hh:mm:ss' } : { key, header: key, width },
  );
  return Readable.fromWeb(writeXlsxStream(rowsOf(columns, batches), { name: sheetName, columns: sheetColumns, freezePane: { rows: 1 } }));
}
