import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, isOutage, PreparedReads } from '../src/index.js';
import { ownDatabase } from './own-database.js';

describe('prepared reads', () => {
  let url: string;
  let drop: () => Promise<void>;
  let admin: pg.Client;
  /** Of one connection, so that all reads meet the same prepared statements. */
  let single: DataSource;

  beforeAll(async () => {
    ({ url, drop } = await ownDatabase());
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  });
  beforeEach(async () => {
    await admin.query('create table notes (id int primary key, owner uuid, size int)');
    await admin.query(`insert into notes values (1, '11111111-1111-4111-8111-111111111111', 7), (2, null, 8)`);
    single = await new DataSource(dataSourceOptions({ url, poolSize: 1 })).initialize();
  });
  afterEach(async () => {
    await single?.destroy();
    await admin.query('drop table notes');
  });
  afterAll(async () => {
    await admin?.end();
    await drop();
  });

  const reader = (timeoutMs = 4_000, maxPrepared?: number) =>
    new PreparedReads(single, { timeoutMs, ...(maxPrepared === undefined ? {} : { maxPrepared }) });
  const prepared = async (part: string): Promise<number> => {
    const [row] = await single.query<{ count: number }[]>(
      `select count(*)::int as count from pg_prepared_statements where position($1 in statement) > 0 and position('pg_prepared_statements' in statement) = 0`,
      [part],
    );
    return row!.count;
  };
  const sizes = { text: 'select size, id from notes where id = any($1::int[]) order by id', values: [[1, 2]] };

  it('answer with the text of the values, in the order of the columns', async () => {
    expect(await reader().read(sizes)).toEqual([
      ['7', '1'],
      ['8', '2'],
    ]);
    expect(await reader().read({ text: 'select null, true, $1::text', values: ['ção'] })).toEqual([[null, 't', 'ção']]);
    expect(await reader().read({ text: 'select id from notes where id > 5', values: [] })).toEqual([]);
  });

  it('prepare a statement when it is repeated, once for a connection', async () => {
    const reads = reader();
    await reads.read(sizes);
    expect(await prepared('from notes')).toBe(0);
    for (let time = 0; time < 4; time += 1) await reads.read(sizes);
    expect(await prepared('from notes')).toBe(1);
    const [{ plans }] = await single.query<[{ plans: string }]>(
      `select generic_plans + custom_plans as plans from pg_prepared_statements where position('from notes' in statement) > 0
         and position('pg_prepared_statements' in statement) = 0`,
    );
    expect(Number(plans)).toBe(4);
  });

  it('plan a statement anew each time when its best plan depends on its values', async () => {
    const reads = reader();
    for (let time = 0; time < 4; time += 1) expect((await reads.read({ ...sizes, plansVary: true })).length).toBe(2);
    expect(await prepared('from notes')).toBe(0);
  });

  it('keep a limited number of statements on a connection: those that were used last', async () => {
    const reads = reader(4_000, 4);
    const each = (place: number) => ({ text: `select size + ${place} from notes where id = $1`, values: [1] });
    for (let place = 0; place < 20; place += 1) for (let time = 0; time < 3; time += 1) await reads.read(each(place));
    // One of the four sets the limits of every read.
    expect(await prepared('from notes')).toBe(3);
    expect(await prepared('set_config')).toBe(1);
    expect(await prepared('size + 19')).toBe(1);
    expect(await reads.read(each(0))).toEqual([['7']]);
  });

  it('change nothing, end at their time limit, and leave no setting behind', async () => {
    const reads = reader(150);
    const before = await single.query(`select current_setting('statement_timeout'), current_setting('transaction_read_only')`);
    for (let time = 0; time < 3; time += 1) {
      await expect(
        reads.read({ text: 'with gone as (delete from notes returning id) select id from gone', values: [] }),
      ).rejects.toMatchObject({
        code: '25006',
      });
      await expect(reads.read({ text: 'select pg_sleep(60)', values: [] })).rejects.toMatchObject({ code: '57014' });
      const [limits] = await reads.read({
        text: `select current_setting('statement_timeout'), current_setting('transaction_read_only')`,
        values: [],
      });
      expect(limits).toEqual(['150ms', 'on']);
    }
    expect(await single.query(`select current_setting('statement_timeout'), current_setting('transaction_read_only')`)).toEqual(before);
    expect(await single.query('select id from notes')).toHaveLength(2);
  });

  it('leave the connection usable after an error, and the statement with it', async () => {
    const reads = reader();
    const one = (id: unknown) => ({ text: 'select size from notes where id = $1', values: [id] });
    await reads.read(one(1));
    // The second time it is prepared, and its value refused in the same trip.
    for (const wrong of ['x', 'x', '99999999999999'])
      await expect(reads.read(one(wrong))).rejects.toMatchObject({ code: expect.stringMatching(/^22/) as string });
    expect(await reads.read(one(2))).toEqual([['8']]);
    expect(await prepared('from notes')).toBe(1);
  });

  const migrations = [
    ['a column that gets another type', 'alter table notes alter column size type text'],
    ['a parameter that gets another type', 'alter table notes alter column id type text'],
    ['a new column', 'alter table notes add column more int default 1'],
    [
      'a column of another name with its old name in a new one',
      'alter table notes rename column size to old; alter table notes add column size text default 7',
    ],
    ['another table of the same name', 'alter table notes rename to gone; create table notes as table gone; drop table gone'],
  ] as const;

  it.each(migrations)('survive a migration of their table: %s', async (_, change) => {
    const reads = reader();
    const whole = { text: 'select * from notes where id = $1', values: ['1'] };
    const size = { text: 'select size from notes where id = $1', values: ['1'] };
    // More often than PostgreSQL tries plans for the values, so that it has a general one.
    for (let time = 0; time < 8; time += 1) for (const each of [whole, size]) expect((await reads.read(each)).length).toBe(1);
    await admin.query(change);
    for (let time = 0; time < 3; time += 1) {
      expect(await reads.read(size)).toEqual([['7']]);
      const [row] = await reads.read(whole);
      expect(row).toEqual(
        Object.values(
          (await admin.query({ text: 'select * from notes where id::text = $1', values: ['1'], rowMode: 'array' })).rows[0] as object,
        ).map((value) => (value === null ? null : String(value))),
      );
    }
  });

  it('of a column that is gone are refused, and answered again when it is back', async () => {
    const reads = reader();
    for (let time = 0; time < 3; time += 1) await reads.read(sizes);
    await admin.query('alter table notes rename column size to gone');
    await expect(reads.read(sizes)).rejects.toMatchObject({ code: '42703' });
    await admin.query('alter table notes rename column gone to size');
    expect((await reads.read(sizes)).length).toBe(2);
  });

  it('go on without names on a session that has lost them', async () => {
    const reads = reader();
    for (let time = 0; time < 3; time += 1) await reads.read(sizes);
    await single.query('deallocate all');
    for (let time = 0; time < 3; time += 1) expect((await reads.read(sizes)).length).toBe(2);
    expect(await prepared('from notes')).toBe(0);
  });

  it('fail as during an outage when their connection breaks, and prepare again on the next', async () => {
    const reads = reader();
    for (let time = 0; time < 3; time += 1) await reads.read(sizes);
    const [{ pid }] = await single.query<[{ pid: number }]>('select pg_backend_pid() as pid');
    const asleep = reads.read({ text: 'select pg_sleep(3)', values: [] }).catch((error: unknown) => error);
    await eventually(async () => {
      const { rows } = await admin.query(`select 1 from pg_stat_activity where pid = $1 and state = 'active' and query like '%sleep%'`, [
        pid,
      ]);
      return rows.length === 1;
    });
    await admin.query('select pg_terminate_backend($1)', [pid]);
    expect(isOutage(await asleep)).toBe(true);
    for (let time = 0; time < 2; time += 1) expect((await reads.read(sizes)).length).toBe(2);
    expect(await prepared('from notes')).toBe(1);
  });

  it('of many at once share the connections of the pool', async () => {
    const reads = reader();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, place) => reads.read({ text: 'select $1::int, size from notes where id = 1', values: [place] })),
    );
    expect(answers).toEqual(Array.from({ length: 40 }, (_, place) => [[String(place), '7']]));
  });
});

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
