import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { npmCommand } from '../../scripts/bootstrap/run.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-no-shell-'));
/** Stands in for npm's shell: splits a script at its spaces, and runs the words. */
const WORD_SPLITTER = join(FOLDER, 'split-words');

writeFileSync(WORD_SPLITTER, `#!${process.execPath}
const [program, ...given] = process.argv[3].split(' ').map((word) => word.replace(/^(['"])(.*)\\1$/, '$2'));
process.exitCode = require('node:child_process').spawnSync(program, given, { stdio: 'inherit' }).status ?? 1;
`);
chmodSync(WORD_SPLITTER, 0o755);

afterAll(() => rmSync(FOLDER, { recursive: true }));

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

test.each(Object.entries(scripts))('the script %s consists of a program and its arguments', (_name, script) => {
  expect(script).toMatch(/^[a-z]+(?: [\w./-]+)*$/);
  // These are commands of shells, not programs.
  expect(script).not.toMatch(/^(?:exec|cd|set|export|source) /);
});

test.each([
  ['start', 'npm start'], ['test', 'npm test [-- arguments]'],
])('npm %s runs without a shell', (script, firstLine) => {
  const { stdout, status } = spawnSync('npm', [`--script-shell=${WORD_SPLITTER}`, '--silent', 'run', script, '--', '--help'], { cwd: ROOT, encoding: 'utf8' });
  expect([stdout.split('\n')[0], status]).toEqual([firstLine, 0]);
});

test('npm is started as each system requires: on Windows as a command file, whose arguments with spaces are quoted', () => {
  const given = ['install', '--prefix', 'C:\\Users\\Ann Lee\\x', '@a/b@1.2.3'];
  expect(npmCommand(given, 'linux')).toEqual({ command: 'npm', arguments: given, options: {} });
  expect(npmCommand(given, 'win32')).toEqual({ command: 'npm', arguments: ['install', '--prefix', '"C:\\Users\\Ann Lee\\x"', '@a/b@1.2.3'], options: { shell: true } });
});

test('no script starts npm other than by npmCommand', () => {
  const folders = ['scripts', 'scripts/bootstrap'].map((folder) => join(ROOT, folder));
  const sources = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.mjs')).map((name) => readFileSync(join(folder, name), 'utf8')));
  expect(sources.filter((source) => /(?:run|spawn|spawnSync|execFile|execFileSync)\('npm'/.test(source))).toEqual([]);
});
