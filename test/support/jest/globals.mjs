/**
 * Replaces `@jest/globals`: exports the functions of the running test file. Modules that import them get those of each new file, because imports are
 * live bindings.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
