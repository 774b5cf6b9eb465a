import { APIConnectionError, APIError } from 'openai';
import type { ProviderDownCause } from './model.errors.js';

/** The answer is no answer of a model: HTML, a cut body, a stream without its end. Repeating the call may help. */
export class BrokenAnswerError extends Error {
  override readonly name = 'BrokenAnswerError';
  /** Whether the model may have written something. */
  readonly mayCost: boolean;
  constructor(message: string, { mayCost = true }: { mayCost?: boolean } = {}) {
    super(message);
    this.mayCost = mayCost;
  }
}

/** Request parameters that some servers do not know. */
export type OptionalParameter = 'response_format' | 'max_completion_tokens' | 'stream_options';

/**
 * What a failed call means. `down`: an operator has to act. `transient`: the same call may succeed later. `refused`: the provider does not write about this.
 * `unsupported`: the server does not know a parameter; the call is repeated without it. `request`: the server would refuse the same call again.
 */
export type Failure =
  | { kind: 'down'; why: ProviderDownCause }
  | {
      kind: 'transient';
      /** What the server asked for in `Retry-After`. */
      retryAfterMs: number | null;
      /** Whether the provider may charge the call although nothing usable came back. */
      mayCost: boolean;
    }
  | { kind: 'refused' }
  | { kind: 'unsupported'; parameter: OptionalParameter }
  | { kind: 'request' };

const parameters: readonly OptionalParameter[] = ['response_format', 'max_completion_tokens', 'stream_options'];

const quotaCodes: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const filterCodes: ReadonlySet<string> = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
const filterWords = /content[ _](management )?(policy|filter)|safety (system|policy)|responsible ai/i;
const modelCodes: ReadonlySet<string> = new Set(['model_not_found', 'invalid_model', 'deployment_not_found']);
/** Network errors before anything was sent. */
const unsentCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whatever is not an error of the server's API (a broken connection, a cut body, HTML where JSON was expected) is transient. */
export function failureOf(thrown: unknown, now: Date): Failure {
  const error = thrown instanceof APIError ? (thrown as ApiFailure) : undefined;
  if (!error || thrown instanceof APIConnectionError || error.status === undefined) {
    const code = error ? codesOf(error) : [];
    if (code.some((each) => filterCodes.has(each))) return { kind: 'refused' };
    if (code.some((each) => quotaCodes.has(each))) return { kind: 'down', why: 'quota' };
    const mayCost = thrown instanceof BrokenAnswerError ? thrown.mayCost : !wasUnsent(thrown);
    return { kind: 'transient', retryAfterMs: null, mayCost };
  }
  const codes = codesOf(error);
  const text = `${error.message} ${error.param ?? ''}`;
  const retryAfterMs = retryAfterOf(error.headers, now);
  if (codes.some((code) => filterCodes.has(code))) return { kind: 'refused' };
  switch (error.status) {
    case 400:
    case 422: {
      if (codes.some((code) => modelCodes.has(code))) return { kind: 'down', why: 'model' };
      const parameter =
        parameters.find((each) => text.includes(each)) ?? (/json_(schema|object)/.test(text) ? 'response_format' : undefined);
      if (parameter) return { kind: 'unsupported', parameter };
      return filterWords.test(text) ? { kind: 'refused' } : { kind: 'request' };
    }
    case 401:
    case 403:
      return filterWords.test(text) ? { kind: 'refused' } : { kind: 'down', why: 'key' };
    case 402:
      return { kind: 'down', why: 'quota' };
    case 404:
      return { kind: 'down', why: 'model' };
    case 429:
      // A server that says when to come again means its rate, not an empty account.
      if (retryAfterMs === null && codes.some((code) => quotaCodes.has(code))) return { kind: 'down', why: 'quota' };
      return { kind: 'transient', retryAfterMs, mayCost: false };
    case 408:
    case 409:
      return { kind: 'transient', retryAfterMs, mayCost: false };
    default:
      return error.status >= 500 ? { kind: 'transient', retryAfterMs, mayCost: false } : { kind: 'request' };
  }
}

/** An error of the client, as far as it is read here. */
interface ApiFailure {
  message: string;
  status: number | undefined;
  headers: Headers | undefined;
  error: { innererror?: { code?: unknown } } | undefined;
  code: unknown;
  type: unknown;
  param: string | null | undefined;
}

function codesOf({ code, type, error }: ApiFailure): string[] {
  const inner = error?.innererror?.code;
  return [code, type, inner].filter((each): each is string => typeof each === 'string').map((each) => each.toLowerCase());
}

function wasUnsent(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && unsentCodes.test(code)) return true;
  return [cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some((each) => wasUnsent(each, depth + 1));
}

/** `Retry-After` in seconds or as a date, or OpenAI's `retry-after-ms`. */
function retryAfterOf(headers: Headers | undefined, now: Date): number | null {
  const inMs = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(inMs) && inMs >= 0) return inMs;
  const text = headers?.get('retry-after');
  if (!text) return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}
