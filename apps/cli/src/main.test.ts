import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const app = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tollgate-main-'));
const BUILD_MILLISECONDS = 120_000;

beforeAll(() => {
  if (process.env['TOLLGATE_BUILT'] !== undefined) return;
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
  for (const step of [[compiler, '-b', app], [join(app, '../../scripts/bootstrap/bundle-programs.mjs')]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, step, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout + stderr);
  }
}, BUILD_MILLISECONDS);
afterAll(() => rmSync(folder, { recursive: true }));

function tollgate(...argv: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(app, 'bundle/main.js'), ...argv], {
    cwd: folder, encoding: 'utf8', env: { DATABASE_URL: 'sqlite:./data/tollgate.db' },
  });
  return { status, stdout, stderr };
}

it('the program creates the database on request, prints results to standard output and errors to standard error', () => {
  expect(tollgate('ledger', 'verify')).toMatchObject({ status: 1, stdout: '' });
  expect(tollgate('database', 'create')).toMatchObject({ status: 0, stderr: '' });
  const created = tollgate('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '3', '--json');
  expect(created).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(created.stdout)).toMatchObject({ account: { balance: { available: { svc_tokens: '3' } } }, key: { name: 'first key' } });
  expect(tollgate('ledger', 'verify')).toMatchObject({ status: 0, stderr: '' });
  expect(tollgate('accounts', 'show', 'bob@example.test')).toEqual({ status: 1, stdout: '', stderr: 'error: there is no account bob@example.test\n' });
  expect(tollgate('accounts', 'create')).toMatchObject({ status: 2, stdout: '' });
});
