import { instantFormatOfSql } from './texts.js';

/*
 * Sentences of `texts.ts` as SQL expressions, for columns that a query computes. The sentences stay in one place; only the instants in them
 * come from the query.
 */

/** A text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** An instant as text, by the wall clock of a time zone. Both arguments are SQL expressions. */
export function instantSql(instant: string, timeZone: string): string {
  return `to_char((${instant}) at time zone ${timeZone}, '${instantFormatOfSql}')`;
}

/**
 * A sentence as an SQL expression. Null when one of the values that it contains is null.
 * @param sentence builds the sentence from its variable parts
 * @param values SQL expressions for these parts, in their order
 */
export function sentenceSql(sentence: (...parts: string[]) => string, ...values: readonly string[]): string {
  const marks = values.map((_, index) => `\u0000${index}\u0000`);
  return sentence(...marks)
    .split('\u0000')
    .map((piece, index) => (index % 2 === 0 ? literal(piece) : `(${values[Number(piece)]})`))
    .join(' || ');
}
