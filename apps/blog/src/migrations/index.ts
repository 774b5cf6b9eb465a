import type { MigrationClass } from '@decola/database';
import { messagingMigrations } from '@decola/messaging';
import { CreateBlog1763700000000 } from './1763700000000-create-blog.js';

/** All migrations of this service, in order. */
export const migrations: readonly MigrationClass[] = [...messagingMigrations, CreateBlog1763700000000];
