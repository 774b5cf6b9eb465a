import { randomUUID } from 'node:crypto';
import type { automationCreated, PayloadOf } from '@decola/contracts';
import { dataSourceOptions } from '@decola/database';
import { testDatabase, type TestDatabase } from '@decola/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { AutomationCopies, messagingMigrations } from '../src/index.js';

type Automation = PayloadOf<typeof automationCreated>;

class CreateCopies1800000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `create table copies (automation_id uuid primary key, user_id uuid not null, name text not null, revision bigint not null)`,
    );
    await query.query('create table gone (id uuid primary key, at timestamptz not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table copies, gone');
  }
}

const automation = (changes: Partial<Automation> = {}): Automation => ({
  automationId: randomUUID(),
  userId: randomUUID(),
  type: 'auto-like',
  name: 'Primeira',
  isDraft: false,
  isActive: true,
  configuration: {},
  revision: 1,
  ...changes,
});

describe('copies of automations', () => {
  let database: TestDatabase;
  let db: DataSource;
  const now = new Date();
  const copies = new AutomationCopies<{ name: string }>({ table: 'copies', columns: ({ name }) => ({ name }) });

  beforeAll(async () => {
    database = await testDatabase({ migrations: [...messagingMigrations, CreateCopies1800000000000] });
    db = await new DataSource(dataSourceOptions({ url: database.url })).initialize();
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.dispose();
  });

  const store = (state: Automation, kept: Pick<AutomationCopies, 'store'> = copies) =>
    db.transaction((manager) => kept.store(manager, state));
  const nameOf = async ({ automationId }: Automation) =>
    (await db.query<{ name: string }[]>('select name from copies where automation_id = $1', [automationId]))[0]?.name;

  it('hold the newest revision, in whatever order the events arrive, and return the row before', async () => {
    const first = automation();
    expect(await store({ ...first, name: 'Segunda', revision: 2 })).toEqual({ previous: undefined });
    expect(await store(first)).toBeUndefined();
    expect(await store({ ...first, name: 'Outra', revision: 2 })).toBeUndefined();
    expect(await store({ ...first, name: 'Terceira', revision: 10 })).toMatchObject({ previous: { name: 'Segunda', revision: '2' } });
    expect(await nameOf(first)).toBe('Terceira');
  });

  it('do not lose a revision to an event that is handled at the same time', async () => {
    const first = automation();
    await Promise.all([3, 1, 5, 2, 4].map((revision) => store({ ...first, name: `Revisão ${revision}`, revision })));
    expect(await nameOf(first)).toBe('Revisão 5');
  });

  it('do not come back after their automation was deleted', async () => {
    const [deleted, other] = [automation(), automation()];
    for (const each of [deleted, other]) await store(each);
    await db.transaction((manager) => copies.delete(manager, deleted, now));
    expect(await store({ ...deleted, revision: 2 })).toBeUndefined();
    expect([await nameOf(deleted), await nameOf(other)]).toEqual([undefined, 'Primeira']);
  });

  it('do not come back after their customer was deleted, nor do messages about them leave', async () => {
    const [deleted, other] = [automation(), automation()];
    for (const each of [deleted, other]) {
      await store(each);
      await db.query(`insert into outbox (id, kind, type, version, subject, payload) values ($1, 'event', 'x', 1, $2, '{}')`, [
        randomUUID(),
        each.userId,
      ]);
    }
    await db.transaction((manager) => copies.deleteOfUser(manager, deleted.userId, now));
    expect(await store({ ...deleted, revision: 2 })).toBeUndefined();
    expect(await store(automation({ userId: deleted.userId }))).toBeUndefined();
    expect([await nameOf(deleted), await nameOf(other)]).toEqual([undefined, 'Primeira']);
    expect(await db.query('select subject from outbox')).toEqual([{ subject: other.userId }]);
  });

  it('are made of the chosen types alone', async () => {
    const wheels = new AutomationCopies({ table: 'copies', types: ['prize-extractor'], columns: ({ name }) => ({ name }) });
    const [like, wheel] = [automation(), automation({ type: 'prize-extractor' })];
    expect(await store(like, wheels)).toBeUndefined();
    expect(await store(wheel, wheels)).toEqual({ previous: undefined });
    await db.transaction((manager) => wheels.delete(manager, like, now));
    expect(await db.query('select 1 from gone where id = $1', [like.automationId])).toEqual([]);
    expect([await nameOf(like), await nameOf(wheel)]).toEqual([undefined, 'Primeira']);
  });
});
