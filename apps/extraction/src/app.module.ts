import {
  automationCreated,
  automationDeleted,
  automationUpdated,
  leadCaptured,
  leadConsentChanged,
  leadErased,
  leadRead,
  listResume,
  personName,
  prizeStateChanged,
  prizeStockLow,
  runFinished,
  runPage,
  slotTargets,
  userDeleted,
} from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MailerModule } from '@decola/mailer';
import { MessagingModule } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { accountExport } from './export/account-export.js';
import { AutomationsConsumer } from './automations/automations.consumer.js';
import type { ExtractionConfig } from './config/config.js';
import { extractedDataTable } from './extracted-data/extracted-data.table.js';
import { extractionFunctions } from './extracted-data/extracted-data.function.js';
import { DownloadLinks } from './files/download-links.js';
import { FilesModule } from './files/files.module.js';
import { LeadsConsumer } from './leads/leads.consumer.js';
import { leadsTable } from './leads/leads.table.js';
import { ListsConsumer } from './lists/lists.consumer.js';
import { ListWords } from './lists/list-words.service.js';
import { ListsService } from './lists/lists.service.js';
import { TargetsService } from './lists/targets.service.js';
import { DailyNews } from './mails/daily-news.service.js';
import { composeLeadMail, isLeadThere, type LeadMail, leadMailSeconds } from './mails/lead-mail.js';
import { StockNewsConsumer } from './mails/stock-news.consumer.js';
import { RetentionService } from './retention/retention.service.js';
import { WebhookDeliveries } from './webhooks/deliveries.service.js';
import { LeadWebhookController } from './webhooks/lead-webhook.controller.js';
import { LeadWebhooks } from './webhooks/lead-webhooks.service.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';

@Module({})
export class AppModule {
  static forRoot(config: ExtractionConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('extraction', config),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'extraction',
          events: [
            ...[automationCreated, automationUpdated, automationDeleted, runPage, runFinished, userDeleted],
            ...[leadCaptured, leadErased, leadConsentChanged, prizeStateChanged, prizeStockLow],
          ],
          requests: [listResume, slotTargets, personName, leadRead],
          // Fewer than the connections of the pool: pages of one list wait for each other's row lock, and must not hold every connection.
          prefetch: 6,
        }),
        MailerModule.forRoot<LeadMail>({
          config,
          messageIdDomain: new URL(config.SITE_URL).hostname,
          compose: (mail) => composeLeadMail(mail, config.SITE_URL),
          lifetimeSeconds: () => leadMailSeconds,
          isWanted: isLeadThere,
        }),
        FilesModule,
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          imports: [FilesModule],
          inject: [DownloadLinks, Clock],
          useFactory: (links: DownloadLinks, clock: Clock) => ({
            tables: [extractedDataTable(links, clock), leadsTable],
            functions: extractionFunctions(links),
          }),
        }),
      ],
      controllers: [AutomationsConsumer, LeadsConsumer, LeadWebhookController, ListsConsumer, StockNewsConsumer],
      providers: [DailyNews, LeadWebhooks, ListsService, ListWords, RetentionService, TargetsService, WebhookDeliveries, WebhookSecrets],
    };
  }
}
