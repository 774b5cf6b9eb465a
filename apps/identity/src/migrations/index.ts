import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateIdentity1763700000000 } from './1763700000000-create-identity.js';

export const migrations: readonly MigrationClass[] = [...messagingMigrations, CreateIdentity1763700000000];
