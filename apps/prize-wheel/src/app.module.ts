import { automationCreated, automationDeleted, automationUpdated, userDeleted } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import type { PrizeWheelConfig } from './config/config.js';
import { accountExport } from './export/account-export.js';
import { PrizeCodesController } from './coupons/prize-codes.controller.js';
import { PrizeCodes } from './coupons/prize-codes.service.js';
import { FiguresController } from './figures/figures.controller.js';
import { PrizeStatsService } from './figures/prize-stats.service.js';
import { VisitCounts } from './figures/visit-counts.service.js';
import { Draws } from './draws/draws.service.js';
import { Nightly } from './jobs/nightly.service.js';
import { PrizeJobs } from './jobs/prize-jobs.service.js';
import { WheelKeys } from './keys/wheel-keys.service.js';
import { Admissions } from './limits/admissions.service.js';
import { ForgetNetworks } from './limits/forget-networks.service.js';
import { LookupLimits } from './limits/lookup-limits.service.js';
import { Proofs } from './limits/proofs.service.js';
import { VisitLimits } from './limits/visit-limits.service.js';
import { WheelRateLimits } from './limits/wheel-rate-limits.service.js';
import { participationsTable } from './participations/participations.table.js';
import { Audits } from './owners/audit.service.js';
import { OwnersController } from './owners/owners.controller.js';
import { Redemptions } from './owners/redemption.service.js';
import { WheelRounds } from './owners/wheel-rounds.service.js';
import { LeadPrivacyController } from './privacy/lead-privacy.controller.js';
import { LeadPrivacy } from './privacy/lead-privacy.service.js';
import { ReceiptsController } from './receipts/receipts.controller.js';
import { Receipts } from './receipts/receipts.service.js';
import { VisitsController } from './visits/visits.controller.js';
import { Visits } from './visits/visits.service.js';
import { WheelsConsumer } from './wheels/wheels.consumer.js';

@Module({})
export class AppModule {
  static forRoot(config: PrizeWheelConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('prize-wheel', config),
        AccountExportModule.forRoot(accountExport(config)),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'prize-wheel',
          events: [automationCreated, automationUpdated, automationDeleted, userDeleted],
        }),
        TableApiModule.forRoot({ signingKey: config.INTERNAL_SIGNING_KEY, tables: [participationsTable] }),
      ],
      controllers: [
        FiguresController,
        LeadPrivacyController,
        OwnersController,
        PrizeCodesController,
        ReceiptsController,
        VisitsController,
        WheelsConsumer,
      ],
      providers: [
        Admissions,
        Audits,
        Draws,
        ForgetNetworks,
        LeadPrivacy,
        LookupLimits,
        Nightly,
        PrizeCodes,
        PrizeJobs,
        PrizeStatsService,
        Proofs,
        Receipts,
        Redemptions,
        VisitCounts,
        VisitLimits,
        Visits,
        WheelKeys,
        WheelRateLimits,
        WheelRounds,
      ],
    };
  }
}
