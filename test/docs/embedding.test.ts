import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { codeBlock, readDocument } from './documents.js';

const DOCUMENT = readDocument('docs/embedding.md');

let folder = '';
let printed: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-embedding-'));
  printed = [];
  jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
    printed.push(String(line));
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test.each(['embedding-work', 'embedding-generation'])('the program %s runs unchanged and prints the documented output', async (name) => {
  const program = join(folder, `${name}.ts`);
  writeFileSync(program, codeBlock(DOCUMENT, name));
  await import(program);
  expect(printed.join('\n')).toBe(codeBlock(DOCUMENT, `${name}-output`));
});

test('a service that bills its own work takes fewer than 40 lines', () => {
  expect(codeBlock(DOCUMENT, 'embedding-work').split('\n').length).toBeLessThan(40);
});
