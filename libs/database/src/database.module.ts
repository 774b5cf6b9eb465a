import { DynamicModule, Global, Injectable, Module, OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HealthRegistry } from '@decola/service-kit';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { SnakeNamingStrategy } from './naming.js';

export interface DatabaseOptions {
  url: string;
  entities: readonly EntityTarget<ObjectLiteral>[];
  /** Most connections of this replica. Default: 10. */
  poolSize?: number;
  /** Statements that run longer are ended by the server. Default: 30 s. */
  statementTimeoutMs?: number;
  /** Name in `pg_stat_activity`. */
  applicationName?: string;
}

/** Options of a data source as every service uses it; `synchronize` is off: migrations alone change tables. */
export function dataSourceOptions({
  url,
  entities,
  poolSize = 10,
  statementTimeoutMs = 30_000,
  applicationName = 'decola',
}: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: [...entities] as never,
    synchronize: false,
    namingStrategy: new SnakeNamingStrategy(),
    poolSize,
    applicationName,
    extra: { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000, connectionTimeoutMillis: 10_000 },
  };
}

@Injectable()
class DatabaseReadiness implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly health: HealthRegistry,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', async () => {
      await this.dataSource.query('select 1');
    });
  }
}

/** The service's one data source, injectable as TypeORM's `DataSource`. Its role's search path is the service's own schema. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 30, retryDelay: 1000 })],
      providers: [DatabaseReadiness],
    };
  }
}
