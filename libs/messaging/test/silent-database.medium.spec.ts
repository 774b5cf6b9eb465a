import { dataSourceOptions, DatabaseWatch, isOutage } from '@decola/database';
import { eventually, tcpProxy, type TcpProxy, testDatabase, type TestDatabase } from '@decola/testing';
import { DataSource } from 'typeorm';

const queryTimeoutMs = 5_500;

describe('a database that does not respond', () => {
  let database: TestDatabase;
  let way: TcpProxy;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await testDatabase({ migrations: [] });
    way = await tcpProxy(database.url);
    // One connection, so that the next query would get the hanging one if the pool kept it.
    dataSource = await new DataSource(dataSourceOptions({ url: way.url, poolSize: 1, queryTimeoutMs })).initialize();
  });
  afterEach(async () => {
    await way.restore();
    await dataSource?.destroy();
    await way?.dispose();
    await database?.dispose();
  });

  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  // It is silent until after the test: a failure cannot have waited for its answer.
  it('fails a query by the client’s time-out, as an outage', async () => {
    way.hang();
    expect(isOutage(await failure(dataSource.query('select 1')))).toBe(true);
  });

  it('fails a transaction that is under way, and the pool opens a new connection instead of reusing the dead one', async () => {
    const error = await failure(
      dataSource.transaction(async (manager) => {
        await manager.query('select 1');
        way.strand();
        await manager.query('select 2');
      }),
    );
    expect(isOutage(error)).toBe(true);
    expect(await dataSource.query('select 3 as three')).toEqual([{ three: 3 }]);
  });

  it('is not assumed when the server cancels a slow statement', async () => {
    const error = await failure(
      dataSource.transaction(async (manager) => {
        await manager.query(`set local statement_timeout = '500ms'`);
        await manager.query('select pg_sleep(20)');
      }),
    );
    expect(error).toMatchObject({ code: '57014' });
    expect(isOutage(error)).toBe(false);
    expect(await dataSource.query('select 3 as three')).toEqual([{ three: 3 }]);
  });

  it('that refuses connections fails every query as an outage, with the error’s code', async () => {
    await way.cut();
    await eventually(async () => {
      const error = await failure(dataSource.query('select 1'));
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
      expect(isOutage(error)).toBe(true);
    });
  });

  it('is probed by the watch, which reports the recovery', async () => {
    const watch = DatabaseWatch.of(way.url);
    const heard: string[] = [];
    watch.listen({ onOutage: () => void heard.push('away'), onRecovery: () => void heard.push('back') });
    expect(watch.noteFailure(new Error('a bug'))).toBe(false);
    way.hang();
    expect(watch.noteFailure(await failure(dataSource.query('select 1')))).toBe(true);
    expect(watch.noteFailure(new Error('Query read timeout'))).toBe(true);
    expect(heard).toEqual(['away']);
    await expect(watch.assertAvailable()).rejects.toThrow(/^database away since .*Query read timeout.*not consuming$/);
    await way.restore();
    await eventually(() => expect(heard).toEqual(['away', 'back']));
    await watch.assertAvailable();
    watch.stop();
  });
});
