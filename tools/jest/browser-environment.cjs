/**
 * Environment of tests of the web app: a document of its own for each file, whose window's properties are the process's globals, so that React
 * and other packages are loaded once for each process (`native-runtime.cjs`), and not for each file.
 */
const { JSDOM, VirtualConsole } = require('jsdom');
const { setImmediate: immediately } = require('node:timers/promises');
const NativeEnvironment = require('./native-environment.cjs');

/** Each property of the window, nearest first: its own, then those of what it inherits from. */
function propertiesOf(window) {
  const properties = new Map();
  for (let object = window; object !== null && object !== Object.prototype; object = Object.getPrototypeOf(object))
    for (const key of Reflect.ownKeys(object))
      if (!properties.has(key) && key !== 'constructor') properties.set(key, Object.getOwnPropertyDescriptor(object, key));
  return properties;
}

/** What stays as Node has it: jsdom itself calls it by these names, and jest replaces timers. */
const ofNode = /^(set|clear)(Timeout|Interval)$|^(atob|btoa|console|globalThis|performance|queueMicrotask)$/;
const isOfNode = (key) => typeof key === 'symbol' || ofNode.test(key);
const isClass = (value) => typeof value === 'function' && Object.hasOwn(value, 'prototype');

/** What the process's global has for a property of the window, which keeps its own `this`. */
function asGlobal(window, { value, get, set, enumerable }) {
  const outside = (inner) => (inner === window ? globalThis : inner);
  if (get ?? set)
    return {
      get: get && (() => outside(get.call(window))),
      set: set && ((next) => void set.call(window, next)),
      enumerable,
      configurable: true,
    };
  return {
    value: typeof value === 'function' && !isClass(value) ? value.bind(window) : outside(value),
    enumerable,
    writable: true,
    configurable: true,
  };
}

/** Replaces the functions that start timers. @returns ends all timers that were started since */
function trackTimers() {
  const started = new Set();
  for (const [start, clear] of [
    ['setTimeout', clearTimeout],
    ['setInterval', clearInterval],
  ]) {
    const original = globalThis[start];
    const tracked = (...parameters) => {
      const timer = original(...parameters);
      started.add({ timer, clear });
      return timer;
    };
    globalThis[start] = Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(original));
  }
  return () => {
    for (const { timer, clear } of started) clear(timer);
  };
}

/**
 * React ends its work by these, which no browser has: the test itself would stand still. React also remembers the first `setImmediate` that it
 * used, for as long as the process lives: with that of one file's fake timers the next files would wait for ever.
 */
const neverFaked = ['nextTick', 'setImmediate', 'clearImmediate'];

class BrowserEnvironment extends NativeEnvironment {
  constructor(config, context) {
    super(config);
    const timers = this.fakeTimersModern;
    const fake = timers.useFakeTimers.bind(timers);
    timers.useFakeTimers = ({ doNotFake = [], ...how } = {}) => fake({ ...how, doNotFake: [...doNotFake, ...neverFaked] });
    const virtualConsole = new VirtualConsole();
    virtualConsole.forwardTo(context.console, { jsdomErrors: 'none' });
    virtualConsole.on('jsdomError', (error) => context.console.error(error));
    const { window } = new JSDOM('<!DOCTYPE html>', { pretendToBeVisual: true, url: 'http://localhost/', virtualConsole });
    this.window = window;
    this.endTimers = trackTimers();
    this.keysBefore = new Set(Reflect.ownKeys(globalThis));
    for (const [key, property] of propertiesOf(window)) {
      const present = Object.getOwnPropertyDescriptor(globalThis, key);
      if (isOfNode(key) || present?.configurable === false || ('value' in property && property.value === present?.value)) continue;
      Object.defineProperty(globalThis, key, asGlobal(window, property));
    }
    // jsdom has none, and each client of the API would open one, which is never closed.
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
    // An error that a component or a listener threw fails the test.
    window.addEventListener('error', ({ error }) => {
      if (error) process.emit('uncaughtException', error);
    });
  }

  async teardown() {
    await super.teardown();
    this.endTimers();
    // React ends what it had scheduled when its root was removed, a few milliseconds of it in each turn, and needs the window for that.
    for (let turn = 0; turn < 50; turn += 1) await immediately();
    this.window.close();
    // Packages mark the global object with names that begin with `__`, once.
    for (const key of Reflect.ownKeys(globalThis))
      if (typeof key === 'string' && !key.startsWith('__') && !this.keysBefore.has(key)) Reflect.deleteProperty(globalThis, key);
  }
}

module.exports = BrowserEnvironment;
