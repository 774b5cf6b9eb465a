import type { MigrationClass } from '@decola/database';
import { createService, type ServiceOptions } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import { type TestBroker, testBroker } from './broker.js';
import { testSigningKey } from './callers.js';
import { testDatabase, type TestDatabase } from './database.js';

export interface ServiceUnderTest {
  app: NestFastifyApplication;
  /** Address of the service. */
  url: string;
  database: TestDatabase;
  broker: TestBroker;
  dataSource: DataSource;
  /** Ends the service and removes its database and virtual host. */
  dispose(): Promise<void>;
}

/** A whole service on a migrated database and a virtual host of its own. */
export async function serviceUnderTest<Schema extends z.ZodObject>(
  service: Omit<ServiceOptions<Schema>, 'environment'>,
  {
    migrations,
    environment = {},
    roleName,
  }: { migrations: readonly MigrationClass[]; environment?: Record<string, string>; roleName?: string },
): Promise<ServiceUnderTest> {
  const [database, broker] = await Promise.all([testDatabase({ migrations, ...(roleName ? { roleName } : {}) }), testBroker()]);
  const app = await createService({
    ...service,
    environment: {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      RABBITMQ_URL: broker.url,
      INTERNAL_SIGNING_KEY: testSigningKey,
      ...environment,
    },
  });
  return {
    app,
    url: (await app.getUrl()).replace('[::1]', '127.0.0.1'),
    database,
    broker,
    dataSource: app.get(DataSource),
    dispose: async () => {
      await app.close();
      await Promise.all([database.dispose(), broker.dispose()]);
    },
  };
}
