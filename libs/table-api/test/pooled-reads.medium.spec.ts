import { randomUUID } from 'node:crypto';
import { dataSourceOptions, PreparedReads } from '@decola/database';
import { ownPostgres, type OwnPostgres, testDatabase, type TestDatabase, testPooler, type TestPooler } from '@decola/testing';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { defineTable, TableService } from '../src/index.js';
import { ownRows, tableRequest } from './bench.js';

class CreateNotes1800000000004 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table notes (id int primary key, user_id uuid not null, words text not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notes');
  }
}

const notes = defineTable({
  name: 'notes',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, user_id: { type: 'uuid' }, words: { type: 'text' } },
  rules: ownRows,
});

/** Fewer than the clients. */
const poolSize = 2;

describe('reads by prepared statements through PgBouncer in transaction mode', () => {
  let server: OwnPostgres;
  let pooler: TestPooler;
  let database: TestDatabase;
  let admin: pg.Client;
  /** Replicas of a service, whose connections share those of the pooler. */
  let replicas: DataSource[];
  const people = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    server = await ownPostgres({ isNewest: true });
    pooler = await testPooler({ server: server.url, roles: { test_service: 'test_service' }, poolSize });
    database = await testDatabase({ migrations: [CreateNotes1800000000004], server: server.url });
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query('set search_path to test_service, public');
    for (const [index, person] of people.entries())
      await admin.query(`insert into notes select $2 * 100 + n, $1, 'de ' || $2 from generate_series(1, 3) n`, [person, index]);
  });
  beforeEach(async () => {
    replicas = await Promise.all(
      [1, 2].map(() => new DataSource(dataSourceOptions({ url: pooler.urlOf(database.url), poolSize: 3 })).initialize()),
    );
  });
  afterEach(() => Promise.all(replicas.map((replica) => replica.destroy())));
  afterAll(async () => {
    await admin?.end();
    await database?.dispose();
    await pooler?.dispose();
    await server?.dispose();
  });

  /** Reads of two people and several statements at the same time, by all replicas. @returns ids by person */
  const readByAll = async (services: readonly TableService[], query = ''): Promise<number[][]> => {
    const found: number[][] = [[], []];
    await Promise.all(
      services.flatMap((service) =>
        people.flatMap((userId, index) =>
          ['id', 'id,words', 'words,id', '*'].map(async (select) => {
            const caller = {
              role: 'authenticated' as const,
              userId,
              sessionId: randomUUID(),
              aal: 'aal1' as const,
              email: '',
              roles: [],
              expiresAt: 0,
            };
            const answer = await service.handle(notes, tableRequest('GET', `select=${select}&order=id${query}`, caller));
            found[index]!.push(...(JSON.parse(answer.body) as { id: number }[]).map(({ id }) => id));
          }),
        ),
      ),
    );
    return found.map((ids) => [...new Set(ids)].sort((a, b) => a - b));
  };
  const own = [
    [1, 2, 3],
    [101, 102, 103],
  ];
  /** Counts the prepared statements of all sessions behind the pooler: each knows only its own, and any of them may have done all the reads. */
  const preparedByServer = async () => {
    const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: pooler.urlOf(database.url) }));
    try {
      let prepared = 0;
      for (const client of clients) {
        await client.connect();
        // An open transaction keeps its session, so that the next client gets another one.
        await client.query('begin');
        const { rows } = await client.query<{ count: string }>(
          `select count(*) from pg_prepared_statements where position('notes' in statement) > 0`,
        );
        prepared += Number(rows[0]!.count);
      }
      return prepared;
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  };
  const administer = async (command: string) => {
    const url = new URL(pooler.urlOf(database.url));
    [url.username, url.password, url.pathname] = ['operator', 'operator', '/pgbouncer'];
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(command);
    await client.end();
  };

  it('give everybody their own rows, and are prepared on the sessions that replicas share', async () => {
    const services = replicas.map((replica) => new TableService(replica));
    for (let time = 0; time < 6; time += 1) expect(await readByAll(services)).toEqual(own);
    expect(await preparedByServer()).toBeGreaterThan(0);
  });

  it('are planned for their values each time when they filter by anything but an id', async () => {
    const read = jest.spyOn(PreparedReads.prototype, 'read');
    const caller = {
      role: 'authenticated' as const,
      userId: people[0]!,
      ...{ sessionId: randomUUID(), aal: 'aal1' as const, email: '', roles: [], expiresAt: 0 },
    };
    const service = new TableService(replicas[0]!);
    const plansVary = async (query: string) => {
      read.mockClear();
      await service.handle(notes, tableRequest('GET', query, caller));
      return read.mock.calls.map(([statement]) => statement.plansVary);
    };
    try {
      for (const query of ['', 'select=id&order=words&limit=2', `user_id=eq.${caller.userId}`])
        expect(await plansVary(query)).toEqual([false]);
      const others = [
        'words=eq.rare',
        'id=eq.1',
        `user_id=neq.${caller.userId}`,
        `user_id=in.(${caller.userId})`,
        'words=ilike.*r*',
        'or=(id.eq.1,id.eq.2)',
      ];
      for (const query of others) expect([query, ...(await plansVary(`user_id=eq.${caller.userId}&${query}`))]).toEqual([query, true]);
    } finally {
      read.mockRestore();
    }
  });

  it('survive a migration of the columns, and the end of all sessions behind the pooler', async () => {
    const services = replicas.map((replica) => new TableService(replica));
    for (let time = 0; time < 6; time += 1) await readByAll(services);
    await admin.query('alter table notes alter column words type varchar(50), alter column id type bigint, add column more int');
    expect(await readByAll(services)).toEqual(own);
    // New sessions for the next transactions, without any statement.
    await administer('reconnect');
    for (let time = 0; time < 3; time += 1) expect(await readByAll(services)).toEqual(own);
    expect(await preparedByServer()).toBeGreaterThan(0);
  });

  it('give everybody their own rows by a pooler that keeps no statements', async () => {
    await administer('set max_prepared_statements = 0');
    try {
      const services = replicas.map((replica) => new TableService(replica));
      for (let time = 0; time < 12; time += 1) expect(await readByAll(services)).toEqual(own);
    } finally {
      await administer('set max_prepared_statements = 200');
    }
  });
});
