import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkContainer } from '../../scripts/image/checks.mjs';

interface Outcome { readonly status: number; readonly stdout: string; readonly stderr: string }

let server: Server;
let url = '';
let dashboard = '';
let charge = '';

/** Starts a server that answers as a gateway in a container does. */
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.end(request.url === '/v1/chat/completions' ? JSON.stringify({ usage: { svc_tokens_debited: charge } }) : dashboard);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => { server.close(); });

const printed = (stdout: string, status = 0): Outcome => ({ status, stdout, stderr: 'as told' });

/** What commands print in a correct container. */
const WELL: Readonly<Record<string, Outcome>> = {
  '--print': printed('1000\n'), '--eval': printed('EROFS\n'), 'accounts': printed('{"key":{"secret":"sk-1"}}'), 'ledger': printed('The books agree.'),
};

function check(outcomes: Readonly<Record<string, Outcome>>, code = 0): Promise<readonly string[]> {
  const lines: string[] = [];
  const exec = ([, word = '']: readonly string[]): Outcome => ({ ...WELL, ...outcomes })[word] ?? printed('', 127);
  return checkContainer({ url, exec, stop: () => Promise.resolve(code), remove: () => undefined }, (line: string) => lines.push(line)).then(() => lines);
}

beforeAll(() => { [dashboard, charge] = ['<script></script>', '0.0255']; });

test('a correct container passes, and every check is reported', async () => {
  const lines = await check({});
  expect(lines.map((line) => line.replaceAll(/\d+ ms/gu, 'n ms'))).toEqual([
    '  ok  ready after n ms', '  ok  runs as user 1000', '  ok  the root file system is read-only', '  ok  serves the dashboard, 17 bytes',
    '  ok  serves a request for 0.0255 service tokens, and the ledger adds up', '  ok  ends n ms after SIGTERM, with code 0',
  ]);
});

test.each<[string, Readonly<Record<string, Outcome>>, string]>([
  ['runs as root', { '--print': printed('0\n') }, 'run as user 0'],
  ['writes to its root file system', { '--eval': printed('written\n') }, 'ends with written'],
  ['is refused a write for its rights alone', { '--eval': printed('EACCES\n') }, 'ends with EACCES'],
  ['has no command line', { 'accounts': printed('', 127) }, 'ended with code 127'],
  ['has books that do not agree', { 'ledger': printed('', 1) }, '"tollgate ledger verify" in the container ended with code 1'],
])('a container that %s fails', async (_what, outcomes, problem) => {
  await expect(check(outcomes)).rejects.toThrow(problem);
});

test('a container that exits with a code other than 0 after SIGTERM fails', async () => {
  await expect(check({}, 137)).rejects.toThrow('exited with code 137');
});

test.each([['0', 'and charge 0'], ['', 'and charge .']])('a container fails if its charge for a request is %j', async (charged, problem) => {
  charge = charged;
  try {
    await expect(check({})).rejects.toThrow(problem);
  } finally {
    charge = '0.0255';
  }
});

test('a container without the dashboard fails', async () => {
  dashboard = 'not found';
  try {
    await expect(check({})).rejects.toThrow('The dashboard responds with status');
  } finally {
    dashboard = '<script></script>';
  }
});
