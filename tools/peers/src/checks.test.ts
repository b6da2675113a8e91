import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Check, expectThat, runChecks } from './checks.js';
import { runOrThrow, runProgram } from './programs.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-peers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(source: string, timeoutMilliseconds = 10_000) {
  return { command: process.execPath, argv: ['-e', source], folder, environment: { GREETING: 'hello' }, timeoutMilliseconds };
}

test('checks continue after a failed check or a peer that cannot be installed; each peer is installed once', async () => {
  const installs: string[] = [];
  const peerOf = (id: string, problem: string | null) => ({
    id, megabytes: 1, install: (place: string) => (installs.push(place), problem === null ? Promise.resolve() : Promise.reject(new Error(problem))),
  });
  const [peer, missing] = [peerOf('peer', null), peerOf('missing', 'no such host')];
  const check = (title: string, its: typeof peer, seen: string): Check => ({
    title, peer: its, run: ({ key }) => Promise.resolve().then(() => (expectThat(seen === key, `the key ${key}`, seen), seen)),
  });
  const printed: string[] = [];
  const results = await runChecks([check('one', peer, 'other'), check('two', missing, 'sk-1'), check('three', missing, 'sk-1'), check('four', peer, 'sk-1')], {
    world: { baseUrl: 'http://127.0.0.1:1', key: 'sk-1' },
    folders: { peers: '/peers', work: '/work' },
    terminal: { out: (text) => printed.push(text.replace(/\(\d+\.\d s\)/, '(time)')), progress: () => undefined },
  });
  expect(results).toEqual([
    { title: 'one', outcome: 'failed', seen: 'expected the key sk-1; saw other' },
    { title: 'two', outcome: 'skipped', seen: 'missing cannot be installed: no such host' },
    { title: 'three', outcome: 'skipped', seen: 'missing cannot be installed: no such host' },
    { title: 'four', outcome: 'passed', seen: 'sk-1' },
  ]);
  expect(installs).toEqual(['/peers/peer', '/peers/missing']);
  expect(printed).toEqual([
    'FAILED   one (time)\n         expected the key sk-1; saw other\n',
    'skipped  two (time)\n         missing cannot be installed: no such host\n',
    'skipped  three (time)\n         missing cannot be installed: no such host\n',
    'passed   four (time)\n         sk-1\n',
  ]);
});

test('a program runs in the given environment, and its exit code and outputs are returned', async () => {
  const { exitCode, output } = await runProgram(program('console.log(process.env.GREETING, process.env.HOME); console.error("and"); process.exit(3)'));
  expect({ exitCode, output }).toEqual({ exitCode: 3, output: 'hello undefined\n\nand' });
});

test('a program that does not end is killed, and has no exit code', async () => {
  const { exitCode } = await runProgram(program('setInterval(() => {}, 1000)', 300));
  expect(exitCode).toBeNull();
});

test('a failed program is reported with the end of its output', async () => {
  await expect(runOrThrow(program('console.error("no such host"); process.exit(1)'))).rejects.toThrow(/ended with 1: no such host/);
});

test('a missing program is reported by name', async () => {
  await expect(runOrThrow({ ...program(''), command: 'no-such-program' })).rejects.toThrow('no-such-program cannot be started: spawn no-such-program ENOENT');
});
