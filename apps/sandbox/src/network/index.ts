import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { z } from 'zod';
import type { BuildName } from './build/build.js';
import { CallGuard } from './calls/guard.js';
import { graphqlCalls } from './calls/graphql.js';
import { restCalls } from './calls/rest.js';
import { controlApi } from './control/control.js';
import { sitePages } from './site/shell.js';
import { StateKeeper } from './state/keeper.js';
import { World } from './state/world.js';

export interface NetworkConfig {
  /** 0 takes any free port. */
  port: number;
  /** Default: 127.0.0.1. The control API has no lock, so only this machine may reach it. */
  host?: string;
  seed?: string;
  build?: BuildName;
  /** People computed from the seed; a multiple of 1,000. Default: 100,000. */
  population?: number;
  /** Where the state is kept over a restart; undefined keeps it in memory only. */
  dataDirectory?: string;
  logLevel?: string;
}

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** Starts the stand-in for Instagram's web site. */
export async function startNetwork({
  port,
  host = '127.0.0.1',
  seed = '20261121',
  build = 'main',
  population = 100_000,
  dataDirectory,
  logLevel = 'warn',
}: NetworkConfig): Promise<Running> {
  const world = new World(seed, population, build);
  const keeper = new StateKeeper(world, dataDirectory);
  const guard = new CallGuard(world);
  const app = fastify({ logger: { level: logLevel }, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: false } });
  await app.register(cookie);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: z.prettifyError(error) });
    if (error.statusCode && error.statusCode < 500) return reply.code(error.statusCode).send({ error: error.message });
    request.log.error(error);
    return reply.code(500).send({ error: 'the sandbox failed' });
  });
  controlApi(app, world, guard);
  graphqlCalls(app, world, guard);
  restCalls(app, world, guard);
  sitePages(app, world, guard);
  const url = await app.listen({ port, host });
  return {
    url,
    stop: async () => {
      await app.close();
      keeper.flush();
    },
  };
}
