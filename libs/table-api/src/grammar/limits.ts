import { parseError } from '../errors/errors.js';
import { type Field, formatField } from './field.js';
import type { Condition } from './filters.js';
import type { ParsedRequest, TableQuery } from './request.js';
import type { SelectItem } from './select.js';

/** Limits of one request. Our pages stay far below; they keep a short query from costing an hour of work or gigabytes of memory. */
export const maxima = {
  /** Columns, paths and tables in `select`, including those of embedded tables. */
  terms: 60,
  /** How often one list of `select` may name the same column or path. */
  repeats: 3,
  /** Paths into the same JSON column in one list of `select`. */
  paths: 20,
  /** Columns to order by, over all tables of the request. */
  orders: 10,
  /** Comparisons, over all tables and groups of the request. A comparison with a list counts once. */
  filters: 50,
};

/** @throws RestError PGRST100 that names the part of the request that exceeds its limit */
export function requireBounded(request: ParsedRequest): void {
  requireSelect(request.select);
  const queries: TableQuery[] = [request, ...request.embedded.values()];
  const orders = queries.reduce((sum, { order }) => sum + order.length, 0);
  if (orders > maxima.orders) throw tooMuch('order', `no more than ${maxima.orders} terms`);
  const filters = queries.reduce((sum, { conditions }) => sum + comparisons(conditions), 0);
  if (filters > maxima.filters)
    throw tooMuch('filters', `no more than ${maxima.filters} of them; values of one column can be a list: in.(a,b)`);
}

const tooMuch = (part: string, expected: string) => parseError(part, '…', `expecting ${expected}`);

function requireSelect(items: readonly SelectItem[]): void {
  if (termsOf(items) > maxima.terms) throw tooMuch('select parameter', `no more than ${maxima.terms} terms`);
  requireFewRepeats(items);
}

function termsOf(items: readonly SelectItem[]): number {
  return items.reduce((sum, item) => sum + 1 + (item.kind === 'embed' ? termsOf(item.items) : 0), 0);
}

function requireFewRepeats(items: readonly SelectItem[]): void {
  const everything = items.filter(({ kind }) => kind === 'all').length;
  const [repeats, paths] = [new Map<string, number>(), new Map<string, number>()];
  const more = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const item of items) {
    if (item.kind === 'embed') requireFewRepeats(item.items);
    if (item.kind !== 'field') continue;
    more(repeats, formatField(item.field));
    if (hasPath(item.field)) more(paths, item.field.column);
  }
  const mostOften = everything + Math.max(0, ...repeats.values());
  if (mostOften > maxima.repeats) throw tooMuch('select parameter', `the same column no more than ${maxima.repeats} times`);
  if (Math.max(0, ...paths.values()) > maxima.paths)
    throw tooMuch('select parameter', `no more than ${maxima.paths} places in one column; the column itself holds all of them`);
}

const hasPath = ({ path }: Field) => path.length > 0;

function comparisons(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, condition) => sum + (condition.kind === 'group' ? comparisons(condition.conditions) : 1), 0);
}
