/**
 * Samples of a message, made from the JSON Schema of what its sender writes. Together they hold every value of every enum, every variant of every union,
 * every member that may be missing, and the limits of numbers, texts and arrays.
 */

/** Texts that fit the patterns and formats of our schemas. A schema with another pattern needs an entry here. */
const texts = [
  [({ format }) => format === 'uuid', ['7c9e6679-7425-40de-944b-e07fc1f90ae7']],
  [({ format }) => format === 'date-time', ['2026-11-23T12:00:00.000Z']],
  [({ format }) => format === 'email', ['ana@example.com']],
  [({ format }) => format === 'uri', ['https://example.com/a']],
  [({ pattern = '' }) => pattern.includes('/9j'), ['/9j/']],
  [({ pattern = '' }) => pattern === '^\\d+$', ['1', '17841400000000000']],
  [({ pattern = '' }) => pattern.startsWith('^[A-Za-z0-9._]{1,30}'), ['ana', 'a'.repeat(30)]],
  [({ pattern = '' }) => pattern.startsWith('^[a-z][a-z0-9_-]'), ['word']],
  [({ pattern = '' }) => pattern.startsWith('^[0-9a-f]{64}'), ['0'.repeat(64)]],
];

/** Longest text and array that a sample holds. */
const longestText = 400;
const longestArray = 3;

function textsOf(schema) {
  const known = texts.find(([fits]) => fits(schema));
  if (known) return known[1];
  if (schema.pattern || (schema.format && schema.format !== 'starts_with'))
    throw new Error(`tools/releases/samples.mjs has no text for ${schema.pattern ?? schema.format}`);
  const { minLength = 0, maxLength = Infinity } = schema;
  const lengths = [Math.max(minLength, Math.min(5, maxLength)), minLength, ...(maxLength <= longestText ? [maxLength] : [])];
  return [...new Set(lengths)].map((length) => 'texto'.repeat(Math.ceil(length / 5)).slice(0, length));
}

function numbersOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const step = type === 'integer' ? 1 : 0.5;
  const isLimit = (limit) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const least = isLimit(exclusiveMinimum) ? exclusiveMinimum + step : isLimit(minimum) ? minimum : 0;
  const most = isLimit(exclusiveMaximum) ? exclusiveMaximum - step : isLimit(maximum) ? maximum : least + step;
  return [...new Set([least, most])];
}

function arraysOf(schema, samples) {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const inside = samples(items);
  const length = Math.max(minItems, 1);
  if (maxItems < 1) return [[]];
  return [
    ...inside.map((value) => Array.from({ length }, () => value)),
    ...(minItems === 0 ? [[]] : []),
    ...(maxItems > length && maxItems < Infinity
      ? [Array.from({ length: Math.min(maxItems, longestArray) }, (_, index) => inside[index % inside.length])]
      : []),
  ];
}

function objectsOf({ properties = {}, required = [], additionalProperties, propertyNames }, samples) {
  const byName = Object.entries(properties).map(([name, schema]) => [name, samples(schema)]);
  if (typeof additionalProperties === 'object' && Object.keys(properties).length === 0) {
    const names = propertyNames?.enum ?? ['name'];
    return [...samples(additionalProperties).map((value) => Object.fromEntries(names.map((name) => [name, value]))), {}];
  }
  // The n-th object has the n-th sample of every member, so that there are as many objects as the member with most samples has.
  const count = Math.max(1, ...byName.map(([, values]) => values.length));
  const whole = Array.from({ length: count }, (_, index) =>
    Object.fromEntries(byName.map(([name, values]) => [name, values[index % values.length]])),
  );
  const least = Object.fromEntries(byName.filter(([name]) => required.includes(name)).map(([name, values]) => [name, values[0]]));
  return byName.length === required.length ? whole : [...whole, least];
}

/**
 * @param {object} schema JSON Schema, with everything inline
 * @param {ReadonlySet<unknown>} [without] words that no sender writes
 * @returns {unknown[]}
 */
export function samplesOf(schema, without = new Set()) {
  const samples = (each) => {
    if (each.allOf) return samples(each.allOf.reduce((merged, one) => ({ ...merged, ...one }), { ...each, allOf: undefined }));
    if (each.const !== undefined) return [each.const];
    if (each.enum) return each.enum.filter((word) => !without.has(word));
    const branches = each.anyOf ?? each.oneOf;
    if (branches) return branches.flatMap(samples);
    if (Array.isArray(each.type)) return each.type.flatMap((type) => samples({ ...each, type }));
    switch (each.type) {
      case 'string':
        return textsOf(each);
      case 'integer':
      case 'number':
        return numbersOf(each);
      case 'boolean':
        return [true, false];
      case 'null':
        return [null];
      case 'array':
        return arraysOf(each, samples);
      case 'object':
        return objectsOf(each, samples);
      default:
        return ['any', 1, { any: null }];
    }
  };
  return unique(samples(schema));
}

function unique(values) {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
