import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateExtraction1763700000000 } from './1763700000000-create-extraction.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [...messagingMigrations, CreateExtraction1763700000000];
