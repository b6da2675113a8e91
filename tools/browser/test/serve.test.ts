import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildDashboard } from './support/built-dashboard.js';

const TOOL = join(fileURLToPath(new URL('../../..', import.meta.url)), 'scripts/tool.mjs');
const BUILD_MILLISECONDS = 300_000;
const SERVE_MILLISECONDS = 60_000;

type Browser = ChildProcessByStdio<null, Readable, Readable>;

const started: Browser[] = [];

function start(...options: readonly string[]): Browser {
  const browser = spawn(process.execPath, [TOOL, 'browser', ...options], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PORT: '0' } });
  started.push(browser);
  return browser;
}

beforeAll(buildDashboard, BUILD_MILLISECONDS);
afterEach(() => {
  for (const browser of started.splice(0)) browser.kill('SIGKILL');
});

test('--serve runs a gateway with a dashboard and recorded requests of an owner until SIGINT', async () => {
  const browser = start('--serve');
  let printed = '';
  for await (const piece of browser.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += String(piece);
    if (printed.includes('key of the owner')) break;
  }
  const [, origin, key] = /(http:\/\/\S+)\/dashboard\n[^]*(sk-\w+)/.exec(printed) ?? [];
  const page = await fetch(`${origin}/dashboard/sign-in`);
  const usage = await fetch(`${origin}/v1/usage?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  expect([page.status, usage.status, (await usage.json() as { readonly has_more: boolean }).has_more]).toEqual([200, 200, true]);
  browser.kill('SIGINT');
  expect(await once(browser, 'exit')).toEqual([0, null]);
}, SERVE_MILLISECONDS);

test('contradictory options end the program with exit code 1 and a sentence on standard error', async () => {
  const browser = start('--serve', '--json');
  const problem = text(browser.stderr);
  expect(await once(browser, 'exit')).toEqual([1, null]);
  expect(await problem).toBe('--serve runs no checks, so it takes neither --only nor --json.\n');
}, SERVE_MILLISECONDS);
