import {
  customerNeeded,
  modelProviderDown,
  paymentFailed,
  subscriptionChanged,
  trialEnding,
  userAddress,
  wheelNews,
} from '@decola/contracts';
import { AccountExportModule, DatabaseModule } from '@decola/database';
import { MailerModule } from '@decola/mailer';
import { MessagingModule, Outbox } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { TableApiModule } from '@decola/table-api';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { AccountMails } from './auth/account-mails.service.js';
import { AuthCodes } from './auth/auth-codes.service.js';
import { AuthController } from './auth/auth.controller.js';
import { DisabledProvidersController } from './auth/disabled-providers.controller.js';
import { MailRequestsService } from './auth/mail-requests.service.js';
import { MailboxProof } from './auth/mailbox-proof.service.js';
import { OneTimeTokens } from './auth/one-time-tokens.service.js';
import { RegistrationService } from './auth/registration.service.js';
import { SignInService } from './auth/sign-in.service.js';
import { UserUpdateService } from './auth/user-update.service.js';
import { VerificationService } from './auth/verification.service.js';
import type { IdentityConfig } from './config/config.js';
import { accountExport } from './export/account-export.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsService } from './factors/factors.service.js';
import { AttemptLimits } from './limits/attempt-limits.service.js';
import { CustomerNoticesConsumer } from './mails/customer-notices.consumer.js';
import { composeMail, type IdentityMail, lifetimeSeconds } from './mails/identity-mail.js';
import { isWanted } from './mails/notice-choices.js';
import { ModelProviderConsumer } from './mails/model-provider.consumer.js';
import { PaymentNoticesConsumer } from './mails/payment-notices.consumer.js';
import { UnsubscribeController } from './mails/unsubscribe.controller.js';
import { UnsubscribeTokens } from './mails/unsubscribe-tokens.js';
import { WheelNewsConsumer } from './mails/wheel-news.consumer.js';
import { profilesTable } from './profiles/profiles.table.js';
import { SubscriptionConsumer } from './profiles/subscription.consumer.js';
import { userRolesTable } from './profiles/user-roles.table.js';
import { SecurityEventsModule } from './security-events/security-events.module.js';
import { SecurityEvents } from './security-events/security-events.service.js';
import { securityEventsTable } from './security-events/security-events.table.js';
import { InternalSessionsController } from './sessions/internal-sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { userSessionsTable } from './sessions/user-sessions.table.js';
import { AccessTokens } from './tokens/access-tokens.service.js';
import { SigningKeyUses } from './tokens/signing-key-uses.service.js';
import { Passwords } from './users/passwords.service.js';
import { UserAddressConsumer } from './users/user-address.consumer.js';

@Module({})
export class AppModule {
  static forRoot(config: IdentityConfig): DynamicModule {
    const unsubscribe = new UnsubscribeTokens(config);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forService('identity', config),
        MessagingModule.forRoot({
          url: config.RABBITMQ_URL,
          service: 'identity',
          events: [subscriptionChanged, trialEnding, paymentFailed, customerNeeded, wheelNews, modelProviderDown],
          requests: [userAddress],
        }),
        MailerModule.forRoot<IdentityMail>({
          config,
          messageIdDomain: new URL(config.SITE_URL).hostname,
          compose: (mail) => composeMail(mail, { productName: config.PRODUCT_NAME, unsubscribe }),
          lifetimeSeconds: (mail) => lifetimeSeconds(mail, config.MAIL_TOKEN_SECONDS),
          isWanted,
        }),
        SecurityEventsModule,
        AccountExportModule.forRootAsync({ inject: [SecurityEvents], useFactory: accountExport }),
        TableApiModule.forRootAsync({
          signingKey: config.INTERNAL_SIGNING_KEY,
          inject: [SecurityEvents, Outbox, Clock],
          useFactory: (events: SecurityEvents, outbox: Outbox, clock: Clock) => ({
            tables: [profilesTable(outbox, clock), userRolesTable, userSessionsTable(events), securityEventsTable],
          }),
        }),
      ],
      controllers: [
        AccountController,
        AuthController,
        CustomerNoticesConsumer,
        DisabledProvidersController,
        FactorsController,
        InternalSessionsController,
        ModelProviderConsumer,
        PaymentNoticesConsumer,
        SubscriptionConsumer,
        UnsubscribeController,
        UserAddressConsumer,
        WheelNewsConsumer,
      ],
      providers: [
        AccessTokens,
        AccountMails,
        AccountService,
        AttemptLimits,
        AuthCodes,
        FactorsService,
        MailboxProof,
        MailRequestsService,
        OneTimeTokens,
        Passwords,
        RegistrationService,
        SessionsService,
        SigningKeyUses,
        SignInService,
        { provide: UnsubscribeTokens, useValue: unsubscribe },
        UserUpdateService,
        VerificationService,
      ],
    };
  }
}
