/** Compares the tables that the last release knows with those after the migrations of this tree: what it writes must still be taken. */

/**
 * What may differ from the last release although the comparison complains, each with the reason why the last release still works.
 * @type {{ where: RegExp, because: string }[]}
 */
export const tableExceptions = [];

/** Types that hold what another type held, and that drivers read alike. */
const holds = (last, now) => last === now || (now === 'text' && /^character varying/.test(last));

/**
 * @param {import('./hindrances.d.mts').RecordedTable[]} last tables that the last release knows
 * @param {import('./hindrances.d.mts').RecordedTable[]} now tables after the migrations of this tree
 * @returns {string[]} what the last release cannot do any more
 */
export function hindrances(last, now) {
  const keyOf = ({ service, table }) => `${service}.${table}`;
  const current = new Map(now.map((table) => [keyOf(table), table]));
  return last
    .flatMap((table) => hindrancesOf(table, current.get(keyOf(table))).map((sentence) => `${keyOf(table)}: ${sentence}`))
    .filter((sentence) => !tableExceptions.some(({ where }) => where.test(sentence)));
}

/** The words that a check lets a column hold; null for another kind of rule. */
function wordsOf(rule) {
  const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)(?: NOT VALID)?$/.exec(rule) ?? [];
  return column === undefined ? null : { column, words: list.split(', ') };
}

/** Whether a rule lets a column hold all that another rule lets it hold, and more. */
function isWider(rule, other) {
  const [wide, narrow] = [wordsOf(rule), wordsOf(other)];
  return wide !== null && wide.column === narrow?.column && narrow.words.every((word) => wide.words.includes(word));
}

function hindrancesOf(last, now) {
  if (!now) return ['the table is gone'];
  const found = [];
  for (const [name, column] of Object.entries(last.columns)) {
    const here = now.columns[name];
    if (!here) found.push(`${name} is gone`);
    else if (!holds(column.type, here.type)) found.push(`${name} was ${column.type} and is ${here.type}`);
    else if (here.mandatory && !column.mandatory) found.push(`${name} may not be null any more`);
    else if (here.mandatory && column.filled && !here.filled) found.push(`${name} has lost its default`);
  }
  for (const [name, { mandatory, filled }] of Object.entries(now.columns))
    if (!last.columns[name] && mandatory && !filled) found.push(`${name} is new and mandatory, and the last release does not fill it`);
  const isSame = (one) => (other) => one.rule === other.rule || isWider(one.rule, other.rule);
  for (const rule of now.rules)
    if (!last.rules.some(isSame(rule)) && rule.columns.some((name) => last.columns[name]))
      found.push(`${rule.name} is a new rule on what the last release writes: ${rule.rule}`);
  for (const rule of last.rules)
    if (rule.unique && !now.rules.some((other) => other.rule === rule.rule))
      found.push(`${rule.name} is gone, which the last release may name in "on conflict": ${rule.rule}`);
  return found;
}
