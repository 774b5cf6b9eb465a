import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { z } from 'zod';
import type { BuildName } from '../build/traits.js';
import { commentCalls } from '../calls/comments.js';
import { directRestCalls } from '../calls/direct.js';
import { graphqlCalls } from '../calls/graphql-calls.js';
import { GraphqlRoots } from '../calls/graphql-roots.js';
import { CallGuard } from '../calls/guard.js';
import { otherPaths, unreadable } from '../calls/other-paths.js';
import { PeopleLists } from '../calls/people-lists.js';
import { realtime } from '../calls/realtime.js';
import { restCalls } from '../calls/rest-calls.js';
import { storyRestCalls } from '../calls/stories.js';
import { controlApi } from '../control/control.js';
import { documents } from '../site/documents.js';
import { staticFiles } from '../site/static-files.js';
import { StateFile } from '../state/state-file.js';
import { World } from '../state/world.js';

export interface NetworkConfig {
  /** 0 takes any free port. */
  port: number;
  /** Default: 127.0.0.1. The control API has no authentication, so only this machine may reach it. */
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
  const stateFile = new StateFile(world, dataDirectory);
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
    if (error.statusCode && error.statusCode < 500) return unreadable(request, reply, error.statusCode, error.message);
    request.log.error(error);
    return unreadable(request, reply, 500, 'the sandbox failed');
  });
  controlApi(app, world, guard);
  const lists = new PeopleLists(world, guard);
  const roots = new GraphqlRoots(world);
  graphqlCalls(app, world, guard, lists, roots);
  restCalls(app, world, guard, lists);
  commentCalls(app, world, guard, roots);
  storyRestCalls(app, world, guard);
  directRestCalls(app, world, guard);
  realtime(app, world, guard);
  otherPaths(app, world, guard);
  staticFiles(app, world);
  documents(app, world, guard);
  const url = await app.listen({ port, host });
  return {
    url,
    stop: async () => {
      await app.close();
      stateFile.flush();
    },
  };
}
