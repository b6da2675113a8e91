import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Mutation {
  readonly name: string;
  readonly breaks: string;
  readonly changes: readonly { readonly file: string; readonly text: string; readonly replacement: string }[];
  readonly tests: readonly string[];
}

const ROOT = join(import.meta.dirname, '../..');
const MUTATIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'mutations.json'), 'utf8')) as readonly Mutation[];

describe('the list of mutations', () => {
  it('names each once', () => {
    const names = MUTATIONS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(MUTATIONS)('can still break the program: $name', ({ changes, tests }) => {
    const files = new Map<string, string>();
    for (const { file, text, replacement } of changes) {
      const before = files.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
      expect([file, text, before.split(text).length - 1]).toEqual([file, text, 1]);
      files.set(file, before.replace(text, () => replacement));
      expect(replacement).not.toBe(text);
    }
    for (const test of tests) expect([test, existsSync(join(ROOT, test))]).toEqual([test, true]);
  });
});
