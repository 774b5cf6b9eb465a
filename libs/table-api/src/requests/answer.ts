import { escapeFormula } from '@decola/service-kit';
import { stringify } from 'csv-stringify/sync';
import { RestError } from '../errors/errors.js';

export type MediaType = 'json' | 'object' | 'csv';

export interface TableAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const contentTypes: Record<MediaType, string> = {
  json: 'application/json; charset=utf-8',
  object: 'application/vnd.pgrst.object+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** The first supported media type of the `Accept` header. @throws RestError PGRST107 when there is none */
export function mediaTypeOf(accept: string | undefined): MediaType {
  const asked = (accept ?? '*/*').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  for (const type of asked) {
    if (type === 'application/vnd.pgrst.object+json') return 'object';
    if (type === 'text/csv') return 'csv';
    if (type === '' || type === '*/*' || type === 'application/json' || type === 'application/*') return 'json';
  }
  throw new RestError(406, 'PGRST107', `None of these media types are available: ${asked.join(', ')}`);
}

/** Converts a JSON array of objects to CSV with a header line. Formulas in the values are escaped, so that no spreadsheet evaluates them. */
export function toCsv(body: string): string {
  const rows = JSON.parse(body) as Record<string, unknown>[];
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value: unknown) => (value === null ? '' : typeof value === 'string' ? escapeFormula(value) : JSON.stringify(value));
  return stringify([columns.map(escapeFormula), ...rows.map((row) => columns.map((column) => cell(row[column])))]);
}
