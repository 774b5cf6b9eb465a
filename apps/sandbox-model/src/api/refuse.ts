import { ApiRefusal, unknownModel, unsupportedParameter } from './errors.js';
import type { CallKind } from '../state/fault-kinds.js';
import type { Fault } from '../state/faults.js';

const usualParameters = ['response_format', 'max_completion_tokens', 'stream_options'];

const wait = ({ retryAfterSeconds }: Fault): Record<string, string> =>
  retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };

/** The error with which a fault answers a request; undefined when the fault does something else. */
export function refusalBy(fault: Fault, call: CallKind, body: Record<string, unknown>): ApiRefusal | undefined {
  const refusal = (status: number, type: string, code: string | null, message: string) =>
    new ApiRefusal(status, { message, type, param: null, code }, wait(fault));
  switch (fault.kind) {
    case 'rate-limit':
      return refusal(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests. Please try again later.');
    case 'quota':
      return refusal(
        429,
        'insufficient_quota',
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      );
    case 'unauthorized':
      return refusal(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.');
    case 'forbidden':
      return refusal(403, 'invalid_request_error', 'unsupported_country_region_territory', 'Country, region, or territory not supported');
    case 'no-model':
      return unknownModel(typeof body['model'] === 'string' ? body['model'] : '');
    case 'server-error':
      return refusal(500, 'server_error', null, 'The server had an error while processing your request. Sorry about that!');
    case 'content-filter-400':
      return call === 'image'
        ? refusal(400, 'image_generation_user_error', 'moderation_blocked', 'Your request was rejected by the safety system.')
        : refusal(
            400,
            'invalid_request_error',
            'content_filter',
            'The response was filtered due to the prompt triggering a content management policy.',
          );
    case 'refused-parameter': {
      const names = fault.parameter === null ? usualParameters : [fault.parameter];
      const given = names.find((name) => name in body);
      return given === undefined ? undefined : unsupportedParameter(given);
    }
    default:
      return undefined;
  }
}

/** A page that a proxy before the model sends instead of an answer. */
export function pageBy(fault: Fault): { status: number; html: string } | undefined {
  const page = (status: number, title: string) => ({
    status,
    html: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  });
  if (fault.kind === 'html-200') return page(200, 'Just a moment...');
  return fault.kind === 'html-502' ? page(502, '502 Bad Gateway') : undefined;
}
