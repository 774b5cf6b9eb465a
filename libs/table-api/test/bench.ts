import { dataSourceOptions } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { testDatabase } from '@decola/testing';
import { DataSource, type MigrationInterface } from 'typeorm';
import { sql, type TableDefinition, TableService } from '../src/index.js';

/** Everybody reads and writes the rows of their own `user_id`; who is not signed in, nothing. */
export const ownRows: TableDefinition['rules'] = (caller: Caller) => {
  if (caller.role === 'anon') return {};
  const own = sql`t.user_id = ${caller.userId}`;
  return { select: { where: own }, insert: { check: own }, update: { where: own, check: own }, delete: { where: own } };
};

export interface TableBench {
  db: DataSource;
  service: TableService;
  dispose(): Promise<void>;
}

/** The service over a database of its own, without HTTP before it. */
export async function tableBench(migration: new () => MigrationInterface): Promise<TableBench> {
  const database = await testDatabase({ migrations: [migration] });
  const db = await new DataSource(dataSourceOptions({ url: database.url, entities: [] })).initialize();
  return {
    db,
    service: new TableService(db),
    dispose: async () => {
      await db.destroy();
      await database.dispose();
    },
  };
}
