import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

function helpOf(script: string): { readonly stdout: string; readonly status: number | null } {
  return spawnSync(process.execPath, [join(ROOT, `scripts/${script}.mjs`), '--help'], { encoding: 'utf8' });
}

test.each([
  ['test', 'npm test [-- arguments]', []],
  ['fuzz', 'npm run fuzz -- [options]', ['seed', 'requests', 'streams', 'minutes']],
  ['promises', 'npm run promises -- [options] [names]', ['seed', 'streams', 'rounds', 'requests', 'changes']],
  ['histories', 'npm run histories -- [options]', ['memory', 'sqlite', 'postgres', 'limits', 'seed', 'minutes']],
  ['mutations', 'npm run mutations -- [options]', ['only', 'list', 'json']],
])('%s says with --help how it is called, and does nothing else', (script, call, options) => {
  const { stdout, status } = helpOf(script);
  expect([stdout.split('\n')[0], status]).toEqual([call, 0]);
  for (const option of options) expect(stdout).toContain(`\n  --${option}`);
});
