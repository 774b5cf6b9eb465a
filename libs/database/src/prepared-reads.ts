import pg from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { isOutage } from './outage.js';
import { nameFor, PreparedStatements, StatementNames } from './prepared-statements.js';

/** A statement with `$1`-style placeholders. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Its best plan depends on its values: a rare or a frequent one, a long or a short pattern. It is planned for them each time, and never prepared. */
  plansVary?: boolean;
}

/** Values of one row in the order of its columns, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

export interface PreparedReadsOptions {
  /** Time limit of a statement on the server. */
  timeoutMs: number;
  /** Statements that one connection keeps prepared. Default: 32 */
  maxPrepared?: number;
}

/** What pg's connection offers, besides what its types say. */
interface Connection {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** How pg writes a value as a parameter. Its types do not know it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (this: void, value: unknown) => unknown } }).utils;

type Callback = (error: Error | null, rows?: TextRow[]) => void;

/** SQLSTATEs of a session that does not have the statement: a pooler gave its connection to another client, or somebody deallocated all. */
const lostStatements: ReadonlySet<unknown> = new Set(['26000', '42P05']);

/**
 * SQLSTATEs of a prepared statement that the schema outgrew: the type of a result or of a parameter changed. Prepared anew it may succeed; when not, the second
 * error is the answer.
 */
const isOutgrown = (code: unknown) => code === '0A000' || (typeof code === 'string' && code.startsWith('42'));

/**
 * Several statements in one trip, in one transaction: the server ends it at the only Sync, whether or not a statement failed. The rows are those of the last.
 * It is not part of pg's API, but `pg-cursor` and `pg-query-stream` are made the same way.
 */
class Trip implements pg.Submittable {
  /** Set by `client.query`, with its time-out. */
  callback: Callback | undefined;
  /** Whether a statement was executed by its name alone. */
  usedPrepared = false;
  /** Names of statements that were prepared in this trip. */
  readonly prepared: string[] = [];
  private readonly rows: TextRow[] = [];
  private completed = 0;

  constructor(
    private readonly statements: readonly { text: string; values: readonly unknown[]; name: string | undefined }[],
    private readonly known: PreparedStatements,
  ) {}

  submit(untyped: unknown): void {
    const connection = untyped as Connection;
    connection.stream.cork();
    try {
      for (const { text, values, name } of this.statements) {
        if (name === undefined || !this.known.areKept) connection.parse({ name: '', text });
        else if (this.known.has(name)) this.usedPrepared = true;
        else this.prepare(connection, name, text);
        connection.bind({ statement: this.known.areKept ? (name ?? '') : '', values });
        connection.execute({});
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  private prepare(connection: Connection, name: string, text: string): void {
    this.prepared.push(name);
    const displaced = this.known.add(name);
    if (displaced !== undefined) connection.close({ type: 'S', name: displaced });
    // It may exist although it is not known: its preparation succeeded in a trip that failed later. Closing one that does not exist is no error.
    connection.close({ type: 'S', name });
    connection.parse({ name, text });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.completed === this.statements.length - 1) this.rows.push(fields);
  }

  handleCommandComplete(): void {
    this.completed += 1;
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this.rows);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  /** These cannot happen for reads without a portal of their own. */
  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/**
 * Executes single selects, each in a read-only transaction with a time limit, in one trip to the server and by prepared statements: PostgreSQL parses and plans
 * a repeated statement once for each connection. Works through a PgBouncer in transaction mode: it prepares statements again where a session lacks them
 * (`max_prepared_statements`), and without that setting reads are executed without names.
 */
export class PreparedReads {
  private readonly names = new StatementNames();
  private readonly prepared = new WeakMap<object, PreparedStatements>();
  private readonly limits: { text: string; values: readonly unknown[]; name: string | undefined };
  private readonly maxPrepared: number;

  constructor(
    private readonly dataSource: DataSource,
    { timeoutMs, maxPrepared = 32 }: PreparedReadsOptions,
  ) {
    const text = `select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', '${timeoutMs}', true)`;
    this.limits = { text, values: [], name: nameFor(text) };
    this.maxPrepared = maxPrepared;
  }

  /** @throws QueryFailedError when PostgreSQL refuses it or the connection breaks */
  async read({ text, values, plansVary = false }: Statement): Promise<TextRow[]> {
    const pool = (this.dataSource.driver as unknown as { master: pg.Pool }).master;
    const client = await pool.connect();
    let broken: Error | undefined;
    // Without a listener an error of the connection would end the process.
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      return await this.readBy(client, { text, values: values.map(prepareValue), plansVary });
    } catch (error) {
      // The pool must not give a connection to the next query that hangs, or that the server is closing.
      if (isOutage(error)) broken = error as Error;
      throw new QueryFailedError(text, [...values], error as Error);
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private async readBy(client: pg.PoolClient, { text, values, plansVary }: Statement): Promise<TextRow[]> {
    const known = this.preparedBy(client);
    const name = plansVary ? undefined : this.names.nameOf(text);
    const trip = new Trip([this.limits, { text, values, name }], known);
    try {
      return await send(client, trip);
    } catch (error) {
      const { code } = error as { code?: unknown };
      for (const each of trip.prepared) known.forget(each);
      if (!known.areKept || (!trip.usedPrepared && trip.prepared.length === 0)) throw error;
      const isLost = lostStatements.has(code);
      if (isLost) known.areKept = false;
      else if (!trip.usedPrepared || !isOutgrown(code)) throw error;
      else if (name !== undefined) known.forget(name);
      return send(client, new Trip([this.limits, { text, values, name: undefined }], known));
    }
  }

  private preparedBy(client: object): PreparedStatements {
    const known = this.prepared.get(client) ?? new PreparedStatements(this.maxPrepared);
    this.prepared.set(client, known);
    return known;
  }
}

function send(client: pg.PoolClient, trip: Trip): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    trip.callback = (error, rows) => (error ? reject(error) : resolve(rows ?? []));
    client.query(trip);
  });
}
