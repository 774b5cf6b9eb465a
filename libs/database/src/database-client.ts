import pg from 'pg';
import { unreachable } from './outage.js';

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;
type Query = (...parameters: unknown[]) => unknown;

/**
 * A connection of the pool. It marks errors of connecting as `unreachable`, and closes itself when a query times out: pg would return such a connection
 * to the pool, where the next query would wait behind the one that hangs. An error that meets it while nobody listens, such as the server's end between two
 * queries, fails the next query and not the process.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens to idle connections, and who borrows one to that one, but nobody listens between the two. The pool removes
    // what is not queryable any more when it is given back.
    this.on('error', () => undefined);
    const connect = this.connect.bind(this) as (callback?: Callback) => Promise<unknown> | void;
    this.connect = ((callback?: Callback) =>
      callback
        ? connect((error, ...rest) => callback(error && markUnreachable(error), ...rest))
        : (connect() as Promise<unknown>).catch((error: Error) => {
            throw markUnreachable(error);
          })) as typeof this.connect;
    const query = this.query.bind(this) as Query;
    this.query = ((...parameters: unknown[]) => {
      const result = query(...parameters);
      if (result instanceof Promise) result.catch((error: unknown) => this.closeAfterTimeout(error));
      return result;
    }) as typeof this.query;
  }

  private closeAfterTimeout(error: unknown): void {
    if (!(error instanceof Error) || error.message !== 'Query read timeout') return;
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

function markUnreachable(error: Error): Error {
  return Object.assign(error, { [unreachable]: true });
}
