import type { MigrationClass } from '@decola/database';
import { mailerMigrations } from '@decola/mailer';
import { messagingMigrations } from '@decola/messaging';
import { CreateBlog1763700000000 } from './1763700000000-create-blog.js';
import { CopyBlogAutomations1764910000000 } from './1764910000000-copy-blog-automations.js';
import { WriteArticles1764920000000 } from './1764920000000-write-articles.js';
import { KeepRevisions1764930000000 } from './1764930000000-keep-revisions.js';
import { IllustrateArticles1764950000000 } from './1764950000000-illustrate-articles.js';
import { ShowArticles1764980000000 } from './1764980000000-show-articles.js';
import { PriceArticles1764990000000 } from './1764990000000-price-articles.js';
import { ReportQuality1764995000000 } from './1764995000000-report-quality.js';
import { WriteForCustomers1765000000000 } from './1765000000000-write-for-customers.js';
import { DeliverArticles1765010000000 } from './1765010000000-deliver-articles.js';
import { RefreshArticles1765040000000 } from './1765040000000-refresh-articles.js';
import { FindArticlesToRefresh1765040000001 } from './1765040000001-find-articles-to-refresh.js';
import { CheckKindsOfRequests1765040000002 } from './1765040000002-check-kinds-of-requests.js';
import { PickUpArticles1765063000000 } from './1765063000000-pick-up-articles.js';
import { FindSitesByKey1765063000001 } from './1765063000001-find-sites-by-key.js';
import { CheckStatesOfDeliveries1765063000002 } from './1765063000002-check-states-of-deliveries.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  ...mailerMigrations,
  CreateBlog1763700000000,
  CopyBlogAutomations1764910000000,
  WriteArticles1764920000000,
  KeepRevisions1764930000000,
  IllustrateArticles1764950000000,
  ShowArticles1764980000000,
  PriceArticles1764990000000,
  ReportQuality1764995000000,
  WriteForCustomers1765000000000,
  DeliverArticles1765010000000,
  RefreshArticles1765040000000,
  FindArticlesToRefresh1765040000001,
  CheckKindsOfRequests1765040000002,
  PickUpArticles1765063000000,
  FindSitesByKey1765063000001,
  CheckStatesOfDeliveries1765063000002,
];
