/**
 * What a migration may not do to a table that the last release uses: it runs while replicas of that release serve, on tables of any size
 * (docs/decisions/0061-expand-then-contract.md).
 */

/** What each rule means, and how the change is done instead. */
export const rules = {
  drop: 'drops a table, column or view: the last release uses it. Stop using it in one release, and drop it in the next',
  rename: 'renames: the last release knows the old name. Add the new one, fill both, and drop the old one a release later',
  rewrite:
    'changes a type, or adds a column with a value that is computed for every row: the table is rewritten under a lock. Add a nullable column, and fill it in batches',
  mandatory: 'adds a column that the last release cannot fill. Give it a default, or make it nullable and mandatory a release later',
  'set not null':
    'makes a column mandatory in one step. Release 1 fills it, and adds a check (… is not null) not valid; release 2 validates it, sets not null and drops the check',
  constraint:
    'adds a constraint that checks all rows under a lock. Add it not valid and validate it in a later migration; a unique one by an index made concurrently',
  index: 'makes an index that blocks writes. Use create index concurrently, in a migration of its own with transaction = false',
  transaction: 'makes an index concurrently within a transaction, which PostgreSQL refuses: set transaction = false',
};

const comment = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const body = /\$(\w*)\$[\s\S]*?\$\1\$/g;
const text = /'(?:[^']|'')*'/g;

/** Words without comments, texts and bodies of functions, each statement on its own. */
function wordsOf(sql) {
  return sql
    .replace(body, "''")
    .replace(text, "''")
    .replace(comment, ' ')
    .toLowerCase()
    .replaceAll('"', '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** Splits at the commas that stand outside parentheses. */
function actionsOf(list) {
  const actions = [];
  let depth = 0;
  let current = '';
  for (const character of list) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      actions.push(current.trim());
      current = '';
    } else current += character;
  }
  return [...actions, current.trim()];
}

/** Functions whose value differs from row to row: PostgreSQL computes it for each. */
const volatile = /\b(clock_timestamp|random|gen_random_uuid|uuidv\d|nextval|timeofday)\s*\(/;

function brokenByAction(action) {
  const column = /^add (?:column )?(?:if not exists )?(?!constraint\b|check\b|primary key\b|unique\b|foreign key\b|exclude\b)\w+ /.test(
    action,
  );
  if (column) {
    const broken = [];
    const hasDefault = /\bdefault\b|\bgenerated\b/.test(action);
    if (/\bnot null\b/.test(action) && !hasDefault) broken.push('mandatory');
    if (/\bgenerated always as \(/.test(action) || (/\bdefault\b/.test(action) && volatile.test(action)) || /\bserial\b/.test(action))
      broken.push('rewrite');
    if (/\b(unique|primary key)\b/.test(action)) broken.push('constraint');
    return broken;
  }
  if (/^add /.test(action)) return /\bnot valid\b|\busing index\b/.test(action) ? [] : ['constraint'];
  if (/^drop (?!constraint\b|default\b|trigger\b|expression\b)/.test(action)) return ['drop'];
  if (/^rename\b/.test(action)) return ['rename'];
  if (/^alter (?:column )?\w+ (?:set data )?type\b/.test(action)) return ['rewrite'];
  if (/^alter (?:column )?\w+ set not null\b/.test(action)) return ['set not null'];
  return [];
}

const nameOf = (qualified) => qualified.split('.').at(-1);

/**
 * @param {{ statements: string[], isInTransaction: boolean }} migration
 * @param {ReadonlySet<string>} newTables tables that the last release does not know; those that the migration creates are added
 * @returns {{ rule: keyof typeof rules, statement: string }[]}
 */
export function brokenRules({ statements, isInTransaction }, newTables = new Set()) {
  const own = newTables;
  const broken = [];
  for (const statement of statements.flatMap(wordsOf)) {
    const note = (rule) => broken.push({ rule, statement: statement.slice(0, 200) });
    const created = /^create (?:unlogged |temporary |temp )?table (?:if not exists )?([\w.]+)/.exec(statement);
    if (created) own.add(nameOf(created[1]));
    const altered = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement);
    if (altered && !own.has(nameOf(altered[1]))) for (const action of actionsOf(altered[2])) brokenByAction(action).forEach(note);
    const index = /^create (?:unique )?index (concurrently )?(?:.*? )?on (?:only )?([\w.]+)/.exec(statement);
    if (index && !own.has(nameOf(index[2]))) {
      if (!index[1]) note('index');
      else if (isInTransaction) note('transaction');
    }
    const dropped = /^drop (table|view|materialized view|schema|type|domain) (?:if exists )?([\w.]+)/.exec(statement);
    if (dropped && !own.has(nameOf(dropped[2]))) note('drop');
    if (/^alter (view|materialized view|type|sequence|schema|index) .* rename\b/.test(statement)) note('rename');
  }
  return broken;
}
