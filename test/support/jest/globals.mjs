/**
 * Stands in for `@jest/globals`: the functions of the test file that runs. Importers see those of each new file, because imports are live
 * bindings.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
