import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateIdentity1763700000000 } from './1763700000000-create-identity.js';
import { BoundSecurityEvents1763720000000 } from './1763720000000-bound-security-events.js';
import { CreateFactors1763810000000 } from './1763810000000-create-factors.js';
import { FarewellMails1763830000000 } from './1763830000000-farewell-mails.js';
import { QueueMails1763820000000 } from './1763820000000-queue-mails.js';
import { KeepCodes1763840000000 } from './1763840000000-keep-codes.js';
import { TimeZoneAndLocale1764200000000 } from './1764200000000-time-zone-and-locale.js';
import { MailboxProof1764300000000 } from './1764300000000-mailbox-proof.js';
import { WrongCodesOfADay1764310000000 } from './1764310000000-wrong-codes-of-a-day.js';
import { ChooseNotices1764840000000 } from './1764840000000-choose-notices.js';
import { KeepChosenTimeZones1764850000000 } from './1764850000000-keep-chosen-time-zones.js';
import { NoticesOfWheels1764860000000 } from './1764860000000-notices-of-wheels.js';
import { NoteUsesOfTokenKeys1765110000000 } from './1765110000000-note-uses-of-token-keys.js';

export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateIdentity1763700000000,
  BoundSecurityEvents1763720000000,
  CreateFactors1763810000000,
  QueueMails1763820000000,
  FarewellMails1763830000000,
  KeepCodes1763840000000,
  TimeZoneAndLocale1764200000000,
  MailboxProof1764300000000,
  WrongCodesOfADay1764310000000,
  ChooseNotices1764840000000,
  KeepChosenTimeZones1764850000000,
  NoticesOfWheels1764860000000,
  NoteUsesOfTokenKeys1765110000000,
];
