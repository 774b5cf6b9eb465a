import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectImports } from '../../../tools/layers.mjs';
import { lintFiles } from './lint.js';

const ended = 'let bench; beforeAll(async () => { bench = await start(); }); afterAll(() => bench.stop());';

/** Code of tests, by what it does, with the rule that it breaks. */
const broken: [what: string, rule: string, code: string][] = [
  ['ends what a failed set-up has not started', 'tests/ends-what-started', ended],
  ['ends it among others', 'tests/ends-what-started', 'let bench; afterEach(async () => { await Promise.all([bench.dispose()]); });'],
  ['is random without a seed', 'tests/is-seeded', 'await wait(Math.random() * 100);'],
  ['limits a difference of clocks', 'tests/measures-no-speed', 'expect(performance.now() - began).toBeLessThan(5_000);'],
  ['limits one in seconds', 'tests/measures-no-speed', 'expect((Date.now() - began) / 1_000).toBeLessThanOrEqual(5);'],
  ['limits a variable of one', 'tests/measures-no-speed', 'const spent = Date.now() - began; expect(spent).toBeLessThan(5_000);'],
  ['limits a share of one', 'tests/measures-no-speed', 'const each = (Date.now() - began) / rows; expect(each).toBeLessThan(5);'],
  ['limits a property of an answer', 'tests/measures-no-speed', 'expect(answer.tookMs).toBeLessThan(5_000);'],
  ['has a short deadline', 'tests/waits-long-enough', 'await eventually(check, { everyMs: 20, timeoutMs: 10_000 });'],
  ['has a short limit for a test', 'tests/waits-long-enough', "it('goes on', () => check(), 60_000);"],
  [
    'has one for each of a table',
    'tests/waits-long-enough',
    "it.each(rows)('goes on after %s', async (row) => { await check(row); }, 60_000);",
  ],
  ['has one for a hook', 'tests/waits-long-enough', 'beforeAll(async () => { await start(); }, 90_000);'],
  ['has one for a file', 'tests/waits-long-enough', 'jest.setTimeout(60_000);'],
  ['counts all rows of a table', 'tests/counts-its-own', "await query('select count(*)::int as n from inbox');"],
  ['counts them in a template', 'tests/counts-its-own', 'await query(`select count(distinct id) from ${table}`);'],
  ['waits a fixed time', 'tests/waits-for-something', 'await sleep(100);'],
  ['waits a fixed time by a timer', 'tests/waits-for-something', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
  ['waits a fixed time in a page', 'tests/waits-for-something', 'await page.waitForTimeout(500);'],
];

const allowed: [what: string, code: string][] = [
  ['what always has a value', 'const kit = new Kit(); afterAll(() => kit.dispose());'],
  ['a value of the hook itself', 'afterAll(async () => { let client; client = await open(); await client.end(); });'],
  ['a promise, which would never end', 'let server; afterAll(() => new Promise((resolve) => server.close(resolve)));'],
  ['a test', "let bench; it('ends', () => bench.stop());"],
  ['a name', 'const id = randomUUID();'],
  ['a lower bound', 'expect(performance.now() - began).toBeGreaterThan(950);'],
  ['what is left of a wait', 'expect(due - Date.now()).toBeLessThan(60_000);'],
  ['a short request', 'await requester.ask(question, {}, { timeoutMs: 2_000 });'],
  ['a long deadline', 'await eventually(check, { timeoutMs: 60_000 });'],
  ['a test that takes long', "it('goes on for an hour', () => check(), 3_600_000);"],
  ['what only looks like a limit', 'setTimeout(() => check(), 1_000); afterEach(() => step(1_000));'],
  ['a count of its own rows', "await query('select count(*) from inbox where message_id = $1', [id]);"],
  ['a count that a template narrows', 'await query(`select count(*) from runs ${which}`);'],
  ['a count of each part', "await query('select automation_id, count(*) from runs group by 1');"],
  ['the pause of a loop', 'while (!isThere()) { await sleep(20); }'],
  ['a time that has a name', 'await sleep(longerThanTheLeaseMs);'],
  ['a turn of the event loop', 'await new Promise((resolve) => setTimeout(resolve, 0));'],
  ['processor time', 'expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);'],
];

const fileOf = (what: string) => `apps/billing/test/${what.replaceAll(/\W+/g, '-')}.medium.spec.ts`;
const codes = [...broken.map(([what, , code]) => [what, code] as const), ...allowed];

describe('the rules of tests', () => {
  let said: ReturnType<typeof lintFiles>;
  beforeAll(() => {
    said = lintFiles(Object.fromEntries(codes.map(([what, code]) => [fileOf(what), code])));
  });

  const rulesOf = (what: string) => said[fileOf(what)]!.rules.filter((rule) => rule.startsWith('tests/'));
  it.each(broken)('refuse what %s', (what, rule) => expect(rulesOf(what)).toEqual([rule]));
  it.each(allowed)('leave %s alone', (what) => expect(rulesOf(what)).toEqual([]));

  it('write ?. themselves', () => {
    const file = fileOf('mended');
    expect(lintFiles({ [file]: ended }, { fix: true })[file]!.code).toBe(ended.replace('bench.stop', 'bench?.stop'));
  });
});

describe('the rules of sources', () => {
  it('ask for helpers that read rows, and for a logger with sentences', () => {
    const file = 'apps/billing/src/accounts/rows.ts';
    const code =
      "import { Logger } from '@nestjs/common';\nimport pino from 'pino';\nexport const rows = db.query<Row>('select', [Logger, pino]);\n";
    expect(lintFiles({ [file]: code })[file]!.rules).toEqual([
      'eslint/no-restricted-imports',
      'eslint/no-restricted-imports',
      'source/reads-rows-by-helpers',
    ]);
  });

  it('let contracts import only what a browser may load', () => {
    const packages = ['zod', 'date-fns', '@date-fns/tz', './run.js', '../run.js', 'pg', 'node:fs', '@decola/database', 'zodiac'];
    const files = Object.fromEntries(packages.map((name, index) => [`libs/contracts/src/runs/${index}.ts`, `export * from '${name}';\n`]));
    const refused = Object.values(lintFiles(files)).map(({ rules }, index) => (rules.length > 0 ? packages[index] : null));
    expect(refused.filter((name) => name !== null)).toEqual(['pg', 'node:fs', '@decola/database', 'zodiac']);
  });
});

describe('the rules of projects', () => {
  /** An import, with the file that makes it, and whether it is refused. `our` stands for our scope, which check-dependencies looks for. */
  const imports: [file: string, code: string, isRefused: boolean][] = [
    ['apps/billing/src/a.ts', "import { table } from 'our/table-api';", false],
    ['apps/billing/src/b.ts', "import { users } from 'our/identity';", true],
    ['apps/billing/src/c.ts', "export * from '../../identity/src/users/users.js';", true],
    ['apps/billing/src/d.ts', "export { sealed } from './keys.js';", false],
    ['apps/billing/test/e.ts', "import { freePort } from '../../../scripts/lib/ports.mjs';", false],
    ['apps/billing/src/f.ts', "import { boot } from '../../../deploy/migrate-all.mjs';", true],
    ['apps/billing/src/g.ts', "const later = import('our/automations');", true],
    ['apps/web/src/h.tsx', "import { tools } from 'our/contracts';", false],
    ['apps/web/src/i.tsx', "import { rowsOf } from 'our/database';", true],
    ['apps/sandbox-stripe/src/j.ts', "import { plans } from 'our/contracts';", true],
    ['apps/e2e/src/k.ts', "import { Relay } from 'our/messaging';", true],
    ['libs/service-kit/src/l.ts', "import { rowsOf } from 'our/database';", true],
    ['libs/database/src/m.ts', "import { bootService } from 'our/service-kit';", false],
    ['libs/contracts/src/runs/n.ts', "export type { Kit } from 'our/service-kit';", true],
    ['libs/messaging/src/o.ts', "type Kit = import('our/table-api').Table;", true],
    ['apps/web/src/features/p.tsx', "import { sizeOf } from 'our/testing/sizes';", true],
    ['apps/web/src/features/q.spec.tsx', "import { casesOf } from 'our/testing/sizes';", false],
    ['apps/billing/src/r.ts', "import { testDatabase } from 'our/testing';", true],
    ['apps/billing/test/support/s.ts', "import { testBroker } from 'our/testing';", false],
    ['apps/e2e/src/t.ts', "export { testDatabase } from 'our/testing';", false],
  ];

  it('let a project import the libraries below it, by their names', () => {
    const said = lintFiles(Object.fromEntries(imports.map(([file, code]) => [file, `${code.replace("'our/", "'@decola/")}\n`])));
    const refused = imports.filter(([file]) => said[file]!.rules.includes('projects/keeps-projects'));
    expect(refused.map(([, code]) => code)).toEqual(imports.filter(([, , isRefused]) => isRefused).map(([, code]) => code));
  });

  it('know every library', () => {
    const libraries = readdirSync(path.resolve(__dirname, '../../../libs'));
    expect(Object.keys(projectImports)).toEqual(expect.arrayContaining(libraries));
  });
});
