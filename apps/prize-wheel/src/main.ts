import 'reflect-metadata';
import { findMissingMigrations } from '@decola/database';
import { connectMessaging } from '@decola/messaging';
import { bootService } from '@decola/service-kit';
import { AppModule } from './app.module.js';
import { configSchema } from './config/config.js';
import { migrations } from './migrations/index.js';

await bootService({
  name: 'prize-wheel',
  configSchema,
  module: (config) => AppModule.forRoot(config),
  prerequisite: ({ DATABASE_URL }) => findMissingMigrations(DATABASE_URL, migrations),
  configure: connectMessaging,
});
