import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mutated, readMutations } from '../mutation-list.mjs';
import { SourceIndex } from '../source-index.mjs';

interface Mutation {
  readonly name: string;
  readonly changes: readonly { readonly statement: string; readonly replacement: string }[];
  readonly tests: readonly string[];
}

const ROOT = join(import.meta.dirname, '../../..');
const MUTATIONS = readMutations() as readonly Mutation[];
const SOURCES = new SourceIndex(ROOT);

describe('the list of mutations', () => {
  it('has a different name for each mutation', () => {
    const names = MUTATIONS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(MUTATIONS)('names statements that the sources have, and tests that exist: $name', (mutation) => {
    expect(mutated(mutation, SOURCES).size).toBeGreaterThan(0);
    for (const { statement, replacement } of mutation.changes) expect(replacement).not.toBe(statement);
    for (const test of mutation.tests) expect([test, existsSync(join(ROOT, test))]).toEqual([test, true]);
  });
});
