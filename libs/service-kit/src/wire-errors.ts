import { AppError } from './errors.js';

/** An error response: status, headers and body in the form of its API. */
export interface WireError {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export type WireForm = 'rest' | 'auth' | 'functions' | 'storage' | 'plain';

/** The API version from which auth errors carry a textual `code` (auth-v1, 1.4). */
export const authApiVersion = '2024-01-01';

/** Whether a client of auth/v1 with this version header expects textual error codes. Without a valid date it does not. */
export function readsErrorCodes(version: unknown): boolean {
  if (typeof version !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(version)) return false;
  return !Number.isNaN(Date.parse(version)) && version >= authApiVersion;
}

/** The API's form of errors, decided by the URL so that unknown routes and malformed bodies get it too. */
export function wireFormOf(url: string): WireForm {
  if (url.startsWith('/rest/v1')) return 'rest';
  if (url.startsWith('/auth/v1')) return 'auth';
  if (url.startsWith('/functions/v1')) return 'functions';
  if (url.startsWith('/storage/v1')) return 'storage';
  return 'plain';
}

interface Refusal {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

const unexpected: Record<WireForm, { code: string; message: string }> = {
  rest: { code: 'XX000', message: 'Internal error' },
  auth: { code: 'unexpected_failure', message: 'Unexpected failure, please check server logs for more information' },
  functions: { code: 'internal_error', message: '' },
  storage: { code: 'InternalError', message: 'Internal error' },
  plain: { code: 'internal_error', message: 'Internal error' },
};

/** Codes of a form for refusals that are made before a feature runs. */
const codeByForm: Partial<Record<WireForm, Record<string, string>>> = {
  rest: {
    bad_json: 'PGRST102',
    bad_request: 'PGRST100',
    validation_failed: 'PGRST102',
    not_found: 'PGRST125',
    not_authenticated: '42501',
    forbidden: '42501',
    payload_too_large: '54000',
    unavailable: 'PGRST001',
  },
  auth: {
    unavailable: 'unexpected_failure',
    bad_request: 'validation_failed',
    payload_too_large: 'request_entity_too_large',
    not_authenticated: 'no_authorization',
  },
  functions: { bad_json: 'validation_failed' },
  storage: { unavailable: 'ServiceUnavailable' },
};

/** Converts any thrown value to a refusal. Unknown errors reveal nothing. */
export function refusalOf(error: unknown, form: WireForm): Refusal {
  if (error instanceof AppError)
    return { status: error.status, code: error.code, message: error.publicMessage ?? error.message, details: error.details };
  const status = httpStatusOf(error);
  if (status === undefined || status >= 500) return { status: status === 503 ? 503 : 500, ...unexpected[form] };
  const known: Record<number, Refusal> = {
    404: { status, code: 'not_found', message: 'Not found' },
    405: { status, code: 'method_not_allowed', message: 'Method not allowed' },
    413: { status, code: 'payload_too_large', message: 'Request body is too large' },
    415: { status, code: 'unsupported_media_type', message: 'Unsupported media type' },
  };
  return known[status] ?? { status, code: 'bad_json', message: 'Empty or invalid json' };
}

/** Names of errors of storage/v1 that differ from their codes (functions-v1, 4). */
const storageErrors: Record<string, string> = { NoSuchKey: 'not_found' };

function httpStatusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const candidate = error as { getStatus?: () => unknown; statusCode?: unknown };
  const status = typeof candidate.getStatus === 'function' ? candidate.getStatus() : candidate.statusCode;
  return typeof status === 'number' ? status : undefined;
}

/** Converts any thrown value to an error response in the form of its API. */
export function toWireError(error: unknown, url: string, requestHeaders: Record<string, unknown> = {}): WireError {
  const form = wireFormOf(url);
  const refusal = refusalOf(error, form);
  const code = codeByForm[form]?.[refusal.code] ?? refusal.code;
  const headers: Record<string, string> = { ...(error instanceof AppError ? error.headers : undefined) };
  const { status, message, details } = refusal;
  switch (form) {
    case 'rest': {
      if (status === 401) headers['www-authenticate'] ??= 'Bearer';
      const text = (name: string) => (typeof details?.[name] === 'string' ? details[name] : null);
      return { status, headers, body: { code, message, details: text('details'), hint: text('hint') } };
    }
    case 'auth': {
      if (readsErrorCodes(requestHeaders['x-supabase-api-version'])) {
        headers['x-supabase-api-version'] = authApiVersion;
        headers['x-sb-error-code'] = code;
        return { status, headers, body: { code, message, ...publicDetails(details) } };
      }
      // The older form includes the request's id, to find it in the logs.
      const failed = status >= 500 ? { error_id: requestHeaders['x-request-id'] } : {};
      return { status, headers, body: { code: status, error_code: code, msg: message, ...failed, ...publicDetails(details) } };
    }
    case 'functions':
      return { status, headers, body: { error: message, code, ...publicDetails(details) } };
    case 'storage':
      return { status, headers, body: { statusCode: String(status), error: storageErrors[code] ?? code, code, message } };
    case 'plain':
      return { status, headers, body: { code, message, ...(details ? { details } : {}) } };
  }
}

/** Details without schema issues: these forms are parsed strictly by clients. */
function publicDetails(details: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!details) return {};
  const { issues: _issues, ...rest } = details;
  return rest;
}
