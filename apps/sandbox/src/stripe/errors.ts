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
    /** A request that its parameters disqualify is not remembered for its idempotency key. */
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

/** @param param the parameter that named the object; without it the path did. */
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

/** The first problem of the parameters, as Stripe would word it. */
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
