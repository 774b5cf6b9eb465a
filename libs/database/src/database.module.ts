import { DynamicModule, Global, Injectable, Module, type OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErrorTranslator, HealthRegistry, UnavailableError } from '@decola/service-kit';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from './config.js';
import { DatabaseClient } from './database-client.js';
import { DatabaseWatch } from './database-watch.js';
import { isOutage } from './outage.js';

export interface DatabaseOptions {
  url: string;
  /** URL of the server itself, where `url` leads to a pooler that shares sessions. Default: `url`. */
  directUrl?: string;
  /** Maximum number of connections of this replica. Default: 10. */
  poolSize?: number;
  /** The client gives up on a query that runs longer. Default: a little more than the role's own limit. */
  queryTimeoutMs?: number;
  /** Name in `pg_stat_activity`. */
  applicationName?: string;
}

/**
 * Longer than the time-out of statements that provisioning gives the services' roles (30 s, `scripts/lib/provision.mjs`): only a server that is gone or
 * hangs lets the client wait so long.
 */
const defaultQueryTimeoutMs = 35_000;

/**
 * Options of every service's data source. `synchronize` is off: only migrations change tables. The time-outs of the server belong to the role: PgBouncer
 * refuses connections that name them.
 */
export function dataSourceOptions({
  url,
  poolSize = 10,
  queryTimeoutMs = defaultQueryTimeoutMs,
  applicationName = 'decola',
}: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    synchronize: false,
    poolSize,
    applicationName,
    extra: {
      Client: DatabaseClient,
      query_timeout: queryTimeoutMs,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  };
}

/** Token of the URL of the server itself, for what needs a session of its own: `listen`, locks of a session. */
export const DIRECT_DATABASE_URL = Symbol('direct URL of the database');

@Injectable()
class DatabaseLifecycle implements OnModuleInit, OnApplicationShutdown {
  private checking: Promise<unknown> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly watch: DatabaseWatch,
    private readonly health: HealthRegistry,
    private readonly errors: ErrorTranslator,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', async () => {
      // One query at a time: while the database hangs, each would occupy a connection of the pool.
      this.checking ??= this.dataSource.query('select 1').finally(() => (this.checking = undefined));
      await this.checking;
    });
    this.errors.register((error) => (isOutage(error) ? new UnavailableError() : undefined));
  }

  onApplicationShutdown(): void {
    this.watch.stop();
  }
}

/** The service's data source, injectable as TypeORM's `DataSource`. The search path of its role is the service's own schema. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 30, retryDelay: 1000 })],
      providers: [
        DatabaseLifecycle,
        { provide: DatabaseWatch, useFactory: () => DatabaseWatch.of(options.url) },
        { provide: DIRECT_DATABASE_URL, useValue: options.directUrl ?? options.url },
      ],
      exports: [DatabaseWatch, DIRECT_DATABASE_URL],
    };
  }

  /** The database of a service, from its configuration. @param name in `pg_stat_activity` */
  static forService(name: string, config: DatabaseConfig): DynamicModule {
    return DatabaseModule.forRoot({
      url: config.DATABASE_URL,
      ...(config.DATABASE_DIRECT_URL ? { directUrl: config.DATABASE_DIRECT_URL } : {}),
      poolSize: config.DATABASE_POOL_SIZE,
      applicationName: name,
    });
  }
}
