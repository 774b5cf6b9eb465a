import { Linter } from 'eslint';
import { testRules } from '../../../tools/lint/test-rules.mjs';

/** What the rules say about a file, and the file as they would write it. */
function lint(code: string) {
  const linter = new Linter();
  const rules = Object.fromEntries(Object.keys(testRules.rules).map((name) => [`tests/${name}`, 'error']));
  const config = [{ plugins: { tests: testRules }, rules }] as const;
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

  it.each([
    ['a difference of clocks', 'expect(performance.now() - began).toBeLessThan(5_000);'],
    ['one in seconds', 'expect((Date.now() - began) / 1_000).toBeLessThanOrEqual(5);'],
    ['a variable of one', 'const spent = Date.now() - began; expect(spent).toBeLessThan(5_000);'],
    ['a property of an answer', 'expect(answer.tookMs).toBeLessThan(5_000);'],
  ])('refuse an upper bound of %s', (_what, code) => expect(lint(code).said).toEqual(['tests/measures-no-speed']));

  it('refuse a deadline that a busy machine may miss', () => {
    expect(lint('await eventually(check, { everyMs: 20, timeoutMs: 10_000 });').said).toEqual(['tests/waits-long-enough']);
  });

  it.each([
    ['a lower bound', 'expect(performance.now() - began).toBeGreaterThan(950);'],
    ['what is left of a wait', 'expect(due - Date.now()).toBeLessThan(60_000);'],
    ['a short request', 'await requester.ask(question, {}, { timeoutMs: 2_000 });'],
    ['a long deadline', 'await eventually(check, { timeoutMs: 60_000 });'],
    ['processor time', 'expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);'],
  ])('leave %s alone, too', (_what, code) => expect(lint(code).said).toEqual([]));
});
