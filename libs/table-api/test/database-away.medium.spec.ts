import { randomUUID } from 'node:crypto';
import { DatabaseModule } from '@decola/database';
import { baseConfig, createService } from '@decola/service-kit';
import { authenticated, eventually, tcpProxy, type TcpProxy, testDatabase, type TestDatabase, testSigningKey } from '@decola/testing';
import { Controller, type DynamicModule, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { defineTable, TableApiModule } from '../src/index.js';
import { ownRows } from './bench.js';

class CreateNotes1800000000003 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query('create table notes (id int primary key, user_id uuid not null)');
  }
  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table notes');
  }
}

const notes = defineTable({
  name: 'notes',
  primaryKey: 'id',
  columns: { id: { type: 'integer' }, user_id: { type: 'uuid' } },
  rules: ownRows,
});

@Controller()
class OtherApisController {
  constructor(private readonly dataSource: DataSource) {}

  @Post(['functions/v1/count', 'auth/v1/token'])
  count() {
    return this.dataSource.transaction((manager) => manager.query('select 1'));
  }
}

@Module({})
class NotesModule {}

describe('a request during an outage of the database', () => {
  let database: TestDatabase;
  let way: TcpProxy;
  let app: NestFastifyApplication;
  let url: string;
  const headers = authenticated(randomUUID());

  beforeAll(async () => {
    database = await testDatabase({ migrations: [CreateNotes1800000000003] });
    way = await tcpProxy(database.url);
    const module = (): DynamicModule => ({
      module: NotesModule,
      controllers: [OtherApisController],
      imports: [DatabaseModule.forRoot({ url: way.url }), TableApiModule.forRoot({ signingKey: testSigningKey, tables: [notes] })],
    });
    app = await createService({ name: 'notes', configSchema: baseConfig, module, environment: { PORT: '0', LOG_LEVEL: 'silent' } });
    url = await app.getUrl();
    await way.cut();
  });
  afterAll(async () => {
    await app?.close();
    await way?.dispose();
    await database?.dispose();
  });

  const ask = async (path: string, method = 'POST') => {
    const answer = await fetch(`${url}/${path}`, { method, headers });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
  };

  it('to a table is refused as repeatable, in the form of rest/v1', async () => {
    expect(await ask('rest/v1/notes', 'GET')).toEqual({
      status: 503,
      retryAfter: '1',
      body: { code: 'PGRST001', message: 'Database connection error', details: null, hint: null },
    });
  });

  it('to a function or to auth/v1 is refused likewise, in the form of its API', async () => {
    const message = 'Serviço temporariamente indisponível. Tente novamente em instantes.';
    expect(await ask('functions/v1/count')).toEqual({ status: 503, retryAfter: '1', body: { error: message, code: 'unavailable' } });
    expect(await ask('auth/v1/token')).toMatchObject({
      status: 503,
      retryAfter: '1',
      body: { error_code: 'unexpected_failure', msg: message },
    });
  });

  it('is answered after the recovery', async () => {
    await way.restore();
    await eventually(async () => expect(await ask('rest/v1/notes', 'GET')).toMatchObject({ status: 200, body: [] }));
  });
});
