import { BrowserStarts, startProblem } from './browser-starts.js';

describe('BrowserStarts', () => {
  const problems: (string | null)[] = [];
  let starts: BrowserStarts;
  /** Fails as often as this says. */
  let failures: number;
  const use = () => {
    starts = new BrowserStarts({
      start: () => {
        const error = failures-- > 0 ? new Error('spawn ENOENT\nlong log') : null;
        starts.note(error);
        return error ? Promise.reject(error) : Promise.resolve();
      },
      onChange: (problem) => void problems.push(problem),
      retryMs: [1],
    });
    return starts;
  };
  const changes = async (count: number) => {
    while (problems.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
    return problems;
  };
  beforeEach(() => void problems.splice(0));
  afterEach(() => starts?.stop());

  it('do not work before the first browser has started', async () => {
    failures = 0;
    use();
    expect(starts.work).toBe(false);
    await expect(starts.check()).rejects.toThrow('no browser has started yet');
    starts.begin();
    expect(await changes(1)).toEqual([null]);
    expect(starts.work).toBe(true);
    await starts.check();
  });

  it('are tried until one succeeds, and a problem is told once', async () => {
    failures = 5;
    use().begin();
    expect(await changes(2)).toEqual(['spawn ENOENT', null]);
    expect(starts.work).toBe(true);
  });

  it('that fail later are tried again too', async () => {
    failures = 0;
    use().begin();
    await changes(1);
    failures = 2;
    starts.note(new Error('crashed'));
    expect(starts.work).toBe(false);
    await expect(starts.check()).rejects.toThrow('crashed');
    expect(await changes(4)).toEqual([null, 'crashed', 'spawn ENOENT', null]);
  });

  it('name the sandbox when it is what is missing', () => {
    const advice = 'browserType.launch: Chromium sandboxing failed!\nTo avoid the sandboxing issue, do either of the following: …';
    expect(startProblem(new Error(advice))).toMatch(/^No usable sandbox: /);
    expect(startProblem(new Error('[pid=7] FATAL: No usable sandbox! Update your kernel'))).toMatch(/^No usable sandbox: /);
    expect(startProblem('lost')).toBe('lost');
  });
});
