import timers from 'node:timers';
import vm from 'node:vm';
import { Counter, register } from 'prom-client';
import BrowserEnvironment from '../../../tools/jest/browser-environment.cjs';
import NativeEnvironment from '../../../tools/jest/native-environment.cjs';

const properties = () => Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!] as const);

/** Ends an environment inside of this file's own, and gives this file back what jest gave it. */
async function end(environment: NativeEnvironment): Promise<void> {
  const before = properties();
  await environment.teardown();
  for (const [key, property] of before)
    if (typeof key === 'symbol' || /^(after|before|describe|expect|it|test|jest)/.test(key))
      Object.defineProperty(globalThis, key, property);
}

describe('the runtime of tests on Node', () => {
  it('runs in the context of the process, so that what Node and packages make is an instance of our globals', () => {
    // In a context of its own, a clone would be an array of the process's context.
    expect(structuredClone([])).toBeInstanceOf(Array);
  });

  it('loads packages that have an entry point for `import` alone', async () => {
    expect(await import('kubernetes-models/v1')).toHaveProperty('Pod');
  });

  it('compiles a source once, and evaluates it wherever it is loaded anew', async () => {
    const load = async () => {
      let loaded: object = {};
      await jest.isolateModulesAsync(async () => {
        loaded = await import('./deadlines.js');
      });
      return loaded;
    };
    const compiled = jest.spyOn(vm, 'compileFunction');
    try {
      const [one, other] = [await load(), await load()];
      expect(compiled.mock.calls.length).toBeLessThanOrEqual(1);
      expect(Object.keys(other)).toEqual(Object.keys(one));
      expect(Object.values(other)[0]).toBeInstanceOf(Function);
      expect(Object.values(other)[0]).not.toBe(Object.values(one)[0]);
    } finally {
      compiled.mockRestore();
    }
  });

  it('puts back after a file what it changed', async () => {
    const { fetch } = globalThis;
    const environment = new NativeEnvironment({ projectConfig: { testEnvironmentOptions: {} } });
    globalThis.fetch = () => Promise.reject(new Error('changed'));
    process.env['TEST_OF_A_FILE'] = 'set';
    const home = process.env['HOME'];
    delete process.env['HOME'];
    new Counter({ name: 'test_of_a_file_total', help: 'none' });
    await end(environment);
    expect(globalThis.fetch).toBe(fetch);
    expect(process.env['TEST_OF_A_FILE']).toBeUndefined();
    expect(process.env['HOME']).toBe(home);
    expect(register.getSingleMetric('test_of_a_file_total')).toBeUndefined();
  });
});

describe('the environment of tests of the web app', () => {
  const config = { projectConfig: { testEnvironmentOptions: {} } };
  const browser = globalThis as unknown as {
    document: { body: { innerHTML: string } };
    window: unknown;
    parent: unknown;
    localStorage: Record<string, string>;
    dispatchEvent: (event: unknown) => void;
    ErrorEvent: new (type: string, init: object) => unknown;
  };

  it('makes a document and its window for each file, and leaves nothing of them', async () => {
    const before = Reflect.ownKeys(globalThis);
    const { Event: eventOfNode } = globalThis;
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    for (let file = 0; file < 2; file += 1) {
      const environment = new BrowserEnvironment(config, { console });
      const here = [
        browser.document.body.innerHTML,
        browser.localStorage['left'],
        browser.window === globalThis,
        browser.parent === globalThis,
      ];
      browser.document.body.innerHTML = '<p>left</p>';
      browser.localStorage['left'] = 'behind';
      const timer = setTimeout(() => undefined, 60_000);
      await end(environment);
      expect(here).toEqual(['', undefined, true, true]);
      expect(cleared).toHaveBeenCalledWith(timer);
    }
    cleared.mockRestore();
    expect(Reflect.ownKeys(globalThis).filter((key) => !before.includes(key))).toEqual([]);
    expect(globalThis.Event).toBe(eventOfNode);
  });

  it('never fakes the timers that React remembers for the files after this one', async () => {
    const before = { ...timers, nextTick: process.nextTick };
    const environment = new BrowserEnvironment(config, { console });
    environment.fakeTimersModern.useFakeTimers({ doNotFake: ['performance'] });
    const during = { ...timers, nextTick: process.nextTick };
    await end(environment);
    expect(during.setTimeout).not.toBe(before.setTimeout);
    for (const kept of ['setImmediate', 'clearImmediate', 'nextTick'] as const) expect(during[kept]).toBe(before[kept]);
  });

  it('fails the test in which a component or a listener throws', async () => {
    const environment = new BrowserEnvironment(config, { console });
    const { emit } = process;
    const emitted = jest.spyOn(process, 'emit').mockImplementation(() => process);
    const error = new Error('thrown by a listener');
    browser.dispatchEvent(new browser.ErrorEvent('error', { error }));
    expect(emitted).toHaveBeenCalledWith('uncaughtException', error);
    emitted.mockRestore();
    await end(environment);
    expect(process.emit).toBe(emit);
  });
});
