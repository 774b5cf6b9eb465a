import { randomUUID } from 'node:crypto';
import { DatabaseModule } from '@decola/database';
import { baseConfig, callerHeader, createService, signCaller } from '@decola/service-kit';
import { testCaller, testDatabase, type TestDatabase, testSigningKey } from '@decola/testing';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { defineFunction, defineTable, sql, TableApiModule } from '../src/index.js';

class CreateThings1800000000004 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table things (id uuid primary key default gen_random_uuid(), label text not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table things');
  }
}

const all = { where: sql`true`, check: sql`true` };
const things = defineTable({
  name: 'things',
  primaryKey: 'id',
  columns: { id: { type: 'uuid' }, label: { type: 'text' } },
  rules: () => ({ select: all, insert: all, update: all, delete: all }),
});
const echo = defineFunction({ name: 'echo', arguments: { said: 'text' }, returns: 'scalar', call: (_, { said }) => Promise.resolve(said) });

@Module({})
class ThingsModule {}

describe('bodies that are not JSON', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    database = await testDatabase({ migrations: [CreateThings1800000000004] });
    const module = (): DynamicModule => ({
      module: ThingsModule,
      imports: [
        DatabaseModule.forRoot({ url: database.url }),
        TableApiModule.forRoot({ signingKey: testSigningKey, tables: [things], functions: [echo] }),
      ],
    });
    app = await createService({ name: 'things', configSchema: baseConfig, module, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app?.close();
    await database?.dispose();
  });

  const send = async (method: string, path: string, type: string | undefined, body: string) => {
    const answer = await fetch(`${url}/rest/v1/${path}`, {
      method,
      headers: {
        [callerHeader]: signCaller(testCaller(randomUUID()), testSigningKey),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      // fetch adds no content type to bytes.
      body: Buffer.from(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as unknown };
  };

  it.each(['text/csv', 'application/x-www-form-urlencoded', 'application/octet-stream', 'text/plain'])(
    'are refused without being looked into, however large: %s',
    async (type) => {
      const large = 'a,b\n'.repeat(1_000_000);
      for (const [method, path] of [
        ['POST', 'things'],
        ['PATCH', 'things?label=eq.x'],
        ['POST', 'rpc/echo'],
      ] as const)
        expect(await send(method, path, type, large)).toEqual({
          status: 400,
          body: { code: 'PGRST102', message: `Content-Type not acceptable: ${type}`, details: null, hint: null },
        });
    },
  );

  it('are parsed as JSON when they have no content type', async () => {
    expect(await send('POST', 'rpc/echo', undefined, '{"said":"olá"}')).toEqual({ status: 200, body: 'olá' });
    expect((await send('POST', 'things', undefined, '{"label":"um"}')).status).toBe(201);
    expect(await send('POST', 'things', undefined, 'a,b')).toMatchObject({ status: 400, body: { code: 'PGRST102' } });
  });
});
