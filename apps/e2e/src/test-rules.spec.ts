import { Linter } from 'eslint';
import { testRules } from '../../../tools/lint/test-rules.mjs';

/** What the rules say about a file, and the file as they would write it. */
function lint(code: string) {
  const linter = new Linter();
  const config = [{ plugins: { tests: testRules }, rules: { 'tests/ends-what-started': 'error', 'tests/is-seeded': 'error' } }] as const;
  const said = linter.verify(code, [...config] as never).map(({ ruleId }) => ruleId);
  return { said, fixed: linter.verifyAndFix(code, [...config] as never).output };
}

describe('the rules of tests', () => {
  it('ask for ?. where a hook ends what a failed set-up has not started', () => {
    const code = 'let bench; beforeAll(async () => { bench = await start(); }); afterAll(() => bench.stop());';
    expect(lint(code)).toEqual({ said: ['tests/ends-what-started'], fixed: code.replace('bench.stop', 'bench?.stop') });
    expect(lint('let bench; afterEach(async () => { await Promise.all([bench.dispose()]); });').said).toEqual(['tests/ends-what-started']);
  });

  it.each([
    ['what always has a value', 'const kit = new Kit(); afterAll(() => kit.dispose());'],
    ['a value of the hook itself', 'afterAll(async () => { let client; client = await open(); await client.end(); });'],
    ['a promise, which would never end', 'let server; afterAll(() => new Promise((resolve) => server.close(resolve)));'],
    ['a test', "let bench; it('ends', () => bench.stop());"],
  ])('leave %s alone', (_what, code) => expect(lint(code).said).toEqual([]));

  it('refuse randomness without a seed', () => {
    expect(lint('await wait(Math.random() * 100);').said).toEqual(['tests/is-seeded']);
    expect(lint('const id = randomUUID();').said).toEqual([]);
  });
});
