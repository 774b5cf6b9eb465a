import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions, transactionWithRetry } from '../src/index.js';
import { ownDatabase } from './own-database.js';

describe('transactions that PostgreSQL cancels in favour of others', () => {
  let drop: () => Promise<void>;
  let database: DataSource;

  beforeAll(async () => {
    const own = await ownDatabase();
    drop = own.drop;
    database = await new DataSource(dataSourceOptions({ url: own.url, poolSize: 2 })).initialize();
    await database.query('create table counters (name text primary key, value int not null default 0)');
  });
  afterAll(async () => {
    await database?.destroy();
    await drop?.();
  });

  /** Counts up in a transaction that PostgreSQL cancels with `sqlState` at its first `times` attempts; when each attempt began. */
  async function countUp(name: string, { sqlState, times }: { sqlState: string; times: number }) {
    const began: number[] = [];
    const work = async (manager: EntityManager) => {
      began.push(performance.now());
      await manager.query('insert into counters (name, value) values ($1, 1) on conflict (name) do update set value = counters.value + 1', [
        name,
      ]);
      if (began.length <= times) await manager.query(`do $$ begin raise 'cancelled' using errcode = '${sqlState}'; end $$`);
    };
    const error = await transactionWithRetry(database, work).then(
      () => null,
      (reason: { code?: string }) => reason.code,
    );
    const rows = await database.query<{ value: number }[]>('select value from counters where name = $1', [name]);
    return { error, began, value: rows[0]?.value };
  }

  it.each(['40P01', '40001'])('run again after %s, with a pause in which the other one goes on, and count once', async (sqlState) => {
    const { error, began, value } = await countUp(sqlState, { sqlState, times: 2 });
    expect({ error, attempts: began.length, value }).toEqual({ error: null, attempts: 3, value: 1 });
    expect(began[1]! - began[0]!).toBeGreaterThanOrEqual(24);
    expect(began[2]! - began[1]!).toBeGreaterThanOrEqual(49);
  });

  it('fail with the error after the third attempt, and leave nothing', async () => {
    const { error, began, value } = await countUp('always', { sqlState: '40P01', times: 3 });
    expect({ error, attempts: began.length, value }).toEqual({ error: '40P01', attempts: 3, value: undefined });
  });

  it('are not repeated after any other error', async () => {
    const { error, began } = await countUp('other', { sqlState: '23505', times: 1 });
    expect({ error, attempts: began.length }).toEqual({ error: '23505', attempts: 1 });
  });
});
