import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateAutomations1763700000000 } from './1763700000000-create-automations.js';
import { CheckSessions1763800000000 } from './1763800000000-check-sessions.js';
import { WaitForVerdicts1763900000000 } from './1763900000000-wait-for-verdicts.js';
import { KeepPlacesInSlots1764000000000 } from './1764000000000-keep-places-in-slots.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateAutomations1763700000000,
  CheckSessions1763800000000,
  WaitForVerdicts1763900000000,
  KeepPlacesInSlots1764000000000,
];
