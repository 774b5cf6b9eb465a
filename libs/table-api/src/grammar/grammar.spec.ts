import fc from 'fast-check';
import { RestError } from '../errors/errors.js';
import type { Field } from './field.js';
import {
  comparisonOperators,
  type Condition,
  containmentOperators,
  isValues,
  type Operation,
  parseFilter,
  parseGroup,
  searchOperators,
} from './filters.js';
import { parseOrder } from './order.js';
import { parsePreferences } from './preferences.js';
import { pairsOf, parseRequest } from './request.js';
import { parseSelect, type SelectItem } from './select.js';
import { formatCondition, formatOperation, formatSelect } from '../../test/format.js';

const plainName = fc.stringMatching(/^[a-z_][a-z0-9_]{0,12}$/);
/** Names with every character that has a meaning in the grammar. */
const weirdName = fc.string({
  unit: fc.constantFrom('a', 'Z', 'é', '.', ',', '(', ')', '"', '\\', ':', '-', '>', '!', ' '),
  minLength: 1,
  maxLength: 8,
});
const anyName = fc.oneof(plainName, weirdName);
const field: fc.Arbitrary<Field> = fc.record({
  column: anyName,
  path: fc.array(fc.record({ arrow: fc.constantFrom('->', '->>'), key: fc.oneof(fc.nat(99), anyName) }), { maxLength: 3 }),
});
const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', ',', '(', ')', '{', '}', '"', '\\', '.', '*', '%', ' ', '+') }));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ operator: fc.constantFrom(...comparisonOperators), value }),
  fc.record({
    operator: fc.constantFrom('eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'),
    quantifier: fc.constantFrom('any', 'all'),
    values: fc.array(value, { maxLength: 4 }),
  }),
  fc.record({ operator: fc.constantFrom(...containmentOperators), value }),
  fc.record({ operator: fc.constantFrom(...searchOperators), value, language: fc.stringMatching(/^[a-z]{1,10}$/) }),
  fc.record({ operator: fc.constantFrom(...searchOperators), value }),
  fc.record({ operator: fc.constant('is' as const), value: fc.constantFrom(...isValues) }),
  fc.record({ operator: fc.constant('in' as const), values: fc.array(value, { maxLength: 4 }) }),
);
const { condition } = fc.letrec<{ condition: Condition; group: Condition; filter: Condition }>((tie) => ({
  filter: fc.record({ kind: fc.constant('filter' as const), field, negated: fc.boolean(), operation }),
  group: fc.record({
    kind: fc.constant('group' as const),
    logic: fc.constantFrom('and', 'or'),
    negated: fc.boolean(),
    conditions: fc.array(tie('condition'), { minLength: 1, maxLength: 4 }),
  }),
  condition: fc.oneof({ maxDepth: 4, depthSize: 'small' }, tie('filter'), tie('group')),
}));
const { items } = fc.letrec<{ items: SelectItem[]; item: SelectItem }>((tie) => ({
  items: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
  item: fc.oneof(
    { maxDepth: 3 },
    fc.constant<SelectItem>({ kind: 'all' }),
    fc.record(
      { kind: fc.constant('field' as const), field, alias: anyName, cast: fc.constantFrom('text', 'int', 'timestamptz') },
      { requiredKeys: ['kind', 'field'] },
    ),
    fc.record({
      kind: fc.constant('embed' as const),
      table: anyName,
      hint: plainName.filter((name) => name !== 'inner' && name !== 'left'),
      inner: fc.boolean(),
      spread: fc.constant(false),
      items: tie('items'),
    }),
    fc.record({ kind: fc.constant('embed' as const), table: anyName, inner: fc.boolean(), spread: fc.constant(true), items: tie('items') }),
  ),
}));

/** Spaces around a plain name are dropped; quoted names keep them. */
const same = <Value>(written: Value, read: Value) => expect(read).toEqual(written);

describe('formatting and parsing again returns the same', () => {
  it('filters', () => {
    fc.assert(
      fc.property(plainName, fc.boolean(), operation, (column, negated, op) =>
        same<Condition>(
          { kind: 'filter', field: { column, path: [] }, negated, operation: op },
          parseFilter(column, formatOperation(negated, op, false)),
        ),
      ),
      { numRuns: 500 },
    );
  });

  it('trees of conditions', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('and', 'or', 'not.and', 'not.or'),
        fc.array(condition, { minLength: 1, maxLength: 4 }),
        (key, conditions) =>
          same<Condition>(
            { kind: 'group', logic: key.endsWith('or') ? 'or' : 'and', negated: key.startsWith('not.'), conditions },
            parseGroup(key, `(${conditions.map(formatCondition).join(',')})`),
          ),
      ),
      { numRuns: 500 },
    );
  });

  it('selections', () => {
    fc.assert(
      fc.property(items, (list) => same(list, parseSelect(formatSelect(list)))),
      { numRuns: 500 },
    );
  });

  it('query parameters, in their order, with repeated names, and + for a space', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())), (pairs) =>
        same(
          pairs.map(([key, text]): [string, string] => [key.toWellFormed(), text.toWellFormed()]),
          pairsOf(new URLSearchParams(pairs).toString()),
        ),
      ),
    );
    expect(pairsOf('author=eq.SEO+Specialist&a=eq.1%2B1&a=eq.2')).toEqual([
      ['author', 'eq.SEO Specialist'],
      ['a', 'eq.1+1'],
      ['a', 'eq.2'],
    ]);
  });

  it('or throws a RestError, for any text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('select', 'order', 'or', 'columns', 'limit', 'on_conflict', ''),
        (key, text, reserved) => {
          try {
            parseRequest(new URLSearchParams([[reserved === '' ? key : reserved, text]]).toString());
          } catch (error) {
            expect(error).toBeInstanceOf(RestError);
            expect([400, 416]).toContain((error as RestError).status);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('parseRequest', () => {
  it('collects plain top-level eq filters as equality filters, and no others', () => {
    const equalityFilters = (query: string) => Object.fromEntries(parseRequest(query).equalityFilters);
    expect(equalityFilters('id=eq.1&type=eq.prize-extractor')).toEqual({ id: ['1'], type: ['prize-extractor'] });
    for (const query of [
      'id=neq.1',
      'id=in.(1)',
      'or=(id.eq.1,id.eq.2)',
      'and=(id.eq.1)',
      'id=not.eq.1',
      'id->>a=eq.1',
      'id=eq(any).{1}',
      'plans.id=eq.1',
    ])
      expect([query, equalityFilters(query)]).toEqual([query, {}]);
    expect(equalityFilters('id=eq.1&id=eq.2')).toEqual({ id: ['1', '2'] });
  });

  it('collects plain top-level like and ilike filters as pattern filters, and no others', () => {
    const patternFilters = (query: string) => Object.fromEntries(parseRequest(query).patternFilters);
    expect(patternFilters('name=ilike.*ana*&word=like.a%25')).toEqual({ name: ['%ana%'], word: ['a%'] });
    expect(patternFilters('name=ilike.*a*&name=ilike.*b*')).toEqual({ name: ['%a%', '%b%'] });
    for (const query of ['name=eq.*a*', 'or=(name.ilike.*a*,id.eq.1)', 'name=not.ilike.*a*', 'name->>a=ilike.*a*', 'name=ilike(any).{a}'])
      expect([query, patternFilters(query)]).toEqual([query, {}]);
  });

  it('separates the queries of embedded tables', () => {
    const { embedded, conditions } = parseRequest(
      'select=*,a(*,b(*))&a.x=eq.1&a.order=x.desc&a.b.limit=3&a.or=(x.eq.1,y.eq.2)&a.not.and=(x.eq.1)',
    );
    expect(conditions).toEqual([]);
    expect(embedded.get('a')?.conditions.map((each) => (each.kind === 'group' ? [each.logic, each.negated] : each.field.column))).toEqual([
      'x',
      ['or', false],
      ['and', true],
    ]);
    expect(embedded.get('a')?.order).toEqual([{ field: { column: 'x', path: [] }, direction: 'desc' }]);
    expect(embedded.get('a.b')?.limit).toBe(3);
  });

  it('orders', () => {
    expect(parseOrder('a.desc.nullslast,b->>c,plans(name).asc')).toEqual([
      { field: { column: 'a', path: [] }, direction: 'desc', nulls: 'last' },
      { field: { column: 'b', path: [{ arrow: '->>', key: 'c' }] }, direction: 'asc' },
      { field: { column: 'name', path: [] }, embed: 'plans', direction: 'asc' },
    ]);
  });
});

describe('parsePreferences', () => {
  it('uses the first token of a kind, in any order, and defaults without tokens', () => {
    expect(parsePreferences('')).toEqual({ return: 'minimal', strict: false, applied: [] });
    expect(parsePreferences(undefined)).toEqual(parsePreferences(''));
    expect(parsePreferences('return=representation, resolution=merge-duplicates,return=minimal,foo=bar')).toEqual({
      return: 'representation',
      resolution: 'merge-duplicates',
      strict: false,
      applied: ['resolution=merge-duplicates', 'return=representation'],
    });
  });

  it('applies max-affected and refuses unknown tokens only with handling=strict', () => {
    expect(parsePreferences('max-affected=1').maxAffected).toBeUndefined();
    expect(parsePreferences('handling=strict,max-affected=1').maxAffected).toBe(1);
    expect(() => parsePreferences('handling=strict,foo=bar')).toThrow(expect.objectContaining({ code: 'PGRST122' }) as Error);
  });
});
