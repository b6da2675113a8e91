import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { gatewayEnvironment, gatewayProgram } from '../../scripts/bootstrap/run.mjs';

/** A script that keeps enough memory to trigger a collection, and then waits long enough for Node to count as idle. */
const KEEP_AND_REST = 'globalThis.kept = Array.from({ length: 1_000_000 }, (_none, number) => ({ number })); setTimeout(() => {}, 200)';
const TELL = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=1'];

/** Flags for semi-spaces larger than the gateway's. */
const LARGE = ['--max-semi-space-size=64', '--min-semi-space-size=64'];
const TELL_ROOM = `const { space_size } = require('v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
console.log('MiB for new values: ' + space_size / 1024 / 1024)`;

const program = gatewayProgram(['--some-option']);
const flags = program.slice(0, -2);

/** Output of a script that Node runs with these flags. */
function saidBy(script: string, given: readonly string[]): string {
  const { stdout, status } = spawnSync(process.execPath, [...given, '-e', script], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout;
}

function roomForNewValues(given: readonly string[]): number {
  return Number(/MiB for new values: (\d+)/u.exec(saidBy(TELL_ROOM, given))?.[1]);
}

test('Node gets its flags before the program, and the program’s arguments follow it', () => {
  expect(program).toEqual([...flags, expect.stringMatching(/main\.js$/u), '--some-option']);
  expect(flags.every((flag) => flag.startsWith('--'))).toBe(true);
});

test('Node runs the gateway with --no-memory-reducer', () => {
  expect(saidBy(KEEP_AND_REST, TELL)).toContain('Memory reducer');
  expect(saidBy(KEEP_AND_REST, [...flags, ...TELL])).toBe('');
});

test('Node runs the gateway with semi-spaces of at most 32 MiB', () => {
  expect(roomForNewValues(LARGE)).toBe(64);
  expect(roomForNewValues([...LARGE, ...flags])).toBe(32);
});

test('the gateway’s environment sets malloc’s thresholds, unless they are already set', () => {
  const thresholds = (): readonly unknown[] => ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'].map((name) => (gatewayEnvironment() as NodeJS.ProcessEnv)[name]);
  expect(thresholds()).toEqual(['4194304', '16777216']);
  process.env['MALLOC_MMAP_THRESHOLD_'] = '60000';
  try {
    expect(thresholds()).toEqual(['60000', '16777216']);
  } finally {
    delete process.env['MALLOC_MMAP_THRESHOLD_'];
  }
});
