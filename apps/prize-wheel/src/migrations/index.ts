import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateWheels1763700000000 } from './1763700000000-create-wheels.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [...messagingMigrations, CreateWheels1763700000000];
