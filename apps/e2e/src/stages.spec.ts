import { countTests, failedTests, stagesFor } from '../../../scripts/lib/stages.mjs';

describe('the stages of npm test', () => {
  it('add up the closing lines of jest and of Playwright', () => {
    const jest = 'Tests:       1 failed, 2 skipped, 30 passed, 33 total\nTime: 3 s\nTests:       5 passed, 5 total\n';
    const playwright = '\u001b[32m  34 passed\u001b[39m\u001b[2m (10.3m)\u001b[22m\n  1 failed\n  2 did not run\n';
    expect(countTests(jest)).toEqual({ passed: 35, failed: 1, skipped: 2 });
    expect(countTests(playwright)).toEqual({ passed: 34, failed: 1, skipped: 2 });
  });

  it('count a flaky test as failed', () => {
    expect(countTests('  1 flaky\n  35 passed (10.3m)\n')).toEqual({ passed: 35, failed: 1, skipped: 0 });
  });

  it('name each failed test once, with the first lines of what it said', () => {
    const jest =
      '  ● Console\n    noise\n  \u001b[1m● \u001b[22ma list › ends\n\n    expect(received)\n\n    Expected: 1\n      at x.ts:1\n\nTest Suites: 1 failed\nSummary of all failing tests\n  ● a list › ends\n\n    expect(received)\n  ● Test suite failed to run\n  ● stands alone\n';
    const playwright = `  ✘  14 tests/billing.spec.ts:70:1 › pays (19.6s)\n\n  1) tests/billing.spec.ts:70:1 › pays ──────\n\n    ${'x'.repeat(400)}\n${'    line\n'.repeat(20)}  1 failed\n`;
    expect(failedTests(jest)).toEqual([
      { name: 'a list › ends', said: ['expect(received)', 'Expected: 1', 'at x.ts:1'] },
      { name: 'Test suite failed to run', said: [] },
      { name: 'stands alone', said: [] },
    ]);
    expect(failedTests(playwright)).toEqual([
      { name: 'tests/billing.spec.ts:70:1 › pays', said: ['x'.repeat(160), ...Array<string>(11).fill('line')] },
    ]);
  });

  it('include the build when tests run the built services', () => {
    expect([...stagesFor(['journeys'])]).toEqual(['journeys', 'build']);
    expect([...stagesFor(['lint', 'unit'])]).toEqual(['lint', 'unit']);
    expect([...stagesFor([])]).toEqual([]);
  });
});
