import { parseError } from '../errors/errors.js';
import { type Field, parseField } from './field.js';
import { Scanner } from './scanner.js';

export const comparisonOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'isdistinct'] as const;
export const containmentOperators = ['cs', 'cd', 'ov'] as const;
export const searchOperators = ['fts', 'plfts', 'phfts', 'wfts'] as const;
/** Operators that accept `(any)` or `(all)` with a list. */
const quantified = new Set<string>(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']);
export const isValues = ['null', 'not_null', 'true', 'false', 'unknown'] as const;
export type IsValue = (typeof isValues)[number];

/** A pattern of `like` or `ilike` as PostgreSQL reads it. In a URL `*` stands for `%`, which would have to be encoded. */
export function withPercent(pattern: string): string {
  return pattern.replaceAll('*', '%');
}

export type Operation =
  | { operator: (typeof comparisonOperators)[number]; value: string; quantifier?: undefined }
  | { operator: (typeof comparisonOperators)[number]; values: string[]; quantifier: 'any' | 'all' }
  | { operator: (typeof containmentOperators)[number]; value: string }
  | { operator: (typeof searchOperators)[number]; language?: string; value: string }
  | { operator: 'is'; value: IsValue }
  | { operator: 'in'; values: string[] };

export type Condition =
  | { kind: 'filter'; field: Field; negated: boolean; operation: Operation }
  | { kind: 'group'; logic: 'and' | 'or'; negated: boolean; conditions: Condition[] };

const isComparison = (text: string): text is (typeof comparisonOperators)[number] =>
  (comparisonOperators as readonly string[]).includes(text);
const isContainment = (text: string): text is (typeof containmentOperators)[number] =>
  (containmentOperators as readonly string[]).includes(text);
const isSearch = (text: string): text is (typeof searchOperators)[number] => (searchOperators as readonly string[]).includes(text);

/** Parses `{a,b,"c,d"}`, PostgreSQL's notation of an array. */
export function parseBraces(text: string): string[] {
  const scanner = new Scanner(text, 'list');
  scanner.expect('{');
  const values: string[] = [];
  if (scanner.take('}')) return values;
  do values.push(scanner.peek('"') ? scanner.quoted() : (scanner.match(/[^,}]*/) ?? ''));
  while (scanner.take(','));
  scanner.expect('}');
  return values;
}

function parseList(scanner: Scanner): string[] {
  scanner.expect('(');
  if (scanner.take(')')) return [];
  const values: string[] = [];
  do values.push(scanner.peek('"') ? scanner.quoted() : (scanner.match(/[^,)]*/) ?? ''));
  while (scanner.take(','));
  scanner.expect(')');
  return values;
}

/** Parses `not.`, the operator and its value. The value of a nested filter ends at `,` or `)`; that of a top-level filter is the whole rest. */
function parseOperation(scanner: Scanner, nested: boolean): { negated: boolean; operation: Operation } {
  const negated = scanner.take('not.');
  const operator = scanner.match(/[a-z]+/) ?? '';
  const option = scanner.take('(') ? (scanner.match(/[^)]*/) ?? '') : undefined;
  if (option !== undefined) scanner.expect(')');
  if (!scanner.take('.')) throw scanner.fail('expecting operator (eq, gt, ...)');
  const rest = (): string => {
    if (!nested) return scanner.match(/[\s\S]*/) ?? '';
    if (scanner.peek('"')) return scanner.quoted();
    if (scanner.peek('{')) return scanner.match(/\{(?:[^"}]|"(?:\\.|[^"\\])*")*\}/) ?? '';
    return scanner.match(/[^,)]*/) ?? '';
  };
  if (operator === 'is' && option === undefined) {
    const value = rest().toLowerCase();
    if (!(isValues as readonly string[]).includes(value))
      throw parseError('filter', scanner.input, 'expecting null, not_null, true, false or unknown');
    return { negated, operation: { operator, value: value as IsValue } };
  }
  if (operator === 'in' && option === undefined) {
    const values = parseList(scanner);
    if (!nested && !scanner.isAtEnd) throw scanner.fail('expecting end of input');
    return { negated, operation: { operator, values } };
  }
  if (isContainment(operator) && option === undefined) return { negated, operation: { operator, value: rest() } };
  if (isSearch(operator)) return { negated, operation: { operator, ...(option === undefined ? {} : { language: option }), value: rest() } };
  if (isComparison(operator)) {
    if (option === undefined) return { negated, operation: { operator, value: rest() } };
    if ((option === 'any' || option === 'all') && quantified.has(operator))
      return { negated, operation: { operator, values: parseBraces(rest()), quantifier: option } };
  }
  throw parseError('filter', scanner.input, `unknown operator "${operator}${option === undefined ? '' : `(${option})`}"`);
}

/** Parses a top-level filter: `column=op.value`. */
export function parseFilter(key: string, value: string): Condition {
  const keys = new Scanner(key, 'filter');
  const field = parseField(keys);
  if (!keys.isAtEnd) throw keys.fail('expecting operator (eq, gt, ...)');
  return { kind: 'filter', field, ...parseOperation(new Scanner(value, 'filter'), false) };
}

/** Parses `or=(…)`, `and=(…)`, `not.or=(…)` or `not.and=(…)`. */
export function parseGroup(key: string, value: string): Condition {
  const scanner = new Scanner(value, 'logic tree');
  const group = parseMembers(scanner, key.endsWith('or') ? 'or' : 'and', key.startsWith('not.'));
  if (!scanner.isAtEnd) throw scanner.fail('expecting end of input');
  return group;
}

function parseMembers(scanner: Scanner, logic: 'and' | 'or', negated: boolean): Condition {
  scanner.expect('(');
  const conditions: Condition[] = [];
  do {
    scanner.skipBlanks();
    conditions.push(parseMember(scanner));
    scanner.skipBlanks();
  } while (scanner.take(','));
  scanner.expect(')');
  return { kind: 'group', logic, negated, conditions };
}

function parseMember(scanner: Scanner): Condition {
  const group = scanner.match(/(not\.)?(and|or)(?=\()/);
  if (group) return scanner.nested(() => parseMembers(scanner, group.endsWith('or') ? 'or' : 'and', group.startsWith('not.')));
  const field = parseField(scanner);
  scanner.expect('.');
  return { kind: 'filter', field, ...parseOperation(scanner, true) };
}
