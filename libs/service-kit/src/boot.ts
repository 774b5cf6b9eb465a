import { randomUUID } from 'node:crypto';
import { DynamicModule, Global, Module, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger, LoggerModule } from 'nestjs-pino';
import type { z } from 'zod';
import { CallerModule } from './caller.module.js';
import { Clock, SystemClock } from './clock.js';
import { baseConfig, CONFIG, ConfigurationError, loadConfig } from './config.js';
import { WireErrorFilter } from './error-filter.js';
import { UnreadableAddressError } from './errors.js';
import { HealthController, HealthRegistry } from './health.js';
import { takeBodies } from './bodies.js';
import { loggerOptions } from './logging.js';
import { measureHttp, MetricsController } from './metrics.js';
import { validationPipe } from './validation.js';
import { toWireError } from './wire-errors.js';

type BaseConfig = z.infer<typeof baseConfig>;

export interface ServiceOptions<Schema extends z.ZodObject> {
  /** Name in logs, metrics and errors. */
  name: string;
  /** Extends `baseConfig`. The service does not boot when a value is missing or wrong. */
  configSchema: Schema;
  module: (config: z.infer<Schema>) => DynamicModule | Type;
  /** After the application is made and before it listens: microservice strategies, Fastify plugins. */
  configure?: (app: NestFastifyApplication, config: z.infer<Schema>) => Promise<void> | void;
  /** Keep the bytes of JSON bodies at `request.rawBody`, for signatures. */
  rawBody?: boolean;
  /** False leaves bodies to the service (the gateway streams them). */
  parseBodies?: boolean;
  /** Headers of refusals that the framework makes before any hook or handler sees the request. */
  refusalHeaders?: Record<string, string>;
  /** Instead of `process.env`, for tests. */
  environment?: NodeJS.ProcessEnv;
}

/** What every service has: configuration, clock, logs, health, metrics, caller. */
@Global()
@Module({})
class ServiceKitModule {
  static forRoot(name: string, config: BaseConfig & Record<string, unknown>): DynamicModule {
    const signingKey = config['INTERNAL_SIGNING_KEY'];
    return {
      module: ServiceKitModule,
      imports: [
        LoggerModule.forRoot(loggerOptions(name, config.LOG_LEVEL)),
        ...(typeof signingKey === 'string' ? [CallerModule.forRoot({ signingKey })] : []),
      ],
      controllers: [HealthController, MetricsController],
      providers: [{ provide: CONFIG, useValue: config }, { provide: Clock, useClass: SystemClock }, HealthRegistry],
      exports: [CONFIG, Clock, HealthRegistry],
    };
  }
}

/**
 * Boots one service: reads its configuration, listens, and stops gracefully on SIGTERM and SIGINT (requests and messages in
 * flight finish first). @throws ConfigurationError when the environment is wrong.
 */
export async function createService<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Promise<NestFastifyApplication> {
  const config = loadConfig(options.name, options.configSchema, options.environment) as z.infer<Schema> & BaseConfig;
  const adapter = new FastifyAdapter({
    bodyLimit: 12 * 1024 * 1024, // rest-v1, trap 7: rows of at least 10 MiB
    http: { maxHeaderSize: 64 * 1024 }, // a filter may name a thousand ids
    trustProxy: false,
    genReqId: (request: { headers: Record<string, unknown> }) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false, // a HEAD is answered where a controller says how
    routerOptions: { maxParamLength: 500 },
    // An address that is none is refused before any filter: in the same form as all else, without a word of the framework.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, headers, body } = toWireError(new UnreadableAddressError(), request.raw.url ?? '/', request.headers);
      void reply
        .status(status)
        .headers({ ...options.refusalHeaders, ...headers })
        .header('content-type', 'application/json; charset=utf-8')
        .send(body);
    },
  });
  const root: DynamicModule = {
    module: ServiceKitModule,
    ...{ imports: [ServiceKitModule.forRoot(options.name, config), options.module(config)] },
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, { bufferLogs: true, bodyParser: false, abortOnError: false });
  const logger = app.get(Logger);
  app.useLogger(logger);
  if (options.parseBodies ?? true) takeBodies(app, options.rawBody ?? false);
  app.useGlobalFilters(new WireErrorFilter(logger));
  app.useGlobalPipes(validationPipe());
  measureHttp(adapter.getInstance<FastifyInstance>(), options.name);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
  await options.configure?.(app, config);
  await app.listen({ port: config.PORT, host: config.HOST });
  return app;
}

/** `createService` for a process of its own: a wrong configuration is told in plain words and ends it with status 1. */
export async function bootService<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Promise<NestFastifyApplication> {
  try {
    return await createService(options);
  } catch (error) {
    process.stderr.write(
      error instanceof ConfigurationError
        ? `${error.message}\n`
        : `${options.name} failed to start: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(1);
  }
}
