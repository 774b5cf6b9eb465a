import type { MigrationClass } from '@decola/database';
import { mailerMigrations } from '@decola/mailer';
import { messagingMigrations } from '@decola/messaging';
import { CreateExtraction1763700000000 } from './1763700000000-create-extraction.js';
import { EndPassesByPages1764200000000 } from './1764200000000-end-passes-by-pages.js';
import { OwnPlacesOfLists1764600000000 } from './1764600000000-own-places-of-lists.js';
import { CollectComments1764610000000 } from './1764610000000-collect-comments.js';
import { AnnounceChanges1764810000000 } from './1764810000000-announce-changes.js';
import { KeepLeads1764820000000 } from './1764820000000-keep-leads.js';
import { FollowLeads1764840000000 } from './1764840000000-follow-leads.js';
import { CallWebhooks1764841000000 } from './1764841000000-call-webhooks.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  ...mailerMigrations,
  CreateExtraction1763700000000,
  EndPassesByPages1764200000000,
  OwnPlacesOfLists1764600000000,
  CollectComments1764610000000,
  AnnounceChanges1764810000000,
  KeepLeads1764820000000,
  FollowLeads1764840000000,
  CallWebhooks1764841000000,
];
