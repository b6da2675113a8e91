import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { gatewayProgram } from '../../scripts/bootstrap/gateway-program.mjs';

/** Keeps so much that memory itself asks for a collection, and stays for long enough to be quiet when a millisecond is all that quiet takes. */
const KEEP_AND_REST = 'globalThis.kept = Array.from({ length: 1_000_000 }, (_none, number) => ({ number })); setTimeout(() => {}, 200)';
const TELL = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=1'];

/** What the runtime says about collecting more than memory asks for. */
function saidAtRest(flags: readonly string[]): string {
  const { stdout, status } = spawnSync(process.execPath, [...flags, ...TELL, '-e', KEEP_AND_REST], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout;
}

test('Node runs the gateway so that quiet times throw no compiled code away', () => {
  const [flag = '', program, ...rest] = gatewayProgram(['--some-option']);
  expect(program).toMatch(/main\.js$/u);
  expect(rest).toEqual(['--some-option']);
  expect(saidAtRest([])).toContain('Memory reducer');
  expect(saidAtRest([flag])).toBe('');
});
