import { paymentFailed, subscriptionChanged, trialEnding } from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MessagingModule } from '@decola/messaging';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { accountExport } from './account/export.js';
import { SecurityEvents } from './account/security-events.js';
import { SecurityEventsModule } from './account/security-events.module.js';
import { securityEventsTable, userSessionsTable } from './account/tables.js';
import { AccountMails } from './auth/account-mails.js';
import { AuthCodes } from './auth/auth-codes.js';
import { AuthController } from './auth/auth.controller.js';
import { MailRequestsService } from './auth/mail-requests.service.js';
import { OneTimeTokens } from './auth/one-time-tokens.js';
import { RegistrationService } from './auth/registration.service.js';
import { SignInService } from './auth/sign-in.service.js';
import { UserUpdateService } from './auth/user-update.service.js';
import { VerificationService } from './auth/verification.service.js';
import type { IdentityConfig } from './config.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsService } from './factors/factors.service.js';
import { Tries } from './limits/tries.js';
import { MailDelivery } from './mail/mail-delivery.js';
import { MailQueue } from './mail/mail-queue.js';
import { Mailer } from './mail/mailer.js';
import { MoneyNoticesConsumer } from './mail/money-notices.consumer.js';
import { SubscriptionConsumer } from './profiles/subscription.consumer.js';
import { profilesTable, userRolesTable } from './profiles/tables.js';
import { InternalSessionsController } from './sessions/internal-sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { AccessTokens } from './tokens/access-tokens.js';

@Module({})
export class AppModule {
  static forRoot(config: IdentityConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ url: config.DATABASE_URL, entities: [], applicationName: 'identity' }),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'identity',
          events: [subscriptionChanged, trialEnding, paymentFailed],
        }),
        SecurityEventsModule,
        AccountExportModule.forRootAsync({ inject: [SecurityEvents], useFactory: accountExport }),
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          inject: [SecurityEvents],
          useFactory: (events: SecurityEvents) => ({
            tables: [profilesTable, userRolesTable, userSessionsTable(events), securityEventsTable],
          }),
        }),
      ],
      controllers: [
        AccountController,
        AuthController,
        FactorsController,
        InternalSessionsController,
        MoneyNoticesConsumer,
        SubscriptionConsumer,
      ],
      providers: [
        AccountService,
        RegistrationService,
        SignInService,
        MailRequestsService,
        VerificationService,
        AuthCodes,
        FactorsService,
        SessionsService,
        AccessTokens,
        OneTimeTokens,
        AccountMails,
        UserUpdateService,
        Tries,
        Mailer,
        { provide: MailQueue, useFactory: () => new MailQueue(config.MAIL_KEY_RING) },
        MailDelivery,
      ],
    };
  }
}
