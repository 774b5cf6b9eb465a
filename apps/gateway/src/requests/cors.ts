import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const exposedHeaders = [
  'Content-Range',
  'Content-Location',
  'Content-Profile',
  'Location',
  'Preference-Applied',
  'Range-Unit',
  'Content-Encoding',
  'X-Supabase-Api-Version',
  'x-relay-error',
  'x-sb-error-code',
  'Retry-After',
];

/** Any site may call the APIs: access depends on the bearer token, never on cookies, so credentials are never allowed. */
const options: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'authorization',
    'apikey',
    'content-type',
    'accept',
    'prefer',
    'range',
    'x-client-info',
    'accept-profile',
    'content-profile',
    'x-retry-count',
    'x-supabase-api-version',
    'x-region',
    'x-upsert',
    'traceparent',
    'tracestate',
    'baggage',
  ],
  exposedHeaders,
  maxAge: 7_200,
  strictPreflight: false, // `OPTIONS` on every path is answered with 2xx (auth-v1, 1.6)
};

/** Rows and tokens of people must not be stored by browsers or proxies. Answers that set `Cache-Control` themselves keep it. */
const cacheControl = 'no-store';

/** Sets the headers of an API on every answer of this context, and answers its preflights. */
export async function registerApiHeaders(api: FastifyInstance): Promise<void> {
  await api.register(cors, options);
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', cacheControl);
    if (reply.statusCode === 204) void reply.removeHeader('content-length'); // the plugin sets this header, which RFC 9110, 8.6 forbids here
    done(null, payload);
  });
}

/** The same headers for a malformed request target: Fastify answers it before any hook runs, so the plugins cannot set them. */
export const headersOfMalformedTargets: Record<string, string> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  'cache-control': cacheControl,
  'x-content-type-options': 'nosniff',
};
