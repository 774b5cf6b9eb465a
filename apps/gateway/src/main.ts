import { bootService } from '@decola/service-kit';
import { AppModule } from './app.module.js';
import { configSchema } from './config/config.js';
import { headersOfMalformedTargets } from './requests/cors.js';
import { registerRoutes } from './requests/register-routes.js';

await bootService({
  name: 'gateway',
  configSchema,
  module: () => AppModule,
  parseBodies: false,
  metricsPort: ({ METRICS_PORT }) => METRICS_PORT,
  refusalHeaders: headersOfMalformedTargets,
  configure: registerRoutes,
});
