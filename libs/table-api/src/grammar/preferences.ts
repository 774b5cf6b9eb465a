import { RestError } from '../errors/errors.js';

export interface Preferences {
  return: 'minimal' | 'headers-only' | 'representation';
  resolution?: 'merge-duplicates' | 'ignore-duplicates';
  missing?: 'default' | 'null';
  count?: 'exact' | 'planned' | 'estimated';
  strict: boolean;
  maxAffected?: number;
  /** Tokens that were applied, for the `Preference-Applied` header. */
  applied: string[];
}

/** A map instead of an object, because names come from clients: `constructor` must not be found. */
const known: ReadonlyMap<string, readonly string[]> = new Map([
  ['return', ['minimal', 'headers-only', 'representation']],
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['missing', ['default', 'null']],
  ['count', ['exact', 'planned', 'estimated']],
  ['handling', ['strict', 'lenient']],
]);

/** Parses the `Prefer` header: tokens in any order, the first of a kind wins, unknown ones are ignored unless `handling=strict`. */
export function parsePreferences(header: string | undefined): Preferences {
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const token of (header ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [key = '', value = ''] = token.split('=');
    const isKnown =
      known.get(key)?.includes(value) || (key === 'max-affected' && /^\d+$/.test(value)) || key === 'tx' || key === 'timezone';
    if (!isKnown) unknown.push(token);
    else if (!found.has(key)) found.set(key, value);
  }
  const strict = found.get('handling') === 'strict';
  if (strict && unknown.length > 0)
    throw new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', `Invalid preferences: ${unknown.join(', ')}`);
  const maxAffected = strict ? found.get('max-affected') : undefined;
  const preferences = {
    return: found.get('return') ?? 'minimal',
    ...(found.has('resolution') ? { resolution: found.get('resolution') } : {}),
    ...(found.has('missing') ? { missing: found.get('missing') } : {}),
    ...(found.has('count') ? { count: found.get('count') } : {}),
    strict,
    ...(maxAffected === undefined ? {} : { maxAffected: Number(maxAffected) }),
    applied: ['handling', 'max-affected', 'resolution', 'missing', 'return', 'count'].flatMap((key) => {
      const value = found.get(key);
      return value === undefined || (key === 'max-affected' && !strict) ? [] : [`${key}=${value}`];
    }),
  };
  return preferences as Preferences;
}
