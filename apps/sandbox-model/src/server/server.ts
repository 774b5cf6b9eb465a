import fastify from 'fastify';
import { z } from 'zod';
import { chatCompletions } from '../api/chat.js';
import { ApiRefusal, invalidRequest } from '../api/errors.js';
import { images } from '../api/images.js';
import { models } from '../api/models.js';
import { controlApi } from '../control/control.js';
import { ModelState } from '../state/model-state.js';

export interface ModelOptions {
  /** 0 takes any free port. */
  port: number;
  /** Default: 127.0.0.1. The control API has no authentication, so only this machine may reach it. */
  host?: string;
  seed?: string;
  /** Speed of writing; 0, the default, means at once. */
  tokensPerSecond?: number;
  logLevel?: string;
}

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** Starts the stand-in for a server that speaks OpenAI's API. */
export async function startModel({
  port,
  host = '127.0.0.1',
  seed = '20261121',
  tokensPerSecond = 0,
  logLevel = 'warn',
}: ModelOptions): Promise<Running> {
  const state = new ModelState(seed, tokensPerSecond);
  const app = fastify({ logger: { level: logLevel }, forceCloseConnections: true, bodyLimit: 16 * 1024 * 1024 });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(invalidRequest('We could not parse the JSON body of your request.'));
    }
  });
  app.setNotFoundHandler((request, reply) =>
    reply.status(404).send({
      error: { message: `Invalid URL (${request.method} ${request.url})`, type: 'invalid_request_error', param: null, code: null },
    }),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal) return reply.status(refusal.status).headers(refusal.headers).send({ error: refusal.body });
    request.log.error(error);
    return reply
      .status(error.statusCode ?? 500)
      .send({ error: { message: `The stand-in failed: ${error.message}`, type: 'server_error', param: null, code: null } });
  });
  controlApi(app, state);
  chatCompletions(app, state);
  images(app, state);
  models(app, state);
  const url = await app.listen({ port, host });
  return { url, stop: () => app.close() };
}

function refusalOf(error: Error): ApiRefusal | undefined {
  if (error instanceof ApiRefusal) return error;
  if (!(error instanceof z.ZodError)) return undefined;
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return invalidRequest(`Invalid value for '${path}': ${issue?.message ?? 'it is not valid'}`, path, 'invalid_value');
}
