import { formatField, formatName } from '../src/grammar/field.js';
import { type Condition, containmentOperators, type Operation, searchOperators } from '../src/grammar/filters.js';
import type { SelectItem } from '../src/grammar/select.js';

/** Writes parsed filters and selects again, as the published client would: the test of the grammar parses what it wrote. */

const isOneOf = (operators: readonly string[], operator: string) => operators.includes(operator);

const quote = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const listItem = (text: string) => (/[,()"\\{}]|^$/.test(text) ? quote(text) : text);

export function formatOperation(negated: boolean, operation: Operation, nested: boolean): string {
  const prefix = negated ? 'not.' : '';
  const plain = (value: string) => (nested && /[,()"\\{}]/.test(value) ? quote(value) : value);
  if (operation.operator === 'in') return `${prefix}in.(${operation.values.map(listItem).join(',')})`;
  if (operation.operator === 'is') return `${prefix}is.${operation.value}`;
  if ('quantifier' in operation && operation.quantifier)
    return `${prefix}${operation.operator}(${operation.quantifier}).{${operation.values.map(listItem).join(',')}}`;
  const value = (operation as { value: string }).value;
  if (isOneOf(searchOperators, operation.operator)) {
    const language = (operation as { language?: string }).language;
    return `${prefix}${operation.operator}${language === undefined ? '' : `(${language})`}.${plain(value)}`;
  }
  // A list in braces needs no quotes, also inside a group.
  return `${prefix}${operation.operator}.${isOneOf(containmentOperators, operation.operator) && /^\{(?:[^"}]|"(?:\\.|[^"\\])*")*\}$/.test(value) ? value : plain(value)}`;
}

export function formatCondition(condition: Condition): string {
  if (condition.kind === 'group')
    return `${condition.negated ? 'not.' : ''}${condition.logic}(${condition.conditions.map(formatCondition).join(',')})`;
  return `${formatField(condition.field)}.${formatOperation(condition.negated, condition.operation, true)}`;
}

export function formatSelect(items: readonly SelectItem[]): string {
  return items
    .map((item) => {
      switch (item.kind) {
        case 'all':
          return '*';
        case 'field':
          return `${item.alias === undefined ? '' : `${formatName(item.alias)}:`}${formatField(item.field)}${item.cast === undefined ? '' : `::${item.cast}`}`;
        case 'embed':
          return `${item.spread ? '...' : ''}${item.alias === undefined ? '' : `${formatName(item.alias)}:`}${formatName(item.table)}${item.hint === undefined ? '' : `!${formatName(item.hint)}`}${item.inner ? '!inner' : ''}(${formatSelect(item.items)})`;
      }
    })
    .join(',');
}
