import type { ServiceName } from '../routing/routes.js';
import { refusalTexts } from '../texts/texts.js';

/** An answer that the gateway gives itself, in the error format of the API that was called. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
  /** Replaces `body` for clients of auth/v1 that send no API version. They do not get the headers of the newer format either. */
  legacyBody?: Record<string, unknown>;
}

type Api = 'auth' | 'rest' | 'functions' | 'storage';

export const missingApiKey: Refusal = {
  status: 401,
  body: { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' },
};
export const invalidApiKey: Refusal = {
  status: 401,
  body: { message: 'Invalid API key', hint: 'Double check the API key of this project.' },
};
/** `x-relay-error` tells the client that the gateway refused, not a function (functions-v1, 1). */
export const unknownServerFunction: Refusal = {
  status: 404,
  headers: { 'x-relay-error': 'true' },
  body: { code: 'NOT_FOUND', message: 'Requested function was not found' },
};
export const notFound: Refusal = { status: 404, body: { code: 'not_found', message: 'Not found' } };

function rest(status: number, code: string, message: string, headers?: Record<string, string>): Refusal {
  return { status, ...(headers ? { headers } : {}), body: { code, message, details: null, hint: null } };
}

export function unknownRestName(refusal: 'unknown-table' | 'unknown-function' | 'invalid-path', name: string): Refusal {
  switch (refusal) {
    case 'unknown-table':
      return rest(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`);
    case 'unknown-function':
      return rest(404, 'PGRST202', `Could not find the function public.${name} in the schema cache`);
    case 'invalid-path':
      return rest(404, 'PGRST125', 'Invalid path specified in request URL');
  }
}

/** A request with an invalid token is refused; it is never handled as an anonymous one. */
export function invalidToken(api: Api, reason: 'expired' | 'invalid' | 'ended'): Refusal {
  if (api === 'functions') return { status: 401, body: { code: 401, message: 'Invalid JWT' } };
  if (api === 'storage')
    return { status: 400, body: { statusCode: '401', error: 'Unauthorized', code: 'InvalidJWT', message: 'Invalid JWT' } };
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (reason === 'expired') return rest(401, 'PGRST303', 'JWT expired', challenge);
  if (reason === 'ended') return rest(401, 'PGRST303', 'JWT session has ended', challenge);
  return rest(401, 'PGRST301', 'JWT could not be verified', challenge);
}

/** The person has a second factor that was not verified in this session. auth/v1 stays open, because the factor is verified there. */
export function secondFactorRequired(api: Exclude<Api, 'auth'>): Refusal {
  const [code, text] = ['insufficient_aal', refusalTexts.secondFactorRequired];
  if (api === 'rest') return rest(403, code, text);
  if (api === 'functions') return { status: 403, body: { error: text, code } };
  return { status: 403, body: { statusCode: '403', error: 'Forbidden', code, message: text } };
}

/** auth/v1 has two error formats; clients that send no API version get the older one (auth-v1, 1.4). */
function auth(status: number, code: string, message: string, headers: Record<string, string> = {}): Refusal {
  return {
    status,
    headers: { ...headers, 'x-supabase-api-version': '2024-01-01', 'x-sb-error-code': code },
    body: { code, message },
    legacyBody: { code: status, error_code: code, msg: message },
  };
}

export function rateLimited(api: Api | 'webhook', retryAfterSeconds: number): Refusal {
  const headers = { 'retry-after': String(Math.max(1, retryAfterSeconds)) };
  const text = 'Request rate limit reached';
  if (api === 'auth') return auth(429, 'over_request_rate_limit', text, headers);
  if (api === 'webhook') return { status: 429, headers, body: { error: { message: text } } };
  if (api === 'rest') return { ...rest(429, 'too_many_requests', text), headers };
  if (api === 'functions') return { status: 429, headers, body: { error: refusalTexts.rateLimited, code: 'too_many_requests' } };
  return { status: 429, headers, body: { statusCode: '429', error: 'too_many_requests', code: 'TooManyRequests', message: text } };
}

/** A service cannot be reached. The client retries reads by itself. */
export function serviceUnavailable(api: Api | 'webhook', service: ServiceName): Refusal {
  if (api === 'rest') return rest(503, 'PGRST002', `${service} is not available`, { 'retry-after': '1' });
  if (api === 'auth') return auth(503, 'unexpected_failure', 'Service temporarily unavailable');
  if (api === 'functions')
    return {
      status: 503,
      headers: { 'x-relay-error': 'true' },
      body: { code: 'SERVICE_UNAVAILABLE', message: 'Service is temporarily unavailable' },
    };
  if (api === 'storage')
    return {
      status: 503,
      body: { statusCode: '503', error: 'unavailable', code: 'ServiceUnavailable', message: 'Service temporarily unavailable' },
    };
  return { status: 503, body: { error: { message: 'temporarily unavailable' } } };
}

/** A service did not begin its answer in time. */
export function serviceTimedOut(api: Api | 'webhook'): Refusal {
  const text = 'The request took too long';
  if (api === 'rest') return rest(504, 'PGRST003', text);
  if (api === 'auth') return auth(504, 'request_timeout', text);
  if (api === 'functions') return { status: 504, headers: { 'x-relay-error': 'true' }, body: { code: 'GATEWAY_TIMEOUT', message: text } };
  if (api === 'storage') return { status: 504, body: { statusCode: '504', error: 'timeout', code: 'DatabaseTimeout', message: text } };
  return { status: 503, body: { error: { message: text } } };
}

/** The client sends the body below the minimum rate. */
export function bodyTooSlow(api: Api | 'webhook'): Refusal {
  const text = 'The request body came too slowly';
  const headers = { connection: 'close' };
  if (api === 'rest') return rest(408, 'request_timeout', text, headers);
  if (api === 'auth') return auth(408, 'request_timeout', text, headers);
  if (api === 'functions') return { status: 408, headers, body: { error: text, code: 'request_timeout' } };
  if (api === 'storage')
    return { status: 408, headers, body: { statusCode: '408', error: 'timeout', code: 'RequestTimeout', message: text } };
  return { status: 408, headers, body: { error: { message: text } } };
}

export function bodyTooLarge(api: Api | 'webhook'): Refusal {
  const text = 'Request body is too large';
  if (api === 'rest') return rest(413, '54000', text);
  if (api === 'auth') return auth(413, 'request_entity_too_large', text);
  if (api === 'functions') return { status: 413, body: { error: text, code: 'payload_too_large' } };
  if (api === 'storage')
    return { status: 413, body: { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge', message: text } };
  return { status: 413, body: { error: { message: text } } };
}

// Functions that the gateway answers itself:
export const loginRequired: Refusal = { status: 401, body: { error: refusalTexts.loginRequired, code: 'not_authenticated' } };
export const postRequired: Refusal = {
  status: 405,
  headers: { allow: 'POST, OPTIONS' },
  body: { error: 'Method not allowed', code: 'method_not_allowed' },
};
export const getRequired: Refusal = {
  status: 405,
  headers: { allow: 'GET, OPTIONS' },
  body: { error: 'Method not allowed', code: 'method_not_allowed' },
};
/** No stream of live changes can be opened at this replica now. The page polls meanwhile. */
export const liveUnavailable: Refusal = {
  status: 503,
  headers: { 'retry-after': '10' },
  body: { error: 'Service is temporarily unavailable', code: 'service_unavailable' },
};
export const exportUnavailable: Refusal = {
  status: 503,
  body: { error: refusalTexts.exportUnavailable, code: 'service_unavailable' },
};

export function tooManyExports(retryAfterSeconds: number): Refusal {
  return {
    status: 429,
    headers: { 'retry-after': String(Math.max(1, retryAfterSeconds)) },
    body: { error: refusalTexts.tooManyExports, code: 'too_many_requests' },
  };
}
