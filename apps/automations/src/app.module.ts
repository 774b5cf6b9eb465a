import {
  extractionCompleted,
  extractionPassEnded,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runReserve,
  runStarted,
  subscriptionChanged,
  userDeleted,
} from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { connectMessaging, MessagingModule } from '@decola/messaging';
import { Clock, parseKeyRing, Sealer } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { accountExport } from './account-export.js';
import { AccountPauses } from './accounts/account-pauses.js';
import { instagramSessionsTable } from './accounts/instagram-sessions.table.js';
import { SessionChecks } from './accounts/session-checks.js';
import { SessionVault } from './accounts/session-vault.js';
import { Announcer } from './automations/announcer.js';
import { AutomationRules } from './automations/automation-rules.js';
import { automationsTable } from './automations/automations.table.js';
import { blogAutomationsTable } from './blog/blog-automations.table.js';
import { BlogRules } from './blog/blog-rules.js';
import { BlogSchedule } from './blog/blog-schedule.service.js';
import type { AutomationsConfig } from './config.js';
import { EntitlementsConsumer } from './entitlements/entitlements.consumer.js';
import { getAvailableSlots } from './entitlements/slots.function.js';
import { ActionReports } from './runs/action-reports.js';
import { ExtractionCourse } from './runs/extraction-course.js';
import { RunEvents } from './runs/run-events.js';
import { automationActionsTable, automationRunsTable } from './runs/run-tables.js';
import { RunsConsumer } from './runs/runs.consumer.js';
import { Scheduler } from './runs/scheduler.service.js';

const events = [
  subscriptionChanged,
  userDeleted,
  runStarted,
  runActionDone,
  runPage,
  runFinished,
  extractionPassEnded,
  extractionCompleted,
];

/** The domain's services, for the tables' hooks and the consumers. */
@Global()
@Module({})
class DomainModule {
  static forRoot(config: AutomationsConfig): DynamicModule {
    const vault = {
      provide: SessionVault,
      inject: [SessionChecks],
      useFactory: (checks: SessionChecks) =>
        new SessionVault(new Sealer(parseKeyRing(config.SESSION_KEY_RING)), config.ACCOUNT_KEY_PEPPER, checks),
    };
    const services = [
      Announcer,
      AccountPauses,
      SessionChecks,
      AutomationRules,
      BlogRules,
      BlogSchedule,
      ActionReports,
      ExtractionCourse,
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
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], poolSize: 15, applicationName: 'automations' }),
        AccountExportModule.forRoot(accountExport),
        MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'automations', events, requests: [runReserve, runMayGoOn] }),
        DomainModule.forRoot(config),
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          inject: [AutomationRules, BlogRules, SessionVault, AccountPauses, Clock],
          useFactory: (automations: AutomationRules, blog: BlogRules, vault: SessionVault, pauses: AccountPauses, clock: Clock) => ({
            tables: [
              automationsTable(automations),
              blogAutomationsTable(blog),
              instagramSessionsTable(vault, pauses, clock),
              automationRunsTable,
              automationActionsTable,
            ],
            functions: [getAvailableSlots],
          }),
        }),
      ],
      controllers: [EntitlementsConsumer, RunsConsumer],
    };
  }
}

/** Lets the consumers hear the broker. */
export const listen = connectMessaging;
