import { randomUUID } from 'node:crypto';
import { customerChanged } from '@decola/contracts';
import { testDatabase, type TestDatabase } from '@decola/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { announceChanges, messagingMigrations, silenceChanges } from '../src/index.js';

const tables = ['parcels', 'crates'];

/** Parcels of people, and crates that several people share. */
class CreateParcels1800000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      'create table parcels (id uuid primary key, user_id uuid, crate text, order_id uuid, weight int, seen_at timestamptz)',
    );
    await query.query('create table crates (name text primary key, place text, seals int)');
    const statements = announceChanges(customerChanged, [
      { table: 'parcels', shows: ['parcels', 'orders'], automation: 'c.order_id', columns: { key: ['id'], seen: ['crate', 'weight'] } },
      { table: 'crates', shows: ['crates'], user: 'p.user_id', account: 'p.id', join: 'join parcels p on p.crate = c.name' },
    ]);
    for (const statement of statements) await query.query(statement);
  }
  async down(query: QueryRunner): Promise<void> {
    for (const statement of silenceChanges(tables)) await query.query(statement);
    for (const table of tables) await query.query(`drop table ${table}`);
  }
}

describe('changes that the database announces', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const [ana, bia] = [randomUUID(), randomUUID()];

  beforeAll(async () => {
    database = await testDatabase({ migrations: [...messagingMigrations, CreateParcels1800000000000] });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await database?.dispose();
  });

  /** Runs the statements in one transaction. @returns payloads of the messages that it added, by customer */
  async function announced(...statements: readonly (readonly [sql: string, values?: unknown[]])[]): Promise<Record<string, unknown>> {
    await client.query('truncate outbox');
    await client.query('begin');
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('commit');
    const { rows } = await client.query<{ kind: string; type: string; version: number; subject: string; payload: unknown }>(
      'select kind, type, version, subject, payload from outbox',
    );
    return Object.fromEntries(
      rows.map(({ subject, payload, ...rest }) => {
        expect(rest).toEqual({ kind: 'event', type: customerChanged.type, version: customerChanged.version });
        const parsed = customerChanged.schema.parse(payload);
        expect(parsed.userId).toBe(subject);
        return [subject, { tables: parsed.tables.toSorted(), automation: parsed.automationId, account: parsed.accountId }];
      }),
    );
  }
  const insert = (parcel: { id?: string; user?: string | null; crate?: string; order?: string | null }): [string, unknown[]] => [
    'insert into parcels (id, user_id, crate, order_id, weight) values ($1, $2, $3, $4, 1)',
    [parcel.id ?? randomUUID(), parcel.user === undefined ? ana : parcel.user, parcel.crate ?? 'a', parcel.order ?? null],
  ];
  const ofParcels = { tables: ['orders', 'parcels'], account: null };

  it('are one message per customer, however many rows and statements', async () => {
    const order = randomUUID();
    expect(
      await announced(insert({ order }), insert({ order }), insert({ user: bia, order: randomUUID() }), insert({ user: bia })),
    ).toEqual({ [ana]: { ...ofParcels, automation: order }, [bia]: { ...ofParcels, automation: null } });
    expect(await announced(['update parcels set weight = weight + 1'])).toEqual({
      [ana]: { ...ofParcels, automation: order },
      [bia]: { ...ofParcels, automation: null },
    });
    expect(await announced(['delete from parcels'])).toEqual({
      [ana]: { ...ofParcels, automation: order },
      [bia]: { ...ofParcels, automation: null },
    });
  });

  it('are added by one statement, however many customers a statement is about', async () => {
    await client.query('create sequence additions');
    await client.query(`create function count_addition() returns trigger language plpgsql as $$ begin
      perform nextval('additions'); return null; end $$`);
    await client.query('create trigger count_additions after insert on outbox for each statement execute function count_addition()');
    try {
      expect(Object.keys(await announced(insert({ user: ana }), insert({ user: bia })))).toHaveLength(2);
      await client.query(`select setval('additions', 1, false)`);
      expect(Object.keys(await announced(['update parcels set weight = weight + 1']))).toHaveLength(2);
      expect((await client.query(`select nextval('additions')::int - 1 as statements`)).rows).toEqual([{ statements: 1 }]);
    } finally {
      await client.query('drop trigger count_additions on outbox');
      await announced(['delete from parcels']);
    }
  });

  it('wake the relay when there is a message, and not when a statement adds none', async () => {
    const listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
    let woken = 0;
    try {
      const { rows } = await listener.query<{ schema: string }>('select current_schema() as schema');
      await listener.query(`listen "outbox_${rows[0]!.schema}"`);
      listener.on('notification', () => (woken += 1));
      // A session hears of what was committed before its own next statement.
      const heard = async () => {
        await listener.query('select 1');
        return woken;
      };
      await announced(insert({}));
      expect(await heard()).toBe(1);
      await announced(['update parcels set weight = weight + 1 where weight < 0'], ['update parcels set seen_at = now()']);
      await announced([`delete from parcels where crate = 'none'`]);
      expect(await heard()).toBe(1);
      await announced(['delete from parcels']);
      expect(await heard()).toBe(2);
    } finally {
      await listener.end();
    }
  });

  it('of several automations name none of them, in whichever order they come', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    expect(await announced(insert({ order: one }), insert({ order: two }), insert({ order: two }))).toEqual({
      [ana]: { ...ofParcels, automation: null },
    });
    expect(await announced(insert({ order: one }), insert({ order: null }))).toEqual({ [ana]: { ...ofParcels, automation: null } });
    await announced(['delete from parcels']);
  });

  it('that nobody sees are no message: other columns, equal values, no row, nobody’s row', async () => {
    await announced(insert({}));
    expect(await announced(['update parcels set seen_at = now()'])).toEqual({});
    expect(await announced(['update parcels set weight = weight, crate = crate'])).toEqual({});
    expect(await announced(['update parcels set weight = 7 where false'])).toEqual({});
    expect(await announced(insert({ user: null }))).toEqual({});
    await announced(['delete from parcels']);
  });

  it('of shared rows reach everybody who sees them, and are added to the same message', async () => {
    const [own, other] = [randomUUID(), randomUUID()];
    await announced(
      insert({ id: own, crate: 'x' }),
      insert({ id: other, user: bia, crate: 'x' }),
      insert({ user: randomUUID(), crate: 'y' }),
    );
    expect(await announced([`insert into crates values ('x', 'dock', 0)`])).toEqual({
      [ana]: { tables: ['crates'], automation: null, account: own },
      [bia]: { tables: ['crates'], automation: null, account: other },
    });
    expect(await announced([`update crates set place = 'lift'`], ['update parcels set weight = 3 where id = $1', [own]])).toEqual({
      [ana]: { tables: ['crates', 'orders', 'parcels'], automation: null, account: null },
      [bia]: { tables: ['crates'], automation: null, account: other },
    });
    await announced(['delete from parcels'], ['delete from crates']);
  });

  it('are announced in the transaction of the change: a rollback takes both back, and two transactions are two messages', async () => {
    await client.query('truncate outbox');
    await client.query('begin');
    await client.query(...insert({}));
    await client.query('savepoint s');
    await client.query(...insert({ user: bia }));
    await client.query('rollback to s');
    await client.query('commit');
    expect((await client.query('select subject from outbox')).rows).toEqual([{ subject: ana }]);
    await client.query('update parcels set weight = 9');
    expect((await client.query('select subject from outbox')).rows).toEqual([{ subject: ana }, { subject: ana }]);
    await client.query('begin');
    await client.query('update parcels set weight = 10');
    await client.query('rollback');
    expect((await client.query('select 1 from outbox')).rows).toHaveLength(2);
  });
});
