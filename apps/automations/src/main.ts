import 'reflect-metadata';
import { bootService } from '@decola/service-kit';
import { AppModule, listen } from './app.module.js';
import { configSchema } from './config.js';

await bootService({ name: 'automations', configSchema, module: (config) => AppModule.forRoot(config), configure: listen });
