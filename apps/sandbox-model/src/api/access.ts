import type { FastifyRequest } from 'fastify';
import { models, type Settings } from '../state/model-state.js';
import { ApiRefusal, invalidRequest, unknownModel, unsupportedParameter, wrongKey } from './errors.js';

const keyPattern = /^sandbox-\S+$/;

/** Checks the key. A real one, sent by mistake, is refused. */
export function requireKey({ headers }: FastifyRequest): void {
  const key = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (!key)
    throw new ApiRefusal(401, {
      message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
      type: 'invalid_request_error',
      param: null,
      code: null,
    });
  if (!keyPattern.test(key)) throw wrongKey(key);
}

export function requireModel(model: string): void {
  if (!(models as readonly string[]).includes(model)) throw unknownModel(model);
}

/** Refuses parameters that OpenAI does not know, and those that this server is set to refuse. */
export function requireParameters(body: Record<string, unknown>, known: ReadonlySet<string>, { refusedParameters }: Settings): void {
  const given = Object.keys(body).filter((name) => body[name] !== null && body[name] !== undefined);
  const unknown = given.find((name) => !known.has(name));
  if (unknown !== undefined) throw invalidRequest(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  const refused = given.find((name) => refusedParameters.includes(name));
  if (refused !== undefined) throw unsupportedParameter(refused);
}
