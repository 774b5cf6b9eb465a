import 'reflect-metadata';
import { connectMessaging } from '@decola/messaging';
import { bootService } from '@decola/service-kit';
import { AppModule } from './app.module.js';
import { configSchema } from './config.js';

await bootService({ name: 'extraction', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging });
