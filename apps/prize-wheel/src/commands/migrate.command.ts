import 'reflect-metadata';
import { migrateCommand } from '@decola/database';
import { migrations } from '../migrations/index.js';

await migrateCommand('prize-wheel', migrations);
