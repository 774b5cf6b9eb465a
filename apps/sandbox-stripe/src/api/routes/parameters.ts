import { invalid, missing } from '../../objects/errors.js';
import type { Parameters } from '../../objects/form.js';

/**
 * Handles one call.
 * @param path values of the placeholders in the path
 * @param parameters decoded and validated
 * @returns the object to answer with
 * @throws StripeRefusal
 */
export type Handler = (path: Record<string, string>, parameters: Parameters) => unknown;

export type Metadata = Record<string, string> | '';
export type TimeFilter = number | { gt?: number; gte?: number; lt?: number; lte?: number } | undefined;

export const text = (parameters: Parameters, name: string): string | undefined => parameters[name] as string | undefined;

/** An empty value unsets the field: `''` becomes null. */
export const nullable = (value: string | undefined): string | null | undefined => (value === undefined ? undefined : value || null);

export function matchesTime(value: number, filter: TimeFilter): boolean {
  if (filter === undefined) return true;
  if (typeof filter === 'number') return value === filter;
  return (
    value > (filter.gt ?? -Infinity) &&
    value >= (filter.gte ?? -Infinity) &&
    value < (filter.lt ?? Infinity) &&
    value <= (filter.lte ?? Infinity)
  );
}

/** The same object without its undefined values. */
export function given<Values extends Record<string, unknown>>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

/** One page of a list. @param items newest first */
export function page(items: readonly { id: string }[], parameters: Parameters, url: string) {
  const limit = (parameters['limit'] as number | undefined) ?? 10;
  if (limit < 1 || limit > 100) throw invalid(`This value must be between 1 and 100.`, 'limit');
  const placeOf = (name: 'starting_after' | 'ending_before') => {
    const id = text(parameters, name);
    if (id === undefined) return undefined;
    const place = items.findIndex((item) => item.id === id);
    if (place < 0) throw missing('object', id, name);
    return place;
  };
  const after = placeOf('starting_after');
  const before = placeOf('ending_before');
  if (before !== undefined) {
    const from = Math.max(before - limit, 0);
    return { object: 'list', data: items.slice(from, before), has_more: from > 0, url };
  }
  const from = after === undefined ? 0 : after + 1;
  return { object: 'list', data: items.slice(from, from + limit), has_more: items.length > from + limit, url };
}
