import { isOutage } from '@decola/database';
import { AppError } from '@decola/service-kit';

/** A refusal in the form of rest/v1: code, message, details, hint. */
export class RestError extends AppError {
  override readonly headers?: Record<string, string>;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    details: string | null = null,
    hint: string | null = null,
  ) {
    super(message, { details, hint });
  }
}

export const parseError = (what: string, input: string, expected: string): RestError =>
  new RestError(400, 'PGRST100', `"failed to parse ${what} (${input.slice(0, 200)})" (line 1, column 1)`, expected);

/** PostgreSQL's own error, for texts that are refused before they reach it. */
export const nulByte = (): RestError => new RestError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00');

/** A name shortened for an error message: a key of a body can be as long as the body. */
export const shownName = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);

export const unknownTable = (table: string): RestError =>
  new RestError(404, 'PGRST205', `Could not find the table 'public.${table}' in the schema cache`);

export const unknownColumn = (table: string, column: string): RestError =>
  new RestError(400, '42703', `column ${table}.${column} does not exist`);

export const unknownBodyColumn = (table: string, column: string): RestError =>
  new RestError(400, 'PGRST204', `Could not find the '${shownName(column)}' column of '${table}' in the schema cache`);

export const unknownRelationship = (table: string, other: string): RestError =>
  new RestError(400, 'PGRST200', `Could not find a relationship between '${table}' and '${other}' in the schema cache`);

export const notOneRow = (rows: number): RestError =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', `The result contains ${rows} rows`);

export const badBody = (message: string): RestError => new RestError(400, 'PGRST102', message);

export const badRange = (details: string | null): RestError => new RestError(416, 'PGRST103', 'Requested range not satisfiable', details);

/** Refusal of access: 401 for anonymous callers, 403 for people (rest-v1, 5). */
export const denied = (isAnonymous: boolean, message: string): RestError => new RestError(isAnonymous ? 401 : 403, '42501', message);

export const noGrant = (isAnonymous: boolean, table: string): RestError => denied(isAnonymous, `permission denied for table ${table}`);

/** A column whose values are stored in another form can only be read and written. */
export const storedFormOnly = (table: string, column: string): RestError =>
  new RestError(
    403,
    '42501',
    `permission denied: column ${table}.${column} cannot be compared, ordered, cast or upserted by`,
    null,
    'use o id',
  );

export const rowRefused = (isAnonymous: boolean, table: string, using = false): RestError =>
  denied(isAnonymous, `new row violates row-level security policy ${using ? '(USING expression) ' : ''}for table "${table}"`);

/** The requested rows exist, but are larger than one response may be. */
export const answerTooLarge = (bytes: number, maxBytes: number): RestError =>
  new RestError(
    400,
    '54000',
    'The answer is too large',
    `It would have ${bytes} bytes; one answer has at most ${maxBytes}.`,
    'Ask for fewer columns with select, or for fewer rows with limit and offset.',
  );

export const tooManyRows = (maxRows: number): RestError =>
  new RestError(
    400,
    '54000',
    `No more than ${maxRows} rows can be changed at once`,
    null,
    'Narrow the request with filters, and repeat it for the rest.',
  );

/** The person has too many requests under way, and this one waited too long for its turn. */
export const tooManyAtOnce = (): RestError =>
  Object.assign(new RestError(429, 'too_many_requests', 'Too many requests at once'), { headers: { 'retry-after': '1' } });

/** A refusal whose sentence the page shows to the customer unchanged. */
export const refusedFor = (sentence: string): RestError => new RestError(400, 'P0001', sentence);

const statusBySqlState: Record<string, number> = {
  '23505': 409,
  '23503': 409,
  '23502': 400,
  '23514': 400,
  '22P02': 400,
  '42703': 400,
  '42P01': 404,
  '42P10': 400,
  '42883': 404,
  '42P17': 500,
  '57014': 500,
  P0001: 400,
};

/** SQLSTATEs (not null, check) whose detail shows the whole row. */
const statesWithRowDetail: ReadonlySet<string> = new Set(['23502', '23514']);

function statusOf(sqlState: string): number {
  const known = statusBySqlState[sqlState];
  if (known !== undefined) return known;
  if (/^PT[1-5]\d\d$/.test(sqlState)) return Number(sqlState.slice(2));
  if (/^(08|53)/.test(sqlState)) return 503;
  if (/^(22|23|42|0L|0P|28|P0)/.test(sqlState)) return 400;
  return 500;
}

interface DatabaseError {
  code?: unknown;
  message?: unknown;
  detail?: unknown;
  hint?: unknown;
}

/** The published client repeats reads by itself after this response (rest-v1, 1). */
const databaseUnavailable = (): RestError =>
  Object.assign(new RestError(503, 'PGRST001', 'Database connection error'), { headers: { 'retry-after': '1' } });

/** Converts an error of PostgreSQL to the form of rest/v1. Returns any other error unchanged. */
export function fromDatabase(error: unknown, table: string): unknown {
  const source = ((error as { driverError?: unknown }).driverError ?? error) as DatabaseError;
  if (error instanceof AppError) return error;
  if (isOutage(error)) return databaseUnavailable();
  if (typeof source.code !== 'string') return error;
  if (!/^[0-9A-Z]{5}$/.test(source.code)) return error;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const status = statusOf(source.code);
  // Errors of the server itself reveal nothing to clients; they are logged.
  if (status >= 500 && source.code !== '57014') return status === 503 ? databaseUnavailable() : error;
  const own = (message: string) => message.replace(/relation "[^"]*"/, `relation "${table}"`);
  // "Failing row contains (…)" shows every column of the row, also those that clients may not see.
  const details = statesWithRowDetail.has(source.code) ? null : text(source.detail);
  return new RestError(status, source.code, own(text(source.message) ?? 'database error'), details, text(source.hint));
}
