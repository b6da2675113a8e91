import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { NO_USAGE_FILTERS } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { services } from '../src/composition/services.js';
import { LEASE_RENEWAL_MILLISECONDS } from '../src/background/lease-keeper.js';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let folder: string;
let file: string;
let clock: ManualClock;
let embedded: EmbeddedGateway;
let logged: Readonly<Record<string, unknown>>[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-lost-'));
  file = join(folder, 'tollgate.db');
  clock = new ManualClock();
  logged = [];
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  embedded = await startEmbeddedGateway({ environment: { DATABASE_URL: `sqlite:${file}` }, services: { clock, log } });
});

afterEach(async () => {
  await embedded.close();
  rmSync(folder, { recursive: true });
});

function ask(path: string, body: object = {}): Promise<Response> {
  return fetch(`${embedded.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': embedded.key },
    body: JSON.stringify({ model: 'sandbox-small', max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }], input: 'Hi', ...body }),
  });
}

/** Renews the lease until `/readyz` reports this state. */
async function becomes(state: object): Promise<void> {
  const expected = JSON.stringify(state);
  await until(async () => {
    await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    return JSON.stringify(await (await fetch(`${embedded.url}/readyz`)).json()) === expected;
  });
}

const ANY = { ...NO_USAGE_FILTERS, limit: 5, cursor: null };
const LOST = { status: 'unavailable', store: 'lost', models: 'ok' };
const READY = { status: 'ready', store: 'ok', models: 'ok' };

it('after the database file is deleted, /readyz and the log report it, and new work gets 503 until it is restored', async () => {
  expect((await ask('/v1/messages')).status).toBe(200);
  renameSync(file, `${file}.moved`);
  await becomes(LOST);
  expect((await fetch(`${embedded.url}/readyz`)).status).toBe(503);
  for (const path of ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1/messages/count_tokens', '/v1/responses/input_tokens']) {
    const reply = await ask(path);
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([503, '2', expect.objectContaining({
      error: expect.objectContaining({ code: 'service_unavailable', type: 'overloaded_error' }),
    })]);
  }
  await becomes(LOST);
  expect(logged.filter(({ msg }) => String(msg).includes(`the database is lost: ${file} was deleted while it is in use`))).toHaveLength(1);
  renameSync(`${file}.moved`, file);
  await becomes(READY);
  expect((await ask('/v1/messages')).status).toBe(200);
});

it('a request that ran while the database file was deleted is charged once, after the file is restored', async () => {
  const reply = await ask('/v1/messages', { stream: true, max_tokens: 400, messages: [{ role: 'user', content: '[[tokens:400]] [[pace:1000]]' }] });
  const text = reply.text();
  await becomes(READY);
  renameSync(file, `${file}.moved`);
  await becomes(LOST);
  await until(async () => {
    await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    return existsSync(`${file}-outbox`);
  });
  expect(await text).toContain('"svc_settlement":"pending"');
  const charges = async (): Promise<readonly string[]> => {
    const page = await embedded.gateway.container.get(services.usage).list({ ...ANY, accountId: embedded.account.id });
    return (page?.records ?? []).map(({ charge }) => charge.amount.toString());
  };
  renameSync(`${file}.moved`, file);
  await becomes(READY);
  await until(async () => {
    await clock.advanceAsync(1000);
    return (await charges()).length === 1;
  });
  expect(await charges()).not.toEqual(['0']);
});

it('a gateway whose database file is gone can still be stopped normally', async () => {
  renameSync(file, `${file}.moved`);
  await becomes(LOST);
  await expect(embedded.gateway.close()).resolves.toBeUndefined();
});
