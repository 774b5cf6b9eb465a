import { tmpdir } from 'node:os';
import path from 'node:path';
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
  /** Stops the service and deletes its database and virtual host. */
  dispose(): Promise<void>;
}

/** Starts a complete service with its own migrated database and virtual host. */
export async function serviceUnderTest<Schema extends z.ZodObject>(
  service: Omit<ServiceOptions<Schema>, 'environment'>,
  {
    migrations,
    environment = {},
    roleName,
    isDurable = true,
  }: { migrations: readonly MigrationClass[]; environment?: Record<string, string>; roleName?: string; isDurable?: boolean },
): Promise<ServiceUnderTest> {
  const [database, broker] = await Promise.all([testDatabase({ migrations, isDurable, ...(roleName ? { roleName } : {}) }), testBroker()]);
  const app = await createService({
    ...service,
    environment: {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      RABBITMQ_URL: broker.url,
      INTERNAL_SIGNING_KEY: testSigningKey,
      WEBHOOK_TOKEN_KEY_RING: `k1:${testSigningKey}`,
      SITE_URL: 'https://decola.example',
      // Nobody listens there: mails stay queued, unless a test names a mail server.
      ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Decola <nao-responda@decola.example>', MAIL_KEY_RING: `k1:${testSigningKey}` },
      // Names of pictures follow from their content, so tests share the folder.
      IMAGES_DIR: path.join(tmpdir(), 'decola-test-images'),
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
