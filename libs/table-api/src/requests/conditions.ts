import { RestError } from '../errors/errors.js';
import type { ColumnType } from '../definition/definition.js';
import { type Condition, type Operation, withPercent } from '../grammar/filters.js';
import { requireComparable } from './codecs.js';
import { fieldSql, type Scope } from './fields.js';
import { join, raw, type Sql, sql } from '../sql/sql.js';

const comparison: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
};
const containment = { cs: '@>', cd: '<@', ov: '&&' } as const;
const search = { fts: 'to_tsquery', plfts: 'plainto_tsquery', phfts: 'phraseto_tsquery', wfts: 'websearch_to_tsquery' } as const;
const isPattern = (operator: string) => ['like', 'ilike', 'match', 'imatch'].includes(operator);
const wildcards = (operator: string, value: string) => (operator === 'like' || operator === 'ilike' ? withPercent(value) : value);

/**
 * SQL of a filter or a group of filters on one table.
 * @param embedExists SQL that tells whether an embedded table has rows, for `table=is.null` and `table=not.is.null`; undefined for an unknown table
 */
export function conditionSql(scope: Scope, condition: Condition, embedExists: (embed: string) => Sql | undefined): Sql {
  if (condition.kind === 'group') {
    const members = condition.conditions.map((each) => sql`(${conditionSql(scope, each, embedExists)})`);
    const joined = join(members, condition.logic === 'and' ? ' and ' : ' or ');
    return condition.negated ? sql`not (${joined})` : joined;
  }
  const { field, negated, operation } = condition;
  if (field.path.length === 0 && !scope.columns.includes(field.column)) {
    const exists = embedExists(field.column);
    if (exists) {
      if (operation.operator !== 'is' || (operation.value !== 'null' && operation.value !== 'not_null')) {
        throw new RestError(
          400,
          'PGRST120',
          `Bad operator on the '${field.column}' embedded resource`,
          'Only is null or not is null filters are allowed on embedded resources',
        );
      }
      return (operation.value === 'null') === negated ? exists : sql`not ${exists}`;
    }
  }
  const { expression, type } = fieldSql(scope, field);
  if (operation.operator !== 'is') requireComparable(scope.table, field.column);
  const positive = operationSql(expression, type, operation);
  return negated ? sql`not (${positive})` : positive;
}

function operationSql(expression: Sql, type: ColumnType, operation: Operation): Sql {
  switch (operation.operator) {
    case 'is':
      return sql`${expression} is ${raw(operation.value === 'not_null' ? 'not null' : operation.value)}`;
    case 'in':
      return sql`${expression} = any(${operation.values}::${raw(`${type}[]`)})`;
    case 'cs':
    case 'cd':
    case 'ov':
      return sql`${expression} ${raw(containment[operation.operator])} ${operation.value}::${raw(type)}`;
    case 'fts':
    case 'plfts':
    case 'phfts':
    case 'wfts': {
      const { language, value } = operation;
      const query = raw(search[operation.operator]);
      return language === undefined
        ? sql`to_tsvector(${expression}) @@ ${query}(${value}::text)`
        : sql`to_tsvector(${language}::regconfig, ${expression}) @@ ${query}(${language}::regconfig, ${value}::text)`;
    }
    default: {
      const operator = raw(comparison[operation.operator] ?? '=');
      const cast = raw(isPattern(operation.operator) ? 'text' : type);
      if (operation.quantifier) {
        const values = operation.values.map((value) => wildcards(operation.operator, value));
        return sql`${expression} ${operator} ${raw(operation.quantifier)}(${values}::${cast}[])`;
      }
      return sql`${expression} ${operator} ${wildcards(operation.operator, operation.value)}::${cast}`;
    }
  }
}
