import type { IncomingMessage } from 'node:http';
import type { Params } from 'nestjs-pino';

/** Paths in a log line's facts that may hold secrets or personal data. */
const redacted = [
  'cookies',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'sessionCookie',
  'envelope',
  'email',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** An error after pino's own serialiser. */
type SerialisedError = Record<'type' | 'message' | 'stack' | 'code', string | undefined>;

/** Structured logs: one line per request, without its query (which may hold tokens) and without headers. */
export function loggerOptions(service: string, level: string): Params {
  return {
    pinoHttp: {
      level,
      name: service,
      redact: { paths: redacted, censor: '[redacted]' },
      autoLogging: { ignore: (request: IncomingMessage) => isNoise(request.url) },
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
        // Only these fields: an error of the database also holds the statement's values and the row (addresses, password hashes, whole events).
        err: ({ type, message, stack, code }: SerialisedError) => ({ type, message, stack, ...(code === undefined ? {} : { code }) }),
      },
      customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'debug'),
    },
  };
}

function isNoise(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith('/health/') || url.startsWith('/metrics'));
}
