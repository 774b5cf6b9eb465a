import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateWheels1763700000000 } from './1763700000000-create-wheels.js';
import { DrawPrizes1764800000000 } from './1764800000000-draw-prizes.js';
import { DeliverPrizes1764810000000 } from './1764810000000-deliver-prizes.js';
import { LimitVisits1764820000000 } from './1764820000000-limit-visits.js';
import { FollowPrizes1764830000000 } from './1764830000000-follow-prizes.js';
import { CountVisits1764840000000 } from './1764840000000-count-visits.js';
import { ForgetNetworks1764850000000 } from './1764850000000-forget-networks.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateWheels1763700000000,
  DrawPrizes1764800000000,
  DeliverPrizes1764810000000,
  LimitVisits1764820000000,
  FollowPrizes1764830000000,
  CountVisits1764840000000,
  ForgetNetworks1764850000000,
];
