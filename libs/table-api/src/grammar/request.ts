import { badRange, nulByte, parseError } from '../errors/errors.js';
import { type Condition, parseFilter, parseGroup, withPercent } from './filters.js';
import { requireBounded } from './limits.js';
import { type OrderTerm, parseOrder } from './order.js';
import { parseColumns, parseSelect, type SelectItem } from './select.js';

/** Filters, order and range for one table of the request, the root or an embedded one. */
export interface TableQuery {
  conditions: Condition[];
  order: OrderTerm[];
  limit?: number;
  offset: number;
}

export interface ParsedRequest extends TableQuery {
  select: SelectItem[];
  /** Whether the request has a `select` parameter. */
  hasSelect: boolean;
  columns?: string[];
  onConflict?: string[];
  /** Queries of embedded tables by their path: `plans` or `plans.prices`. */
  embedded: Map<string, TableQuery>;
  /** Values of plain top-level `column=eq.value` filters, by column. */
  equalityFilters: Map<string, string[]>;
  /** Patterns of plain top-level `like` and `ilike` filters, by column, with `%` for `*`. */
  patternFilters: Map<string, string[]>;
  /** All parameters without a meaning of their own: the arguments of a function that is called by GET. */
  rest: [string, string][];
}

/** Names and values of a query string in their order; `+` is a space. @throws RestError 22021 for a NUL character */
export function pairsOf(query: string): [string, string][] {
  const pairs = [...new URLSearchParams(query)];
  // PostgreSQL does not accept NUL in a value, and in a name it would end the statement.
  if (pairs.some((pair) => pair.some((text) => text.includes('\0')))) throw nulByte();
  return pairs;
}

function wholeNumber(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw parseError(`${name} parameter`, text, 'expecting a whole number');
  const value = Number(text);
  if (value < 0) throw badRange(`${name === 'limit' ? 'Limit' : 'Offset'} must not be negative`);
  return value;
}

/** Characters: enough for the names of a few tables, a column and a path into it. */
const maxKeyLength = 2_000;

const logicKeys = ['or', 'and', 'not.or', 'not.and'];

/** Splits `a.b.column` at the dots outside quotes. */
function splitKey(key: string): string[] {
  return key.match(/(?:"(?:\\.|[^"\\])*"|[^."])+/g) ?? [key];
}

export function parseRequest(query: string, { filters = true }: { filters?: boolean } = {}): ParsedRequest {
  const request: ParsedRequest = {
    select: [{ kind: 'all' }],
    hasSelect: false,
    conditions: [],
    order: [],
    offset: 0,
    embedded: new Map(),
    equalityFilters: new Map(),
    patternFilters: new Map(),
    rest: [],
  };
  for (const [key, value] of pairsOf(query)) {
    if (key === 'select') {
      request.select = parseSelect(value);
      request.hasSelect = true;
    } else if (key === 'columns') request.columns = parseColumns(value);
    else if (key === 'on_conflict') request.onConflict = value === '' ? [] : parseColumns(value);
    else if (filters) parsePart(request, key, value);
    else if (['order', 'limit', 'offset'].includes(key)) parsePart(request, key, value);
    else request.rest.push([key, value]);
  }
  requireBounded(request);
  return request;
}

function parsePart(request: ParsedRequest, key: string, value: string): void {
  if (logicKeys.includes(key)) return void request.conditions.push(parseGroup(key, value));
  if (key.length > maxKeyLength) throw parseError('filter', key, `expecting a key of no more than ${maxKeyLength} characters`);
  const segments = splitKey(key);
  const isNotLogic = segments.length > 2 && segments.at(-2) === 'not' && ['or', 'and'].includes(segments.at(-1) ?? '');
  const last = isNotLogic ? segments.slice(-2).join('.') : (segments.at(-1) ?? key);
  const path = segments.slice(0, isNotLogic ? -2 : -1).map((segment) => segment.replace(/^"(.*)"$/, '$1'));
  const target = path.length === 0 ? request : embeddedQuery(request, path.join('.'));
  if (last === 'order') target.order = parseOrder(value);
  else if (last === 'limit') target.limit = wholeNumber('limit', value);
  else if (last === 'offset') target.offset = wholeNumber('offset', value);
  else if (logicKeys.includes(last)) target.conditions.push(parseGroup(last, value));
  else {
    const condition = parseFilter(last, value);
    target.conditions.push(condition);
    if (target === request && condition.kind === 'filter' && !condition.negated && condition.field.path.length === 0) {
      const { operation, field } = condition;
      if (operation.operator === 'eq' && !operation.quantifier) note(request.equalityFilters, field.column, operation.value);
      if ((operation.operator === 'ilike' || operation.operator === 'like') && !operation.quantifier)
        note(request.patternFilters, field.column, withPercent(operation.value));
    }
  }
}

function note(filters: Map<string, string[]>, column: string, value: string): void {
  filters.set(column, [...(filters.get(column) ?? []), value]);
}

function embeddedQuery(request: ParsedRequest, path: string): TableQuery {
  const known = request.embedded.get(path);
  if (known) return known;
  const fresh: TableQuery = { conditions: [], order: [], offset: 0 };
  request.embedded.set(path, fresh);
  return fresh;
}
