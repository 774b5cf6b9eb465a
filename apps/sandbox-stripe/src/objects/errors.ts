import type { ErrorObject } from 'ajv/dist/2020.js';
import { parameterName } from './form.js';

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  code?: string;
  message?: string;
  param?: string;
  decline_code?: string;
  doc_url?: string;
  payment_intent?: unknown;
  setup_intent?: unknown;
}

/** A refusal in Stripe's form. */
export class StripeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    /** Whether the parameters were invalid: such a refusal is not stored for the idempotency key. */
    readonly byValidation = false,
  ) {
    super(body.message ?? body.type);
  }
}

export function invalid(message: string, param?: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}), ...(code ? { code } : {}) }, true);
}

const spoken: Record<string, string> = {
  'checkout.session': 'checkout session',
  'billing_portal.configuration': 'configuration',
  'test_helpers.test_clock': 'test clock',
  payment_method: 'PaymentMethod',
};

export function spokenName(object: string): string {
  return spoken[object] ?? object.replaceAll('_', ' ');
}

/** The refusal for an unknown id. @param param name of the parameter with the id; undefined when the id is in the path */
export function missing(object: string, id: string, param?: string): StripeRefusal {
  return new StripeRefusal(
    param ? 400 : 404,
    {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${spokenName(object)}: '${id}'`,
      param: param ?? 'id',
      doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
    },
    true,
  );
}

/** The refusal for the first invalid parameter, in Stripe's words. */
export function refusalOfParameters(problems: readonly ErrorObject[]): StripeRefusal {
  const problem =
    problems.find(({ keyword }) => keyword === 'additionalProperties') ??
    problems.find(({ keyword }) => keyword === 'required') ??
    problems.find(({ keyword }) => keyword === 'enum' || keyword === 'const') ??
    problems[0];
  if (!problem) return invalid('Invalid request');
  const path = problem.instancePath.split('/').filter(Boolean);
  if (problem.keyword === 'additionalProperties') {
    const param = parameterName([...path, String(problem.params['additionalProperty'])]);
    return invalid(`Received unknown parameter: ${param}`, param, 'parameter_unknown');
  }
  if (problem.keyword === 'required') {
    const param = parameterName([...path, String(problem.params['missingProperty'])]);
    return invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
  }
  const param = parameterName(path);
  if (problem.keyword === 'type' && problem.params['type'] === 'integer')
    return invalid(`Invalid integer: ${param}`, param, 'parameter_invalid_integer');
  if (problem.keyword === 'type' && problem.params['type'] === 'boolean') return invalid(`Invalid boolean: ${param}`, param);
  if (problem.keyword === 'enum') {
    const allowed = (problem.params['allowedValues'] as unknown[]).filter((value) => value !== '').map(String);
    return invalid(`Invalid ${param}: must be one of ${allowed.slice(0, 20).join(', ')}`, param);
  }
  return invalid(`Invalid ${param || 'request'}: ${problem.message ?? 'wrong value'}`, param || undefined);
}
