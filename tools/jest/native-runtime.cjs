/**
 * Loads what tests import: our own sources anew for each file, as jest does, and packages once for each process, as Node does. Jest loads
 * packages anew too, which took three seconds of processor time for each file that imports Nest. Sources run in the context of the process, so
 * that `instanceof` holds between them and the packages; it needs `native-environment.cjs`.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { handlePotentialSyntaxError } = require('@jest/transform');
const { default: Runtime } = require('jest-runtime');

/** Testing Library registers hooks of a file, and remembers its document. */
const ofEachFile = /^@(decola|testing-library)\//;
const isPackage = (name) =>
  !/^[./]/.test(name) && !path.isAbsolute(name) && !isBuiltin(name) && !ofEachFile.test(name) && name !== '@jest/globals';
const requires = new Map();
const requireOf = (directory) => {
  if (!requires.has(directory)) requires.set(directory, createRequire(path.join(directory, 'any.js')));
  return requires.get(directory);
};

class NativeRuntime extends Runtime {
  constructor(...how) {
    super(...how);
    this.executor.compile = (source, filename) => {
      try {
        return compileFunction(source, this.executor.injectedModuleParameters, {
          filename,
          importModuleDynamically: (name) => this.importNatively(filename, name),
        });
      } catch (error) {
        throw handlePotentialSyntaxError(error);
      }
    };
  }

  requireModuleOrMock(from, name) {
    // Scripts of the repository are modules of Node, which nothing has to translate.
    if (!isPackage(name) && !name.endsWith('.mjs')) return super.requireModuleOrMock(from, name);
    const require = requireOf(path.dirname(from));
    try {
      return require(name);
    } catch (error) {
      // A package for `import` alone.
      if (error?.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error;
      return require(this._resolution.resolveEsm(from, name));
    }
  }

  async importNatively(from, name) {
    return this.requireModuleOrMock(from, name);
  }
}

module.exports = NativeRuntime;
