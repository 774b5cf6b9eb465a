import { Counter, register } from 'prom-client';
import NativeEnvironment from '../../../tools/jest/native-environment.cjs';

describe('the runtime of tests on Node', () => {
  it('runs in the context of the process, so that what Node and packages make is an instance of our globals', () => {
    // In a context of its own, a clone would be an array of the process's context.
    expect(structuredClone([])).toBeInstanceOf(Array);
  });

  it('loads packages that have an entry point for `import` alone', async () => {
    expect(await import('kubernetes-models/v1')).toHaveProperty('Pod');
  });

  it('puts back after a file what it changed', async () => {
    const { fetch } = globalThis;
    const before = Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!] as const);
    const environment = new NativeEnvironment({ projectConfig: { testEnvironmentOptions: {} } });
    globalThis.fetch = () => Promise.reject(new Error('changed'));
    process.env['TEST_OF_A_FILE'] = 'set';
    const home = process.env['HOME'];
    delete process.env['HOME'];
    new Counter({ name: 'test_of_a_file_total', help: 'none' });
    await environment.teardown();
    // What jest gave this file is gone as well.
    for (const [key, property] of before) if (!Object.hasOwn(globalThis, key)) Object.defineProperty(globalThis, key, property);
    expect(globalThis.fetch).toBe(fetch);
    expect(process.env['TEST_OF_A_FILE']).toBeUndefined();
    expect(process.env['HOME']).toBe(home);
    expect(register.getSingleMetric('test_of_a_file_total')).toBeUndefined();
  });
});
