import { migrateCommand } from '@decola/database';
import { migrations } from '../migrations/index.js';

await migrateCommand('billing', migrations);
