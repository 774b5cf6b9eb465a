import type { ServiceName } from './routing.js';

/** What the gateway answers by itself, before or instead of a service. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
}

type Api = 'auth' | 'rest' | 'functions' | 'storage';

export const noKey: Refusal = {
  status: 401,
  body: { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' },
};
export const unknownKey: Refusal = { status: 401, body: { message: 'Invalid API key', hint: 'Double check the API key of this project.' } };
export const missingAuthorization: Refusal = { status: 401, body: { code: 401, message: 'Missing authorization header' } };
export const unknownServerFunction: Refusal = { status: 404, body: { code: 'NOT_FOUND', message: 'Requested function was not found' } };
export const unknownPath: Refusal = { status: 404, body: { code: 'not_found', message: 'Not found' } };

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

/** An invalid token is never taken for an anonymous caller. */
export function badToken(api: Api, reason: 'expired' | 'invalid' | 'ended'): Refusal {
  if (api === 'functions') return { status: 401, body: { code: 401, message: 'Invalid JWT' } };
  if (api === 'storage')
    return { status: 400, body: { statusCode: '401', error: 'Unauthorized', code: 'InvalidJWT', message: 'Invalid JWT' } };
  const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (reason === 'expired') return rest(401, 'PGRST303', 'JWT expired', challenge);
  if (reason === 'ended') return rest(401, 'PGRST303', 'JWT session has ended', challenge);
  return rest(401, 'PGRST301', 'JWT could not be verified', challenge);
}

export function tooMany(api: Api, seconds: number): Refusal {
  const headers = { 'retry-after': String(Math.max(1, seconds)) };
  const text = 'Request rate limit reached';
  if (api === 'auth') return { status: 429, headers, body: { code: 'over_request_rate_limit', message: text } };
  if (api === 'rest') return { ...rest(429, 'too_many_requests', text), headers };
  if (api === 'functions')
    return {
      status: 429,
      headers,
      body: { error: 'Muitas tentativas. Aguarde um instante e tente novamente.', code: 'too_many_requests' },
    };
  return { status: 429, headers, body: { statusCode: '429', error: 'too_many_requests', code: 'TooManyRequests', message: text } };
}

/** A service that does not answer. Reads are tried again by the client. */
export function unavailable(api: Api | 'webhook', service: ServiceName | 'identity'): Refusal {
  if (api === 'rest') return rest(503, 'PGRST002', `${service} is not available`, { 'retry-after': '1' });
  if (api === 'auth') return { status: 503, body: { code: 'unexpected_failure', message: 'Service temporarily unavailable' } };
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
