import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const { resolve } = createRequire(import.meta.url);

/** Test files and a shared module, by name. `first` runs first, because its file is the largest. */
const FILES = {
  'shared.ts': 'export const state = { loads: 1 };\nexport const seen: string[] = [];\n',
  'first.test.ts': `
import { beforeEach, expect, it, jest } from '@jest/globals';
import { seen } from './shared.js';

class Account {
  constructor(private readonly balance: number) {}

  spend(): void {
    if (this.balance < 1) throw new Error('nothing left');
  }
}

jest.setTimeout(200);
jest.useFakeTimers();
beforeEach(() => { seen.push('hook of the first file'); });
it('fails in an expectation', () => { expect(1).toBe(2); });
it('fails in a class', () => { new Account(0).spend(); });
it('fails by an error that is thrown later', async () => {
  jest.useRealTimers();
  setTimeout(() => { throw new Error('thrown later'); }, 1);
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  jest.useFakeTimers();
});
it('fails by a rejection without a handler', async () => {
  void Promise.reject(new Error('rejected'));
  await new Promise((resolve) => { process.nextTick(resolve); });
  jest.useRealTimers();
  await new Promise((resolve) => { setTimeout(resolve, 20); });
});
it('fails by taking too long', () => new Promise(() => undefined));
`,
  'second.test.ts': `
import { expect, it } from '@jest/globals';
import { seen } from './shared.js';

it('shares modules, but neither hooks nor timeouts nor timers', async () => {
  const startedAt = performance.now();
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  expect(performance.now() - startedAt).toBeGreaterThan(250);
  expect(seen).toEqual(Array(5).fill('hook of the first file'));
});
`,
  'third.test.ts': `
import { it } from '@jest/globals';
import { nothing } from './shared.js';

it('is not run', () => { nothing(); });
`,
};

interface FileResult {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages: readonly string[] }[];
}

let folder = '';
let results: ReadonlyMap<string, FileResult>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-runtime-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const config = {
    rootDir: folder, testMatch: ['**/*.test.ts'], cacheDirectory: join(folder, 'cache'),
    runtime: join(root, 'test/support/jest/runtime.mjs'), testEnvironment: join(root, 'test/support/jest/environment.mjs'),
    transform: { '\\.ts$': [resolve('@swc/jest'), { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  };
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--runInBand', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, jest, { encoding: 'utf8', timeout: 12_000, killSignal: 'SIGKILL' });
  if (!stdout.startsWith('{')) throw new Error(`jest printed no results\n${stderr}`);
  const { testResults } = JSON.parse(stdout) as { readonly testResults: readonly FileResult[] };
  results = new Map(testResults.map((result) => [result.name.slice(folder.length + 1), result]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('failures of every kind are reported, with their position in the source', () => {
  const failures = results.get('first.test.ts')?.assertionResults.map(({ status, failureMessages }) => [status, failureMessages.join('\n')]);
  expect(failures).toEqual([
    ['failed', expect.stringMatching(/Expected: .*2[^]*first\.test\.ts:16:/)],
    ['failed', expect.stringMatching(/nothing left[^]*first\.test\.ts:9:[^]*first\.test\.ts:17:/)],
    ['failed', expect.stringMatching(/thrown later[^]*first\.test\.ts:20:/)],
    ['failed', expect.stringMatching(/rejected[^]*first\.test\.ts:25:/)],
    ['failed', expect.stringContaining('Exceeded timeout of 200 ms')],
  ]);
});

test('the test files of a worker share modules, and nothing else', () => {
  expect(results.get('second.test.ts')?.assertionResults).toMatchObject([{ status: 'passed' }]);
});

test('a file that cannot be loaded fails', () => {
  expect(results.get('third.test.ts')).toMatchObject({ status: 'failed', message: expect.stringContaining("does not provide an export named 'nothing'") });
});

test('no module that test files share adds tests or hooks when it is loaded', () => {
  const modules = globSync('{apps,packages,tools,test}/**/*.ts', { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|canaries)$|\.(test|check)\.ts$/.test(name) });
  const adding = modules.filter((file) => /^(?:(?:before|after)(?:All|Each)|describe|it|test)(?:\.\w+)*\(/m.test(readFileSync(join(root, file), 'utf8')));
  expect(modules.length).toBeGreaterThan(500);
  expect(adding).toEqual([]);
});
