import { automationCreated, automationDeleted, automationUpdated, runFinished, runPage, slotTargets, userDeleted } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { accountExport } from './account-export.js';
import { AutomationsConsumer } from './automations/automations.consumer.js';
import type { ExtractionConfig } from './config.js';
import { extractedDataTable } from './extracted-data/extracted-data.table.js';
import { extractionFunctions } from './extracted-data/functions.js';
import { DownloadLinks } from './files/download-links.js';
import { FilesModule } from './files/files.module.js';
import { ListsConsumer } from './lists/lists.consumer.js';
import { ListsService } from './lists/lists.service.js';
import { RetentionService } from './retention/retention.service.js';

@Module({})
export class AppModule {
  static forRoot(config: ExtractionConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], applicationName: 'extraction' }),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'extraction',
          events: [automationCreated, automationUpdated, automationDeleted, runPage, runFinished, userDeleted],
          requests: [slotTargets],
          // Fewer than the pool's connections: pages of one list wait for each other, and readers must not wait for them all.
          prefetch: 6,
        }),
        FilesModule,
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          imports: [FilesModule],
          inject: [DownloadLinks, Clock],
          useFactory: (links: DownloadLinks, clock: Clock) => ({
            tables: [extractedDataTable(links, clock)],
            functions: extractionFunctions(links),
          }),
        }),
      ],
      controllers: [AutomationsConsumer, ListsConsumer],
      providers: [ListsService, RetentionService],
    };
  }
}
