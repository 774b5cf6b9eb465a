/** A JSON schema, as far as structured answers use it. */
export interface JsonSchema {
  type?: string | readonly string[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: JsonSchema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
  minItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Where in the answer a value stands: names of members, and indices in lists. */
export type Place = readonly (string | number)[];

/** Gives the values that the schema alone does not decide. Undefined means: any value that fits. */
export interface Author {
  /** Number of items of a list. */
  length(place: Place): number | undefined;
  text(place: Place): string;
  number(place: Place, schema: JsonSchema): number;
  choice(place: Place, options: readonly unknown[]): unknown;
  /** Whether a value that may be null is null. */
  isNull(place: Place): boolean;
}

/** A value that has the shape of the schema. */
export function valueOf(schema: JsonSchema, author: Author, place: Place = [], root: JsonSchema = schema): unknown {
  if (place.length > 40) throw new Error('the schema has no end');
  const resolved = resolve(schema, root);
  if ('const' in resolved) return resolved.const;
  if (resolved.enum) return author.choice(place, resolved.enum);
  const options = resolved.anyOf ?? resolved.oneOf;
  if (options?.some((option) => typeIn(resolve(option, root)) === 'null') && author.isNull(place)) return null;
  if (options) return valueOf(options.find((option) => typeIn(resolve(option, root)) !== 'null') ?? options[0] ?? {}, author, place, root);
  switch (typeIn(resolved)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(resolved.properties ?? {}).map(([name, member]) => [name, valueOf(member, author, [...place, name], root)]),
      );
    case 'array': {
      const length = Math.max(author.length(place) ?? 2, resolved.minItems ?? 0);
      return Array.from({ length }, (_, index) => valueOf(resolved.items ?? {}, author, [...place, index], root));
    }
    case 'number':
      return author.number(place, resolved);
    case 'integer':
      return Math.round(author.number(place, resolved));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return author.text(place);
  }
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => resolve(part, root))) as JsonSchema;
  if (!schema.$ref) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  if (schema.$ref === '#') return root;
  const found = root.$defs?.[name] ?? root.definitions?.[name];
  if (!found) throw new Error(`the schema refers to ${schema.$ref}, which it does not have`);
  return resolve(found, root);
}

function typeIn({ type, properties, items }: JsonSchema): string {
  const first = typeof type === 'string' ? type : type?.find((each) => each !== 'null');
  return first ?? (properties ? 'object' : items ? 'array' : 'string');
}

/** What OpenAI objects to in a strict schema; undefined when it takes it. */
export function strictProblem(schema: JsonSchema, context: readonly string[] = []): string | undefined {
  const where = `In context=(${context.map((each) => `'${each}'`).join(', ')})`;
  if (typeIn(schema) === 'object' && !schema.$ref && !schema.anyOf) {
    const names = Object.keys(schema.properties ?? {});
    if (schema.additionalProperties !== false) return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    const missing = names.find((name) => !schema.required?.includes(name));
    if (missing !== undefined)
      return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  if (schema.oneOf) return `${where}, 'oneOf' is not permitted.`;
  const inner: [string[], JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, member]): [string[], JsonSchema] => [['properties', name], member]),
    ...Object.entries(schema.$defs ?? {}).map(([name, member]): [string[], JsonSchema] => [['$defs', name], member]),
    ...(schema.anyOf ?? []).map((member, index): [string[], JsonSchema] => [['anyOf', String(index)], member]),
    ...(schema.items ? [[['items'], schema.items] as [string[], JsonSchema]] : []),
  ];
  for (const [path, member] of inner) {
    const problem = strictProblem(member, [...context, ...path]);
    if (problem) return problem;
  }
  return undefined;
}
