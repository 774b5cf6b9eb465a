import 'reflect-metadata';
import { bootService } from '@decola/service-kit';
import { AppModule } from './app.module.js';
import { configSchema } from './config/config.js';

void bootService({ name: 'browser-worker', configSchema, module: (config) => AppModule.forRoot(config) });
