/**
 * Environment of tests that run on Node: the process's own globals instead of a context of `node:vm`, so that packages may be shared between
 * files (`native-runtime.cjs`). After each file the globals, environment variables and metrics are as before it. What packages add to the
 * global object stays, because they add it only once.
 */
require('reflect-metadata');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { register } = require('prom-client');

/** What jest adds for one file. Its handlers of events would be called for the next file too. */
const jestNames = /^(after|before)(All|Each)$|^[fx]?(describe|it)$|^x?test$|^expect$/;
const jestSymbols = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_.*|.*_RETRY|TEST_TIMEOUT_SYMBOL|\$\$jest-matchers-object)$/;
const isOfJest = (key) => (typeof key === 'string' ? jestNames.test(key) : jestSymbols.test(key.description ?? ''));

const globalProperties = () => Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]);
const isSame = (one, other) => one?.value === other?.value && one?.get === other?.get && one?.set === other?.set;

class NativeEnvironment {
  constructor({ projectConfig }) {
    this.before = {
      globals: globalProperties().filter(([key]) => !isOfJest(key)),
      variables: { ...process.env },
      exit: process.exit,
      prepareStackTrace: Error.prepareStackTrace,
    };
    this.global = globalThis;
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    const { globals, variables, exit, prepareStackTrace } = this.before;
    for (const key of Reflect.ownKeys(globalThis)) if (isOfJest(key)) Reflect.deleteProperty(globalThis, key);
    for (const [key, before] of globals)
      if (!isSame(before, Object.getOwnPropertyDescriptor(globalThis, key))) Reflect.defineProperty(globalThis, key, before);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    process.exit = exit;
    Error.prepareStackTrace = prepareStackTrace;
    // Sources declare their metrics when they are loaded, which they are for each file.
    register.clear();
  }

  exportConditions() {
    return this.conditions;
  }

  /** Only asked whether there is one: `native-runtime.cjs` compiles in the context of the process. */
  getVmContext() {
    return globalThis;
  }
}

module.exports = NativeEnvironment;
