import { mkdtempSync, rmSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failedChecks } from '../../scripts/bootstrap/checks.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-checks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every check runs, and those that fail are returned with their output', async () => {
  const checks = [
    { name: 'first', command: ['-e', 'console.log("out"); console.error("error"); process.exitCode = 2'] },
    { name: 'second', command: ['-e', 'console.log("fine")'] },
    { name: 'third', command: ['-e', 'process.kill(process.pid)'] },
  ];
  expect(await failedChecks(checks, folder)).toEqual([{ name: 'first', output: 'out\nerror\n' }, { name: 'third', output: '' }]);
});

test('a check and the programs that it starts have a lower priority than the tests', async () => {
  const printsPriority = 'process.stdout.write(String(require("node:os").getPriority()) + " ")';
  const script = `${printsPriority}; require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(printsPriority)}], { stdio: "inherit" }); process.exitCode = 1`;
  const expected = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  expect(await failedChecks([{ name: 'priority', command: ['-e', script] }], folder)).toEqual([{ name: 'priority', output: `${expected} ${expected} ` }]);
});
