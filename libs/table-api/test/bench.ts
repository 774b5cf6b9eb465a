import { dataSourceOptions } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { testDatabase } from '@decola/testing';
import { DataSource, type MigrationInterface } from 'typeorm';
import { sql, type TableDefinition, TableService } from '../src/index.js';
import type { TableRequest } from '../src/requests/table.service.js';

/** People read and write the rows with their own `user_id`; anonymous callers nothing. */
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

/** Creates the service on its own database, without HTTP. */
export async function tableBench(migration: new () => MigrationInterface): Promise<TableBench> {
  const database = await testDatabase({ migrations: [migration] });
  const db = await new DataSource(dataSourceOptions({ url: database.url })).initialize();
  return {
    db,
    service: new TableService(db),
    dispose: async () => {
      await db.destroy();
      await database.dispose();
    },
  };
}

/** A request without a body and headers, except for those in `more`. */
export function tableRequest(
  method: TableRequest['method'],
  query: string,
  caller: Caller,
  more: Partial<TableRequest> = {},
): TableRequest {
  return { method, query, body: undefined, prefer: undefined, accept: undefined, range: undefined, caller, ...more };
}
