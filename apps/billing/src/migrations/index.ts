import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateBilling1763700000000 } from './1763700000000-create-billing.js';
import { PaymentsAndNotices1763800000000 } from './1763800000000-payments-and-notices.js';
import { ContactOfAccount1763900000000 } from './1763900000000-contact-of-account.js';
import { ContactTold1764200000000 } from './1764200000000-contact-told.js';
import { ParkEvents1764400000000 } from './1764400000000-park-events.js';
import { PlanFeatures1764500000000 } from './1764500000000-plan-features.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateBilling1763700000000,
  PaymentsAndNotices1763800000000,
  ContactOfAccount1763900000000,
  ContactTold1764200000000,
  ParkEvents1764400000000,
  PlanFeatures1764500000000,
];
