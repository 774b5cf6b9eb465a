import { type DynamicModule, Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.js';
import { Inventory } from '../sites/inventory.service.js';
import { Pings } from '../sites/ping.service.js';
import { SiteCalls } from '../sites/site-calls.service.js';
import { SigningTokensService } from '../tokens/signing-tokens.service.js';
import { TokenSeals } from '../tokens/token-seals.js';
import { WebhookTestController } from '../webhook-test/webhook-test.controller.js';
import { WebhookTest } from '../webhook-test/webhook-test.service.js';
import { ArticlePicturesController } from './article-pictures.controller.js';
import { BlockedMails } from './blocked-mails.service.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRetention } from './deliveries-retention.service.js';
import { Deliveries } from './deliveries.service.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { DeliveryFailures } from './delivery-failures.service.js';
import { DeliveryFunctions } from './delivery-functions.service.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { Looks } from './looks.service.js';
import { PickupController } from './pickup.controller.js';
import { PickupSenders } from './pickup-senders.service.js';
import { PickupWork } from './pickup-work.service.js';
import { Pickups } from './pickups.service.js';
import { SiteStatus } from './site-status.service.js';
import { SiteTurns } from '../sites/site-turns.service.js';

/** Articles on their way to customers' sites, and what became of them there. */
@Module({
  imports: [ImagesModule],
  controllers: [ArticlePicturesController, DeliveriesController, PickupController, WebhookTestController],
  providers: [
    ...[SigningTokensService, SiteCalls, Pings, Inventory, SiteTurns, WebhookTest],
    ...[DeliveryOutcomes, DeliveryFailures, DeliveryAttempts, PickupSenders, PickupWork, Pickups],
    ...[Looks, SiteStatus, Deliveries, DeliveryFunctions, BlockedMails, DeliveriesRetention],
  ],
})
export class DeliveriesModule {
  static forRoot(seals: TokenSeals): DynamicModule {
    return { module: DeliveriesModule, providers: [{ provide: TokenSeals, useValue: seals }] };
  }
}
