import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { useGlobals } from './globals.mjs';
import { importSources, sourceMaps } from './import-sources.mjs';

const require = createRequire(import.meta.url);
/** Where jest's test framework keeps its event handlers and the timeout that `jest.setTimeout` sets. Neither may carry over to the next test file. */
const FRAMEWORK_STATE = [Symbol.for('EVENT_HANDLERS'), Symbol.for('TEST_TIMEOUT_SYMBOL')];

/**
 * Loads tests with Node's own loader, so that all test files of a worker share their modules. jest's loader would load the gateway and its libraries
 * again for each file, and V8 would compile them again. A test file therefore may not depend on the state of a module, and a module that several
 * files import may not add tests or hooks when it is loaded.
 */
export default class SharedModulesRuntime extends Runtime {
  #config;
  #globals = {};

  constructor(...given) {
    super(...given);
    [this.#config] = given;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  setGlobalsForRuntime(globals) {
    this.#globals = globals;
  }

  /** Loads the test framework again for each test file, because its functions add tests to the file for which they were loaded. */
  requireInternalModule(path) {
    for (const state of FRAMEWORK_STATE) delete globalThis[state];
    delete require.cache[path];
    return require(path);
  }

  /** Loads a test file. */
  async unstable_importModule(path) {
    await importSources(this.#config);
    useGlobals({ ...this.#globals, jest: this.jestGlobals.jestObjectFor(path) });
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** Does nothing. jest's version would make the process load built-in modules from the sandbox, which is not used here. */
  installGetBuiltinModule() {}
}
