import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateAutomations1763700000000 } from './1763700000000-create-automations.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [...messagingMigrations, CreateAutomations1763700000000];
