import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { MalformedBodyError, ValidationFailedError } from './errors.js';

/** Maximum nesting of a JSON body: more than any client needs. Recursive code, PostgreSQL's parser included, overflows its stack at some thousands. */
const maxDepth = 100;

const [quote, backslash] = [0x22, 0x5c];
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/** Counts brackets outside of strings. It may look at single bytes: no byte of a multi-byte UTF-8 character equals a bracket or a quote. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (isOpening(byte)) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (isClosing(byte)) depth -= 1;
  }
  return false;
}

/** Parses a JSON body. @throws MalformedBodyError, or ValidationFailedError when it is nested too deeply */
export function parseJson(body: Buffer): unknown {
  if (isTooDeep(body)) throw new ValidationFailedError('The body is nested too deeply');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new MalformedBodyError();
  }
}

/**
 * Replaces Fastify's body parsers. An empty body with a JSON content type counts as no body: the published client sends such requests (log-out, deletes;
 * auth-v1, trap 1). Other content types become buffers.
 */
export function registerBodyParsers(app: NestFastifyApplication, rawBody: boolean): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser(['application/json', 'text/plain']);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (rawBody) (request as FastifyRequest & { rawBody?: Buffer }).rawBody = body;
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (rawBody) (request as FastifyRequest & { rawBody?: Buffer }).rawBody = body;
    done(null, body.length === 0 ? undefined : body);
  });
}
