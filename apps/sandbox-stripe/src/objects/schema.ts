import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import document from './stripe-openapi-subset.json' with { type: 'json' };

interface Schema {
  [key: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
}

interface Operation {
  'x-query-schema'?: Schema;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface ApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const shipped = document as unknown as ApiDocument;

/** The only API version that the stand-in speaks. */
export const apiVersion = shipped.info.version;

/** Path templates of the API subset, with placeholders such as `{id}`. */
export const knownPaths = Object.keys(shipped.paths);

/** The schema in strict form: no additional properties, and every key that Stripe always sends is required. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = strict(value);
  if (typeof copy['properties'] === 'object' && !('x-trimmed' in copy) && !('enum' in copy)) {
    copy['additionalProperties'] ??= false;
    const present = copy['x-also-present'];
    if (Array.isArray(present))
      copy['required'] = [...new Set([...((copy['required'] as string[] | undefined) ?? []), ...(present as string[])])];
  }
  return copy;
}

/** Optimizing the validators takes longer than all that they validate while a stand-in runs. */
const code = { optimize: false };
const answers = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, code });
answers.addSchema({ ...(strict({ components: shipped.components }) as object), $id: 'stripe' });
const requests = new Ajv2020({ strict: false, coerceTypes: true, allErrors: true, validateFormats: false, code });
requests.addSchema({ components: shipped.components, $id: 'stripe' });

const answerValidators = new Map<string, ValidateFunction>();
const requestValidators = new Map<string, ValidateFunction | undefined>();

function validatorOf(name: string): ValidateFunction {
  let validate = answerValidators.get(name);
  if (!validate) {
    validate = answers.compile({ $ref: `stripe#/components/schemas/${name}` });
    answerValidators.set(name, validate);
  }
  return validate;
}

/** @returns how an answer breaks Stripe's schema in strict form; undefined when it does not. */
export function answerProblem(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'not an object';
  const { object, deleted, data, error } = body as { object?: string; deleted?: boolean; data?: unknown[]; error?: unknown };
  if (error !== undefined) return problemWith('error', body);
  if (object === 'list' || object === 'search_result') {
    for (const item of data ?? []) {
      const problem = answerProblem(item);
      if (problem) return problem;
    }
    return undefined;
  }
  if (!object) return 'no object member';
  return problemWith(deleted === true ? `deleted_${object}` : object, body);
}

function problemWith(name: string, body: unknown): string | undefined {
  if (!shipped.components.schemas[name]) return `no schema for ${name}`;
  const validate = validatorOf(name);
  if (validate(body)) return undefined;
  return `${name}: ${answers.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.[0]?.params)}`;
}

/** Coerces decoded parameters to their types, in place. @returns the problems; none for calls without a schema. */
export function requestProblems(method: string, path: string, parameters: Record<string, unknown>): ErrorObject[] {
  const key = `${method} ${path}`;
  if (!requestValidators.has(key)) {
    const operation = shipped.paths[path]?.[method.toLowerCase()];
    const schema = operation?.['x-query-schema'] ?? operation?.requestBody?.content['application/x-www-form-urlencoded']?.schema;
    requestValidators.set(key, schema ? requests.compile(withReferences(schema)) : undefined);
  }
  const validate = requestValidators.get(key);
  if (!validate || validate(parameters)) return [];
  return validate.errors ?? [];
}

function withReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"stripe#/components')) as Schema;
}

/** An object with every key that Stripe always sends and empty values: null, `[]`, the first value of an enum. */
export function blank(name: string): Record<string, unknown> {
  const schema = shipped.components.schemas[name];
  if (!schema) throw new Error(`no schema for ${name}`);
  return emptyValue(schema) as Record<string, unknown>;
}

function emptyValue(schema: Schema): unknown {
  if (schema.$ref) return emptyValue(shipped.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.anyOf) return schema.anyOf.some(({ type }) => type === 'null') ? null : emptyValue(schema.anyOf[0] ?? {});
  if ('const' in schema) return schema.const;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes('null') || schema.enum?.includes(null)) return null;
  if (schema.enum) return schema.enum[0];
  switch (types[0]) {
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'object': {
      const keys = [...(schema.required ?? []), ...((schema['x-also-present'] as string[] | undefined) ?? [])];
      return Object.fromEntries(keys.map((key) => [key, emptyValue(schema.properties?.[key] ?? {})]));
    }
    default:
      return '';
  }
}
