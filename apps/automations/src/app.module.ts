import {
  articleDelivered,
  articleFailed,
  articleSiteRefused,
  articleWritten,
  canaryPassed,
  extractionCompleted,
  extractionDue,
  extractionPassEnded,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runPreview,
  runPicture,
  runReserve,
  runStarted,
  runTrying,
  subscriptionChanged,
  userDeleted,
  userUpdated,
} from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { connectMessaging, MessagingModule, Requester } from '@decola/messaging';
import { Clock, parseKeyRing, Sealer } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AccountStops } from './accounts/account-stops.service.js';
import { accountActivityTable } from './accounts/account-activity.table.js';
import { accountGrowthTable } from './accounts/account-growth.table.js';
import { accountPausesTable } from './accounts/account-pauses.table.js';
import { accountUsageTable } from './accounts/account-usage.table.js';
import { CanaryConsumer } from './accounts/canary.consumer.js';
import { followBacksTable } from './accounts/follow-backs.table.js';
import { importKeepList } from './accounts/import-keep-list.function.js';
import { instagramAccountsTable } from './accounts/instagram-accounts.table.js';
import { AutomationEvents } from './automation-state/automation-events.service.js';
import { AutomationPauses } from './automation-state/automation-pauses.service.js';
import { AutomationTransitions } from './automation-state/automation-transitions.service.js';
import { AutomationHooks } from './automations/automations.hooks.js';
import { automationsTable } from './automations/automations.table.js';
import { StoredConfigurations } from './automations/stored-configuration.service.js';
import { ArticleOutcomesConsumer } from './blog/article-outcomes.consumer.js';
import { blogAutomationsTable } from './blog/blog-automations.table.js';
import { BlogSchedule } from './blog/blog-schedule.service.js';
import { BlogAutomationHooks } from './blog/blog-automations.hooks.js';
import type { AutomationsConfig } from './config/config.js';
import { CustomersConsumer } from './customers/customers.consumer.js';
import { Dispatcher } from './dispatch/dispatcher.service.js';
import { getAvailableSlots } from './entitlements/available-slots.function.js';
import { Slots } from './entitlements/slots.service.js';
import { ErasureConsumer } from './erasure/erasure.consumer.js';
import { accountExport } from './export/account-export.js';
import { ExtractionProgress } from './extractions/extraction-progress.service.js';
import { ActionReports } from './ledger/action-reports.service.js';
import { runDiaryTable } from './ledger/run-diary.table.js';
import { CustomerNotices } from './notices/customer-notices.service.js';
import { PicturesConsumer } from './pictures/pictures.consumer.js';
import { PicturesController } from './pictures/pictures.controller.js';
import { previewAutomation } from './previews/preview-automation.function.js';
import { Previews } from './previews/previews.service.js';
import { previewsTable } from './previews/previews.table.js';
import { automationRunsTable } from './runs/automation-runs.table.js';
import { RunEvents } from './runs/run-events.service.js';
import { RunsConsumer } from './runs/runs.consumer.js';
import { Scheduler } from './schedule/scheduler.service.js';
import { instagramSessionsTable } from './sessions/instagram-sessions.table.js';
import { SessionChecks } from './sessions/session-checks.service.js';
import { SessionVault } from './sessions/session-vault.service.js';
import { SubscriptionsConsumer } from './subscriptions/subscriptions.consumer.js';

const events = [
  subscriptionChanged,
  userDeleted,
  userUpdated,
  runStarted,
  runTrying,
  runActionDone,
  runPage,
  runPicture,
  runFinished,
  extractionDue,
  extractionPassEnded,
  extractionCompleted,
  canaryPassed,
  articleWritten,
  articleFailed,
  articleDelivered,
  articleSiteRefused,
];

/** Services that table hooks and consumers inject. */
@Global()
@Module({})
class DomainModule {
  static forRoot(config: AutomationsConfig): DynamicModule {
    const vault = {
      provide: SessionVault,
      inject: [SessionChecks],
      useFactory: (checks: SessionChecks) =>
        new SessionVault(new Sealer(parseKeyRing(config.SESSION_KEY_RING, 'SESSION_KEY_RING')), config.ACCOUNT_KEY_PEPPER, checks),
    };
    const services = [
      AutomationEvents,
      AutomationTransitions,
      AutomationPauses,
      CustomerNotices,
      AccountStops,
      SessionChecks,
      Slots,
      StoredConfigurations,
      AutomationHooks,
      BlogAutomationHooks,
      BlogSchedule,
      ActionReports,
      ExtractionProgress,
      Dispatcher,
      Previews,
      RunEvents,
      Scheduler,
    ];
    return { module: DomainModule, providers: [vault, ...services], exports: [SessionVault, ...services] };
  }
}

@Module({})
export class AppModule {
  static forRoot(config: AutomationsConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('automations', config),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'automations',
          events,
          requests: [runReserve, runPreview, runMayGoOn],
        }),
        DomainModule.forRoot(config),
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          inject: [AutomationHooks, BlogAutomationHooks, SessionVault, AccountStops, Clock, Requester, Previews],
          useFactory: (
            automations: AutomationHooks,
            blog: BlogAutomationHooks,
            vault: SessionVault,
            stops: AccountStops,
            clock: Clock,
            requester: Requester,
            previews: Previews,
          ) => ({
            tables: [
              automationsTable(automations),
              blogAutomationsTable(blog),
              instagramSessionsTable(vault, stops, clock),
              instagramAccountsTable(config.CEILINGS, clock),
              accountUsageTable(config.CEILINGS, clock),
              accountGrowthTable,
              accountActivityTable,
              accountPausesTable,
              followBacksTable,
              automationRunsTable,
              previewsTable,
              runDiaryTable,
            ],
            functions: [getAvailableSlots, importKeepList(requester), previewAutomation(previews)],
          }),
        }),
      ],
      controllers: [
        CustomersConsumer,
        SubscriptionsConsumer,
        ErasureConsumer,
        RunsConsumer,
        CanaryConsumer,
        ArticleOutcomesConsumer,
        PicturesConsumer,
        PicturesController,
      ],
    };
  }
}

/** Connects the consumers to the broker. */
export const listen = connectMessaging;
