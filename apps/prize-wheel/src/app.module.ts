import { automationCreated, automationDeleted, automationUpdated, userDeleted } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import type { PrizeWheelConfig } from './config.js';
import { accountExport } from './account-export.js';
import { participationsTable } from './participations/participations.table.js';
import { WheelsConsumer } from './wheels/wheels.consumer.js';

@Module({})
export class AppModule {
  static forRoot(config: PrizeWheelConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], applicationName: 'prize-wheel' }),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'prize-wheel',
          events: [automationCreated, automationUpdated, automationDeleted, userDeleted],
        }),
        TableApiModule.forRoot({ signingKey: config.INTERNAL_SIGNING_KEY, tables: [participationsTable] }),
      ],
      controllers: [WheelsConsumer],
    };
  }
}
