import * as jest from '@jest/globals';
import * as contracts from '../contracts.js';
import { afterEach, beforeEach, describe, expect, it, type TestRunner, useTestRunner } from './test-runner.js';

/** A runner that records tests and hooks by their titles. */
class RecordingRunner implements TestRunner {
  readonly tests = new Map<string, () => void | Promise<void>>();
  readonly hooks: string[] = [];
  readonly expect = jest.expect as unknown as TestRunner['expect'];
  #path: readonly string[] = [];

  readonly describe = (title: string, body: () => void): void => {
    const outer = this.#path;
    this.#path = [...outer, title];
    body();
    this.#path = outer;
  };
  readonly it = (title: string, body: () => void | Promise<void>): void => void this.tests.set([...this.#path, title].join(' > '), body);
  readonly beforeEach = (): void => void this.hooks.push('before');
  readonly afterEach = (): void => void this.hooks.push('after');
}

let runner: RecordingRunner;

jest.beforeEach(() => {
  runner = new RecordingRunner();
  useTestRunner(runner);
});
jest.afterEach(() => useTestRunner(null));

jest.describe('useTestRunner', () => {
  jest.it('registers suites, tests and hooks with the given runner, and uses its expect', async () => {
    describe('outer', () => {
      beforeEach(() => undefined);
      afterEach(() => undefined);
      describe('inner', () => it('fails', () => void expect(1).toBe(2)));
    });
    jest.expect([...runner.tests.keys()]).toEqual(['outer > inner > fails']);
    jest.expect(runner.hooks).toEqual(['before', 'after']);
    jest.expect(() => runner.tests.get('outer > inner > fails')?.()).toThrow('toBe');
  });

  jest.it('makes one test of each row, named by its values', async () => {
    const seen: unknown[] = [];
    it.each([['first', 1], ['second', 2]])('takes %s and %d', (...row) => void seen.push(row));
    it.each(['a\0'])('takes the text %j', (text) => void seen.push(text));
    it.each([{ state: 'sent' }])('takes what is $state', (row) => void seen.push(row));
    for (const body of runner.tests.values()) await body();
    jest.expect([...runner.tests.keys()]).toEqual(['takes first and 1', 'takes second and 2', 'takes the text "a\\u0000"', 'takes what is sent']);
    jest.expect(seen).toEqual([['first', 1], ['second', 2], 'a\0', { state: 'sent' }]);
  });

  jest.it('declares test functions without parameters, because runners would pass a callback to a parameter', () => {
    it.each([['a', 'b']])('%s', (_first, _second) => undefined);
    jest.expect([...runner.tests.values()].map(({ length }) => length)).toEqual([0]);
  });

  jest.it('runs contracts', () => {
    contracts.catalogueSourceContract('mine', () => { throw new Error('not run here'); });
    jest.expect([...runner.tests.keys()]).toEqual([
      'CatalogueSource contract: mine > returns the same catalogue until it is replaced',
      'CatalogueSource contract: mine > returns the new catalogue from the next read on, and leaves the earlier one unchanged',
    ]);
  });
});
