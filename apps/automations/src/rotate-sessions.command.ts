import 'reflect-metadata';
import { dataSourceOptions } from '@decola/database';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { rotateSessions } from './accounts/rotate-sessions.js';

const { DATABASE_URL: url, SESSION_KEY_RING: ring } = process.env;
if (!url || !ring) {
  console.error('automations: DATABASE_URL and SESSION_KEY_RING are needed');
  process.exit(1);
}
const dataSource = await new DataSource(dataSourceOptions({ url, entities: [], poolSize: 2 })).initialize();
try {
  console.log(`automations: sealed ${await rotateSessions(dataSource, new Sealer(parseKeyRing(ring)))} sessions again`);
} finally {
  await dataSource.destroy();
}
