/** A refusal in OpenAI's form. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: { message: string; type: string; param: string | null; code: string | null },
    readonly headers: Record<string, string> = {},
  ) {
    super(body.message);
  }
}

export const invalidRequest = (message: string, param: string | null = null, code: string | null = null): ApiRefusal =>
  new ApiRefusal(400, { message, type: 'invalid_request_error', param, code });

export const unsupportedParameter = (name: string): ApiRefusal =>
  invalidRequest(
    `Unsupported parameter: '${name}' is not supported with this model.${name === 'max_tokens' ? " Use 'max_completion_tokens' instead." : ''}`,
    name,
    'unsupported_parameter',
  );

export const unknownModel = (model: string): ApiRefusal =>
  new ApiRefusal(404, {
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    type: 'invalid_request_error',
    param: null,
    code: 'model_not_found',
  });

export const wrongKey = (key: string): ApiRefusal =>
  new ApiRefusal(401, {
    message: `Incorrect API key provided: ${key.slice(0, 3)}****. This stand-in takes keys that begin with sandbox- only.`,
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_api_key',
  });
