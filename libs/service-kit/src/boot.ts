import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { flushCompileCache } from 'node:module';
import { DynamicModule, Global, Module, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger as FrameworkLogger, LoggerModule } from 'nestjs-pino';
import type { z } from 'zod';
import { CallerModule } from './caller.module.js';
import { clientAddressHeader, readClientAddress } from './client-address.js';
import { Clock, SystemClock } from './clock.js';
import { baseConfig, CONFIG, ConfigurationError, loadConfig } from './config.js';
import { Drain } from './drain.js';
import { ErrorTranslator, WireErrorFilter } from './error-filter.js';
import { MalformedUrlError } from './errors.js';
import { HealthController, HealthRegistry } from './health.js';
import { registerBodyParsers } from './body-parsers.js';
import { Logger } from './logger.js';
import { loggerOptions } from './logger-options.js';
import { measureHttp, MetricsController, serveMetrics } from './metrics.js';
import { awaitPrerequisite } from './prerequisite.js';
import { parseRequestTarget } from './request-target.js';
import { validationPipe } from './validation.js';
import { toWireError } from './wire-errors.js';

type BaseConfig = z.infer<typeof baseConfig>;

/** Characters of a path's parameter, decoded. Requests with a longer one are refused with 400. */
export const longestPathParameter = 500;

export interface ServiceOptions<Schema extends z.ZodObject> {
  /** Name in logs, metrics and errors. */
  name: string;
  /** Extends `baseConfig`. The service does not boot when a value is missing or wrong. */
  configSchema: Schema;
  module: (config: z.infer<Schema>) => DynamicModule | Type;
  /**
   * What must be there before the service is created, such as its migrations. Until then the replica is alive and not ready.
   * @returns what is missing; undefined when nothing is
   */
  prerequisite?: (config: z.infer<Schema>) => Promise<string | undefined>;
  /** Runs after the application was created and before it listens: microservice strategies, Fastify plugins. */
  configure?: (app: NestFastifyApplication, config: z.infer<Schema>) => Promise<void> | void;
  /** Keeps the bytes of bodies at `request.rawBody`, to verify signatures. */
  rawBody?: boolean;
  /** For a service with a public port: the separate port of its metrics; undefined for none. Other services serve them at `/metrics`. */
  metricsPort?: (config: z.infer<Schema>) => number | undefined;
  /** False when the service reads bodies itself (the gateway streams them). Default: true. */
  parseBodies?: boolean;
  /** Headers of error responses that Fastify sends before any hook or handler sees the request. */
  refusalHeaders?: Record<string, string>;
  /** Used instead of `process.env`, by tests. */
  environment?: NodeJS.ProcessEnv;
}

/** A target that the router cannot decode, so that it calls `frameworkErrors`. */
const malformedTarget = '/%';

/** Time limits for receiving the headers, and the whole request: a client that sends very slowly must not hold its connection. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 300_000;

/**
 * How long clients are told to keep unused connections (`Keep-Alive: timeout`), and how long they are kept. The first must be shorter than `DRAIN_MS`, so
 * that no client uses a connection again that a replica closes at the end of its stop. The second must be longer than proxies keep connections that do
 * not read the header (nginx: 60 s).
 */
const toldKeepAliveMs = 4_000;
const keptAliveMs = 72_000;

/** What every service has: configuration, clock, logger, health, metrics, caller. */
@Global()
@Module({})
class ServiceKitModule {
  static forRoot(name: string, config: BaseConfig & Record<string, unknown>, isPublic: boolean): DynamicModule {
    const signingKey = config['INTERNAL_SIGNING_KEY'];
    return {
      module: ServiceKitModule,
      imports: [
        LoggerModule.forRoot(loggerOptions(name, config.LOG_LEVEL)),
        ...(typeof signingKey === 'string' ? [CallerModule.forRoot({ signingKey })] : []),
      ],
      controllers: [HealthController, ...(isPublic ? [] : [MetricsController])],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useClass: SystemClock },
        HealthRegistry,
        ErrorTranslator,
        Drain,
        Logger,
      ],
      exports: [CONFIG, Clock, HealthRegistry, ErrorTranslator, Logger],
    };
  }
}

/**
 * Boots one service: reads its configuration and listens. On SIGTERM and SIGINT it stops gracefully: it reports that it is not ready and continues to
 * serve for `DRAIN_MS`, then it finishes the requests and messages under way.
 * @throws ConfigurationError when the environment is wrong
 */
export async function createService<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Promise<NestFastifyApplication> {
  const config = loadConfig(options.name, options.configSchema, options.environment) as z.infer<Schema> & BaseConfig;
  const waiting = options.prerequisite && (await awaitPrerequisite(options.name, config, () => options.prerequisite!(config)));
  const adapter = new FastifyAdapter({
    bodyLimit: 12 * 1024 * 1024, // rest-v1, trap 7: rows of at least 10 MiB
    keepAliveTimeout: toldKeepAliveMs,
    http: {
      maxHeaderSize: 64 * 1024, // a URL's filter may list a thousand ids
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeoutBuffer: keptAliveMs - toldKeepAliveMs,
    },
    requestTimeout: requestTimeoutMs,
    trustProxy: false,
    genReqId: (request: { headers: Record<string, unknown> }) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // serve a request that arrives on an open connection during the stop
    exposeHeadRoutes: false, // controllers define their HEAD routes themselves
    routerOptions: { maxParamLength: longestPathParameter },
    // Routing, rate limits and proxying all use this one interpretation of the URL.
    rewriteUrl: ({ url = '', headers }: IncomingMessage) => parseRequestTarget(url, headers.host) ?? malformedTarget,
    // Fastify rejects a malformed URL before exception filters run; answer in our own error format here.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, headers, body } = toWireError(new MalformedUrlError(), request.originalUrl, request.headers);
      void reply
        .status(status)
        .headers({ ...options.refusalHeaders, ...headers, connection: 'close' }) // the body is not read
        .header('content-type', 'application/json; charset=utf-8')
        .send(body);
    },
  });
  const root: DynamicModule = {
    module: ServiceKitModule,
    ...{ imports: [ServiceKitModule.forRoot(options.name, config, options.metricsPort !== undefined), options.module(config)] },
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, { bufferLogs: true, bodyParser: false, abortOnError: false });
  app.useLogger(app.get(FrameworkLogger));
  if (options.parseBodies ?? true) registerBodyParsers(app, options.rawBody ?? false);
  app.useGlobalFilters(new WireErrorFilter(app.get(Logger), app.get(ErrorTranslator)));
  app.useGlobalPipes(validationPipe());
  dropUnsignedClientAddress(adapter.getInstance<FastifyInstance>(), config);
  measureHttp(adapter.getInstance<FastifyInstance>(), options.name);
  app.get(Drain).closeConnectionsOnStop(adapter.getInstance<FastifyInstance>());
  const metricsPort = options.metricsPort?.(config);
  if (metricsPort !== undefined) await serveMetrics(adapter.getInstance<FastifyInstance>(), metricsPort, config.HOST);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT']);
  await options.configure?.(app, config);
  await waiting?.close();
  await app.listen({ port: config.PORT, host: config.HOST });
  return app;
}

/** Removes a client address that the gateway did not sign: a request that bypasses the gateway could contain any address. */
function dropUnsignedClientAddress(fastify: FastifyInstance, config: Record<string, unknown>): void {
  const { INTERNAL_SIGNING_KEY: key } = config;
  fastify.addHook('onRequest', ({ headers }, _reply, done) => {
    if (typeof key !== 'string' || readClientAddress(headers, key) === undefined) delete headers[clientAddressHeader];
    done();
  });
}

/** `createService` for a process of its own: when the service cannot start, it prints why and exits with status 1. */
export async function bootService<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Promise<NestFastifyApplication> {
  try {
    const app = await createService(options);
    // With NODE_COMPILE_CACHE, the next process reads what this one compiled to start, even when this one is killed.
    flushCompileCache();
    return app;
  } catch (error) {
    process.stderr.write(
      error instanceof ConfigurationError
        ? `${error.message}\n`
        : `${options.name} failed to start: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(1);
  }
}
