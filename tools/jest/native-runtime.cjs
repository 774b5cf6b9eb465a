/**
 * Loads what tests import: our own sources anew for each file, as jest does, and packages once for each process, as Node does. Jest loads
 * packages anew too, which took three seconds of processor time for each file that imports Nest. Sources run in the context of the process, so
 * that `instanceof` holds between them and the packages; it needs `native-environment.cjs`.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { handlePotentialSyntaxError } = require('@jest/transform');
const { default: Runtime } = require('jest-runtime');

/**
 * Packages that are loaded for each file, since they keep what belongs to it: our own keep state of a service, Testing Library hooks and a
 * document, those of jest matchers, hooks and results.
 */
const ofEachFile = /^(@decola|@testing-library|@jest\/(expect|globals)|expect|jest-circus|jest-snapshot)(\/|$)/;
const isOfProcess = (name) => !/^[./]/.test(name) && !path.isAbsolute(name) && !isBuiltin(name) && !ofEachFile.test(name);
const requires = new Map();
const requireOf = (directory) => {
  if (!requires.has(directory)) requires.set(directory, createRequire(path.join(directory, 'any.js')));
  return requires.get(directory);
};

/** The runtime of the file that runs. */
let current;

/** A source is compiled once for each process, and evaluated for each file: what it declares belongs to that file. */
const compiled = new Map();

function compile(source, filename, parameters) {
  const before = compiled.get(filename);
  if (before?.source === source) return before.evaluate;
  try {
    const evaluate = vm.compileFunction(source, parameters, {
      filename,
      importModuleDynamically: (name) => current.importNatively(filename, name),
    });
    compiled.set(filename, { source, evaluate });
    return evaluate;
  } catch (error) {
    throw handlePotentialSyntaxError(error);
  }
}

class NativeRuntime extends Runtime {
  constructor(...how) {
    super(...how);
    current = this;
    this.executor.compile = (source, filename) => compile(source, filename, this.executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    // Scripts of the repository are modules of Node, which nothing has to translate.
    if (!isOfProcess(name) && !name.endsWith('.mjs')) return super.requireModuleOrMock(from, name);
    const require = requireOf(path.dirname(from));
    try {
      return require(name);
    } catch (error) {
      // A package for `import` alone.
      if (error?.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
      return require(this._resolution.resolveEsm(from, name));
    }
  }

  /** What jest itself requires inside of a test file's modules. */
  requireInternalModule(from, name) {
    if (name === undefined || !isOfProcess(name)) return super.requireInternalModule(from, name);
    return requireOf(path.dirname(from))(name);
  }

  async importNatively(from, name) {
    return this.requireModuleOrMock(from, name);
  }
}

module.exports = NativeRuntime;
