import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readWorkspaces, testsWithoutSource } from './test-names.js';

const ROOT = join(import.meta.dirname, '../..');

test('each test is named after a source', () => {
  expect(testsWithoutSource(ROOT)).toEqual([]);
});

test('the rule reads the tests of every workspace', () => {
  const workspaces = globSync('{packages,apps,tools}/*/package.json', { cwd: ROOT }).map(dirname);
  expect(workspaces.length).toBeGreaterThan(30);
  expect(workspaces.filter((workspace) => !readWorkspaces(ROOT).includes(workspace))).toEqual([]);
});

describe('a test without a source of its name', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'test-names-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(parent: string, ...names: readonly string[]): void {
    mkdirSync(join(folder, parent), { recursive: true });
    for (const name of names) writeFileSync(join(folder, parent, name), '');
  }

  test('is reported if it is next to the sources', () => {
    write('packages/one/src/http', 'kept.ts', 'kept.test.ts', 'kept.aspect.test.ts', 'folded.test.ts');
    expect(testsWithoutSource(folder)).toEqual(['packages/one/src/http/folded.test.ts']);
  });

  test('is reported if it is in the test folder of a package', () => {
    write('packages/one/src', 'kept.ts');
    write('packages/two/test/http', 'kept.test.ts', 'folded.test.ts');
    expect(testsWithoutSource(folder)).toEqual(['packages/two/test/http/folded.test.ts']);
  });

  test('is reported if it belongs to a tool without a source folder', () => {
    write('tools/one', 'kept.mjs');
    write('tools/one/test', 'kept.test.ts', 'folded.test.ts');
    expect(testsWithoutSource(folder)).toEqual(['tools/one/test/folded.test.ts']);
  });
});
