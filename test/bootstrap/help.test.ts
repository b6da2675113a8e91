import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
/** Time limit for a script that ignores the option and does its work instead. */
const LIMIT_MILLISECONDS = 10_000;

const SCRIPTS: readonly (readonly [script: string, call: string, options: readonly string[]])[] = [
  ['test', 'npm test [-- arguments]', ['npm test -- --changed', 'npm test -- --help']],
  ['build', 'npm run build -- [options]', ['--programs', '--help']],
  ['image', 'npm run image -- [options]', ['--engine', '--base', '--tag', '--help']],
  ['complete-lockfile', 'npm run complete-lockfile', []],
  ['pack-check', 'npm run pack-check', []],
  ['fuzz', 'npm run fuzz -- [options]', ['--seed', '--requests', '--streams', '--minutes', '--help']],
  ['promises', 'npm run promises -- [options] [names]', ['--seed', '--streams', '--rounds', '--requests', '--changes', '--help']],
  ['histories', 'npm run histories -- [options]', ['--memory', '--sqlite', '--postgres', '--limits', '--seed', '--minutes', '--help']],
  ['browser', 'npm run browser -- [options]', ['--only', '--list', '--json', '--serve', '--help']],
  ['screenshots', 'npm run screenshots -- [options]', ['--only', '--out', '--help']],
  ['mutations', 'npm run mutations -- [options]', ['--only', '--list', '--json', '--help']],
];
const WITH_OPTIONS = SCRIPTS.filter(([script]) => script !== 'test');

/** Command of each script in package.json, by the script's name. */
const { scripts: COMMANDS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

function run(script: string, given: readonly string[]): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const [, ...command] = (COMMANDS[script] ?? '').split(' ');
  return spawnSync(process.execPath, [...command, ...given], { cwd: ROOT, encoding: 'utf8', timeout: LIMIT_MILLISECONDS });
}

test.each(SCRIPTS)('%s prints only its usage with --help', (script, call, options) => {
  const { stdout, stderr, status } = run(script, ['--help']);
  expect([stdout.split('\n')[0], stderr, status]).toEqual([call, '', 0]);
  for (const option of options) expect(stdout).toContain(`\n  ${option}`);
  expect(run(script, ['-h']).stdout).toBe(stdout);
});

test.each([
  ['fuzz', 'minutes', '0', 1], ['promises', 'rounds', '0', 1], ['histories', 'minutes', '0', 1], ['histories', 'sqlite', '1.5', 0], ['fuzz', 'seed', 'many', 0],
])('%s refuses --%s %s as an invalid number', (script, option, value, least) => {
  const { stderr, status } = run(script, [`--${option}`, value]);
  expect([stderr, status]).toEqual([`--${option} must be a whole number from ${least} on, not "${value}".\n`, 1]);
});

test.each(WITH_OPTIONS)('%s refuses an unknown option and prints its usage', (script, call) => {
  const { stdout, stderr, status } = run(script, ['--sideways']);
  expect([stdout, status]).toEqual(['', 1]);
  expect(stderr).toContain("'--sideways'");
  expect(stderr).toContain(call);
});
