import amqp from 'amqplib';
import pg from 'pg';
import { redisClient } from '@decola/service-kit';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { defineEvent } from '@decola/contracts';
import { z } from 'zod';
import { collectEvents, eventually, publishTestEvent, testBroker, testDatabase, testRedis } from '../src/index.js';

class CreateNotes1760000000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table notes (id int primary key)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notes');
  }
}

async function queryOnce(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('resources of one test', () => {
  it('include a migrated database that no other test sees', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => testDatabase({ migrations: [CreateNotes1760000000000] })));
    try {
      await queryOnce(one!.url, 'insert into notes values (1)');
      expect(await queryOnce(two!.url, 'select * from notes')).toEqual([]);
      expect(await queryOnce(one!.url, 'select current_schema() as schema')).toEqual([{ schema: 'test_service' }]);
    } finally {
      await Promise.all([one!.dispose(), two!.dispose()]);
    }
    await expect(queryOnce(one!.url, 'select 1')).rejects.toThrow(/does not exist/);
  });

  it('include a role without rights outside of its schema', async () => {
    const database = await testDatabase({ migrations: [CreateNotes1760000000000] });
    try {
      await expect(queryOnce(database.url, 'create table public.stray (id int)')).rejects.toThrow(/permission denied/);
    } finally {
      await database.dispose();
    }
  });

  it('include a virtual host with its own events', async () => {
    const [broker, other] = await Promise.all([testBroker(), testBroker()]);
    const noted = defineEvent('note.taken', z.object({ text: z.string() }));
    const [here, there] = await Promise.all([collectEvents(broker.url, 'note.*'), collectEvents(other.url)]);
    await publishTestEvent(broker.url, noted, { text: 'olá' }, { subject: 'ana' });
    await eventually(() => expect(here.events).toMatchObject([{ type: 'note.taken', subject: 'ana', payload: { text: 'olá' } }]));
    expect(there.events).toEqual([]);
    await Promise.all([here.dispose(), there.dispose()]);
    await Promise.all([broker.dispose(), other.dispose()]);
    await expect(amqp.connect(broker.url)).rejects.toThrow();
  });

  it('include a key prefix in Redis, whose keys are deleted afterwards', async () => {
    const redis = testRedis();
    const client = redisClient({ url: redis.url });
    await client.connect();
    await client.set(`${redis.prefix}a`, '1');
    await redis.dispose();
    expect(await client.exists(`${redis.prefix}a`)).toBe(0);
    client.destroy();
  });
});

it('eventually waits for a condition and throws its last failure', async () => {
  let calls = 0;
  await eventually(() => expect(++calls).toBe(3), { everyMs: 1 });
  // oxlint-disable-next-line tests/waits-long-enough -- it is to miss this one
  await expect(eventually(() => expect(1).toBe(2), { timeoutMs: 20, everyMs: 5 })).rejects.toThrow(/Expected: .*2/);
});
