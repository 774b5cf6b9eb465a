const allowedHeaders = [
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
].join(', ');

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
].join(', ');

/** Any site may call the APIs: what is allowed depends on the bearer, never on cookies, so credentials are never allowed. */
export const corsHeaders: Record<string, string> = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders };

export const preflightHeaders: Record<string, string> = {
  ...corsHeaders,
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': '7200',
};
