import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mutated, readMutations } from '../mutation-list.mjs';
import { SourceIndex } from '../source-index.mjs';

interface Mutation {
  readonly name: string;
  readonly changes: readonly { readonly statement: string; readonly replacement: string }[];
  readonly tests: readonly string[];
  readonly only?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const MUTATIONS = readMutations() as readonly Mutation[];
const SOURCES = new SourceIndex(ROOT);

/** Files with the tests, titles and labels that several test files share. */
const SHARED = ['packages/testkit/src/contracts/**/*.ts', '{apps,packages}/*/src/test-support/**/*.ts'];
const SHARED_LITERALS = globSync(SHARED, { cwd: ROOT }).flatMap(literalsOf);

/** The string literals of a file that end on the line on which they begin, as titles do. */
function literalsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`|"[^"\n]*"/g)].map(([literal]) => literal.slice(1, -1));
}

/** The parts of a pattern, each within one literal. The pattern has `.*` or a colon where a title meets another title or a filled-in placeholder. */
function phrasesOf(pattern: string): readonly string[] {
  return pattern.split(/\.\*|: |[|()^$]/).map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
}

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

  it.each(MUTATIONS.filter(({ only }) => only !== undefined))('chooses tests by phrases that titles have: $name', ({ tests, only = '' }) => {
    const literals = [...tests.flatMap(literalsOf), ...SHARED_LITERALS];
    expect(phrasesOf(only).filter((phrase) => !literals.some((literal) => literal.includes(phrase)))).toEqual([]);
  });
});
