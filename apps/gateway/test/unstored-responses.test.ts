import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let folder: string;
let beside: Database.Database;
let logged: Readonly<Record<string, unknown>>[];
let embedded: EmbeddedGateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-unstored-'));
  logged = [];
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const file = join(folder, 'tollgate.db');
  embedded = await startEmbeddedGateway({ environment: { DATABASE_URL: `sqlite:${file}`, METRICS_PORT: '0' }, services: { log } });
  beside = new Database(file);
});

afterEach(async () => {
  await embedded.close();
  beside.close();
  rmSync(folder, { recursive: true });
});

async function ask(stream: boolean): Promise<string> {
  const reply = await fetch(`${embedded.url}/v1/responses`, {
    method: 'POST', headers: { 'x-api-key': embedded.key, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', input: 'Hi', max_output_tokens: 20, stream }),
  });
  expect(reply.status).toBe(200);
  return reply.text();
}

it.each([true, false])('a response that the database fails to store is delivered, charged, logged and counted (streamed: %s)', async (stream) => {
  beside.exec("CREATE TRIGGER full BEFORE INSERT ON stored_responses BEGIN SELECT RAISE(ABORT, 'no room for responses'); END");
  const text = await ask(stream);
  expect(stream ? text.slice(text.lastIndexOf('event: response.completed')) : text).toContain('"store":false');
  expect(text).not.toContain('svc_settlement');
  const lines = logged.filter(({ msg }) => String(msg).startsWith('a response could not be stored'));
  expect(lines).toEqual([expect.objectContaining({ level: 50, requestId: expect.stringMatching(/^req_/), err: expect.objectContaining({ message: expect.stringContaining('no room for responses') }) })]);
  expect(await (await fetch(embedded.gateway.metricsUrl ?? '')).text()).toContain('\ntollgate_responses_not_stored_total 1\n');
});
