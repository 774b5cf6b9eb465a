import { bootService, Logger } from '@decola/service-kit';
import { AppModule } from './app.module.js';
import { configSchema } from './config.js';
import { corsHeaders } from './cors.js';
import { Door } from './door.js';

await bootService({
  name: 'gateway',
  configSchema,
  module: () => AppModule,
  parseBodies: false,
  refusalHeaders: corsHeaders,
  configure: async (app, config) => {
    await new Door(config, app.get(Logger)).open(app);
  },
});
