import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { MalformedBodyError } from './errors.js';

/**
 * JSON bodies. The published client sends a JSON content type without a body (log-out, deletes): that is no body, not an
 * error (auth-v1, trap 1).
 */
export function takeBodies(app: NestFastifyApplication, rawBody: boolean): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (rawBody) (request as FastifyRequest & { rawBody?: Buffer }).rawBody = body;
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString('utf8')));
    } catch {
      done(new MalformedBodyError());
    }
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (rawBody) (request as FastifyRequest & { rawBody?: Buffer }).rawBody = body;
    done(null, body.length === 0 ? undefined : body);
  });
}
