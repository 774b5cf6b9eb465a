import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateAutomations1763700000000 } from './1763700000000-create-automations.js';
import { CheckSessions1763800000000 } from './1763800000000-check-sessions.js';
import { WaitForVerdicts1763900000000 } from './1763900000000-wait-for-verdicts.js';
import { KeepPlacesInSlots1764000000000 } from './1764000000000-keep-places-in-slots.js';
import { ConnectAccounts1764100000000 } from './1764100000000-connect-accounts.js';
import { HoldSessionsAfterStops1764110000000 } from './1764110000000-hold-sessions-after-stops.js';
import { KeepLedgerKeys1764120000000 } from './1764120000000-keep-ledger-keys.js';
import { LookAgainAndCountViews1764200000000 } from './1764200000000-look-again-and-count-views.js';
import { ProveAccounts1764320000000 } from './1764320000000-prove-accounts.js';
import { ReadOwnFollowingLists1764400000000 } from './1764400000000-read-own-following-lists.js';
import { ShowUsageAndGrowth1764500000000 } from './1764500000000-show-usage-and-growth.js';
import { KeepStatesWhole1764610000000 } from './1764610000000-keep-states-whole.js';
import { KnowTargetsOfEveryKind1764700000000 } from './1764700000000-know-targets-of-every-kind.js';
import { LetListsAskExtraction1764710000000 } from './1764710000000-let-lists-ask-extraction.js';
import { ShowDiaryAndAccounts1764800000000 } from './1764800000000-show-diary-and-accounts.js';
import { AnnounceChanges1764810000000 } from './1764810000000-announce-changes.js';
import { PreviewRuns1764820000000 } from './1764820000000-preview-runs.js';
import { KeepPicturesOfFailures1764830000000 } from './1764830000000-keep-pictures-of-failures.js';
import { AnnouncePreviews1764845000000 } from './1764845000000-announce-previews.js';
import { TellBlogOfAutomations1764910000000 } from './1764910000000-tell-blog-of-automations.js';
import { AnnounceInOneStatement1765050000000 } from './1765050000000-announce-in-one-statement.js';
import { KeepJobsUncompressed1765050010000 } from './1765050010000-keep-jobs-uncompressed.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateAutomations1763700000000,
  CheckSessions1763800000000,
  WaitForVerdicts1763900000000,
  KeepPlacesInSlots1764000000000,
  ConnectAccounts1764100000000,
  HoldSessionsAfterStops1764110000000,
  KeepLedgerKeys1764120000000,
  LookAgainAndCountViews1764200000000,
  ProveAccounts1764320000000,
  ReadOwnFollowingLists1764400000000,
  ShowUsageAndGrowth1764500000000,
  KeepStatesWhole1764610000000,
  KnowTargetsOfEveryKind1764700000000,
  LetListsAskExtraction1764710000000,
  ShowDiaryAndAccounts1764800000000,
  AnnounceChanges1764810000000,
  PreviewRuns1764820000000,
  KeepPicturesOfFailures1764830000000,
  AnnouncePreviews1764845000000,
  TellBlogOfAutomations1764910000000,
  AnnounceInOneStatement1765050000000,
  KeepJobsUncompressed1765050010000,
];
