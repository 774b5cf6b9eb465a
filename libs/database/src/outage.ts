import { AppError } from '@decola/service-kit';

/** Marks errors of connecting, whatever their reason. */
export const unreachable = Symbol.for('decola.database.unreachable');

/**
 * SQLSTATEs of a server that is unavailable, as opposed to a wrong statement: connection exceptions (class 08), a read-only standby after a
 * failover, too many connections, shutdown and crash of the server, start-up, idle session ended.
 */
const outageStates = /^(08[0-9A-Z]{3}|25006|53300|57P0[1235])$/;

/** Node's error codes of a connection that broke during a query. */
const brokenConnection = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of pg and its pool for errors without a code. */
const outageMessages = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  // The client's time-out is longer than the server's, so the server does not answer at all.
  'Query read timeout',
  // No connection of the pool became free, or no new one could be opened.
  'timeout exceeded when trying to connect',
];

/** How many levels of causes are examined. */
const maxCauses = 5;

/**
 * Whether work failed because PostgreSQL was unavailable, so that the same work can succeed later. Errors of other servers (a mail server
 * that refuses a connection) do not count: a network error code counts only on an error of a query or of connecting to the database.
 */
export function isOutage(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || error instanceof AppError || depth > maxCauses) return false;
  const { code, name, message, driverError, cause, errors } = error as {
    code?: unknown;
    name?: unknown;
    message?: unknown;
    driverError?: unknown;
    cause?: unknown;
    errors?: unknown;
  };
  if (unreachable in error) return true;
  // The connection broke between two queries of a transaction.
  if (name === 'QueryRunnerAlreadyReleasedError') return true;
  if (typeof message === 'string' && outageMessages.includes(message)) return true;
  if (typeof code === 'string' && outageStates.test(code)) return true;
  if (driverError !== undefined && brokenConnection.test(String(codeOf(driverError)))) return true;
  const inner = [driverError, cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((each) => isOutage(each, depth + 1));
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
