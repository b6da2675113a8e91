import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Run, TollgateFolder } from '../../apps/cli/src/test-support/tollgate-run.js';
import { createGateway } from '../../apps/gateway/src/composition/container.js';
import type { Gateway } from '../../apps/gateway/src/gateway/gateway.js';
import { codeBlock, readDocument } from './documents.js';

const SUPPORT = readDocument('docs/support.md');
/** A word of a command, or several in double quotes. */
const WORD = /"([^"]*)"|(\S+)/g;

interface Created { readonly key: { readonly id: string; readonly secret: string } }

let folder: TollgateFolder;
let gateway: Gateway;
const values = new Map<string, string>();

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  gateway = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production', DATABASE_URL: `sqlite:${join(folder.path, 'tollgate.db')}` });
});
afterAll(async () => {
  await gateway.close();
  folder.remove();
});

function wordsOf(line: string): readonly string[] {
  const filled = line.replaceAll(/\$([A-Z]+)/g, (_name, key: string) => values.get(key) ?? '');
  return [...filled.matchAll(WORD)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}

/** Runs the commands of a block, with the dates moved to the current month. Throws if one fails. */
async function play(mark: string): Promise<readonly Run[]> {
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
  const dayOne = (offset: number): string => new Date(Date.UTC(year, month + offset)).toISOString().slice(0, 10);
  const block = codeBlock(SUPPORT, mark).replace('2026-11-01', dayOne(0)).replace('2026-12-01', dayOne(1));
  const runs: Run[] = [];
  for (const line of block.trim().split('\n')) {
    const run = await folder.run(...wordsOf(line));
    expect([line, run.exitCode, run.error]).toEqual([line, 0, '']);
    runs.push(run);
  }
  return runs;
}

async function request(secret: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
}

/** Time limit for about twenty commands, each of which opens the database. */
const COMMANDS_MILLISECONDS = 60_000;

it('the commands of an operator’s day in support.md work in the order of the page', async () => {
  const [, , shown] = await play('operator-customers');
  expect(shown?.out).toContain('750 service tokens');
  const { key: { id, secret } } = await folder.json<Created>('keys', 'create', 'ada@example.com');
  values.set('KEY', id);
  const served = await request(secret);
  expect(served.status).toBe(200);
  values.set('REQUEST', served.headers.get('x-request-id') ?? '');

  const incident = await play('operator-incident');
  expect(incident[2]?.out).toContain('We replace a model server.');
  const abuse = await play('operator-abuse');
  expect(abuse[2]?.out).toContain('203.0.113.0/24');
  expect((await request(secret)).status).toBe(200);

  const [explained, refunded] = await play('operator-refund');
  expect(explained?.out).toContain(values.get('REQUEST'));
  expect(refunded?.out).toContain('0.01 service tokens are booked as a refund');
  await play('operator-month-end');
  expect(existsSync(join(folder.path, 'usage-2026-11.csv'))).toBe(true);
}, COMMANDS_MILLISECONDS);
