import type { ServiceName } from './routing.js';

/** What the gateway answers by itself, before or instead of a service. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
  /** Instead of `body` for clients of auth/v1 that name no API version; they do not get the headers of the newer form. */
  legacyBody?: Record<string, unknown>;
}

type Api = 'auth' | 'rest' | 'functions' | 'storage';

export const noKey: Refusal = {
  status: 401,
  body: { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' },
};
export const unknownKey: Refusal = { status: 401, body: { message: 'Invalid API key', hint: 'Double check the API key of this project.' } };
/** Not of a function, but of the gateway: the client tells the two apart by the header (functions-v1, 1). */
export const unknownServerFunction: Refusal = {
  status: 404,
  headers: { 'x-relay-error': 'true' },
  body: { code: 'NOT_FOUND', message: 'Requested function was not found' },
};
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

/** The person protects the account with a second factor, which this session has not shown. auth/v1 stays open: there it is shown. */
export function secondFactorDue(api: Exclude<Api, 'auth'>): Refusal {
  const [code, text] = ['insufficient_aal', 'Confirme o código do seu aplicativo autenticador para continuar.'];
  if (api === 'rest') return rest(403, code, text);
  if (api === 'functions') return { status: 403, body: { error: text, code } };
  return { status: 403, body: { statusCode: '403', error: 'Forbidden', code, message: text } };
}

/** auth/v1 has two forms of errors; clients that name no API version get the older one (auth-v1, 1.4). */
function auth(status: number, code: string, message: string, headers: Record<string, string> = {}): Refusal {
  return {
    status,
    headers: { ...headers, 'x-supabase-api-version': '2024-01-01', 'x-sb-error-code': code },
    body: { code, message },
    legacyBody: { code: status, error_code: code, msg: message },
  };
}

export function tooMany(api: Api | 'webhook', seconds: number): Refusal {
  const headers = { 'retry-after': String(Math.max(1, seconds)) };
  const text = 'Request rate limit reached';
  if (api === 'auth') return auth(429, 'over_request_rate_limit', text, headers);
  if (api === 'webhook') return { status: 429, headers, body: { error: { message: text } } };
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

/** A service that took too long. */
export function timedOut(api: Api | 'webhook'): Refusal {
  const text = 'The request took too long';
  if (api === 'rest') return rest(504, 'PGRST003', text);
  if (api === 'auth') return auth(504, 'request_timeout', text);
  if (api === 'functions') return { status: 504, headers: { 'x-relay-error': 'true' }, body: { code: 'GATEWAY_TIMEOUT', message: text } };
  if (api === 'storage') return { status: 504, body: { statusCode: '504', error: 'timeout', code: 'DatabaseTimeout', message: text } };
  return { status: 503, body: { error: { message: text } } };
}

/** For the functions that the gateway answers by itself. */
export const loginNeeded: Refusal = { status: 401, body: { error: 'Login necessário', code: 'not_authenticated' } };
export const postOnly: Refusal = {
  status: 405,
  headers: { allow: 'POST, OPTIONS' },
  body: { error: 'Method not allowed', code: 'method_not_allowed' },
};
export const exportUnavailable: Refusal = {
  status: 503,
  body: { error: 'Não foi possível reunir todos os seus dados agora. Tente novamente em alguns minutos.', code: 'service_unavailable' },
};

export function tooManyExports(seconds: number): Refusal {
  return {
    status: 429,
    headers: { 'retry-after': String(Math.max(1, seconds)) },
    body: { error: 'Você já baixou seus dados várias vezes hoje. Tente novamente amanhã.', code: 'too_many_requests' },
  };
}

/** A body beyond the API's limit. */
export function tooLarge(api: Api | 'webhook'): Refusal {
  const text = 'Request body is too large';
  if (api === 'rest') return rest(413, '54000', text);
  if (api === 'auth') return auth(413, 'request_entity_too_large', text);
  if (api === 'functions') return { status: 413, body: { error: text, code: 'payload_too_large' } };
  if (api === 'storage')
    return { status: 413, body: { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge', message: text } };
  return { status: 413, body: { error: { message: text } } };
}
