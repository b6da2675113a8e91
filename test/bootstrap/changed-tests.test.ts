import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { changedFiles, testsOf } from '../../scripts/bootstrap/changed-tests.mjs';

let folder: string;

function git(...given: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.test', ...given], { cwd: folder });
}

function write(file: string, text = ''): void {
  writeFileSync(join(folder, file), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-changed-'));
  mkdirSync(join(folder, 'src'));
  for (const file of ['price.ts', 'price.test.ts', 'price.rounding.test.ts', 'prices.test.ts', 'money.ts', 'money.test.ts', 'gone.ts', 'gone.test.ts']) write(`src/${file}`);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('no file counts as changed right after a commit', () => {
  expect(changedFiles(folder)).toEqual([]);
});

test('the changed files are new files and those that differ from the last commit', () => {
  write('src/price.ts', 'changed');
  write('src/new.ts');
  write('src/money.ts', 'staged');
  git('add', 'src/money.ts');
  rmSync(join(folder, 'src/gone.ts'));
  expect([...changedFiles(folder)].toSorted()).toEqual(['src/money.ts', 'src/new.ts', 'src/price.ts']);
});

test('the tests of a file are the test files next to it with its name, each once', () => {
  const tests: readonly string[] = testsOf(['src/price.ts', 'src/price.test.ts', 'README.md'], folder);
  expect(tests.toSorted()).toEqual(['src/price.rounding.test.ts', 'src/price.test.ts']);
  expect(testsOf(['src/money.test.ts', 'src/absent.ts'], folder)).toEqual(['src/money.test.ts']);
});
