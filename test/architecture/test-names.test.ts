import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testsWithoutSource } from './test-names.js';

test('each test beside sources is named after one', () => {
  expect(testsWithoutSource(join(import.meta.dirname, '../..'))).toEqual([]);
});

test('a test without a source of its name is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-names-'));
  const source = join(folder, 'packages/one/src/http');
  mkdirSync(source, { recursive: true });
  for (const file of ['kept.ts', 'kept.test.ts', 'kept.aspect.test.ts', 'folded.test.ts']) writeFileSync(join(source, file), '');
  expect(testsWithoutSource(folder)).toEqual(['packages/one/src/http/folded.test.ts']);
  rmSync(folder, { recursive: true });
});
