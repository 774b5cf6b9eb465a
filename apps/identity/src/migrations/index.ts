import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateIdentity1763700000000 } from './1763700000000-create-identity.js';
import { BoundSecurityEvents1763720000000 } from './1763720000000-bound-security-events.js';
import { CreateFactors1763810000000 } from './1763810000000-create-factors.js';
import { FarewellMails1763830000000 } from './1763830000000-farewell-mails.js';
import { QueueMails1763820000000 } from './1763820000000-queue-mails.js';
import { KeepCodes1763840000000 } from './1763840000000-keep-codes.js';

export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateIdentity1763700000000,
  BoundSecurityEvents1763720000000,
  CreateFactors1763810000000,
  QueueMails1763820000000,
  FarewellMails1763830000000,
  KeepCodes1763840000000,
];
