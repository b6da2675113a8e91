import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { instant } from '@tollgate/core';
import { LEASE_RENEWAL_MILLISECONDS } from '../../src/background/lease-keeper.js';
import { createLog } from '../../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';
import { bodyOfEveryFormat, FORMATS } from '../acceptance/support/formats.js';
import { type FaultPostgres, startFaultPostgres } from './support/fault-database.js';
import { patiently } from './support/patiently.js';

const TEST_MILLISECONDS = 120_000;
const REQUESTS = 6;

let database: FaultPostgres;
let clock: ManualClock;
let logged: Readonly<Record<string, unknown>>[];
let embedded: EmbeddedGateway;

beforeEach(async () => {
  database = await startFaultPostgres();
  clock = new ManualClock(instant(Date.now()));
  logged = [];
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const environment = { DATABASE_URL: database.url, OUTBOX_FILE: join(database.folder, 'outbox'), METRICS_PORT: '0' };
  embedded = await startEmbeddedGateway({ environment, services: { clock, log } });
}, TEST_MILLISECONDS);

afterEach(async () => {
  database.network.heal();
  await embedded.close();
  await database.remove();
}, TEST_MILLISECONDS);

async function ask(number: number): Promise<number> {
  const { status, body } = await fetch(`${embedded.url}${FORMATS[number % FORMATS.length]?.path ?? ''}`, {
    method: 'POST', headers: { 'x-api-key': embedded.key, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', ...bodyOfEveryFormat('Hi', 20) }),
  });
  await body?.cancel();
  return status;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(embedded.gateway.metricsUrl ?? '')).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

function linesOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  return logged.filter(({ msg }) => String(msg).includes(text));
}

it('requests refused in a PostgreSQL outage leave one log line with host and reason, and nothing in the outbox', async () => {
  expect(await ask(0)).toBe(200);
  database.network.blackHole();
  expect(await Promise.all(Array.from({ length: REQUESTS }, (_, number) => ask(number)))).toEqual(Array.from({ length: REQUESTS }, () => 503));
  const host = `postgresql://127.0.0.1:${database.network.port}/postgres`;
  expect(linesOf('requests fail because of the database')).toEqual([expect.objectContaining({ level: 50, database: host, reason: expect.stringMatching(/timeout|terminated/) })]);
  expect([await metric('tollgate_settlements_waiting'), existsSync(join(database.folder, 'outbox'))]).toEqual([0, false]);
  await patiently(async () => await metric('tollgate_releases_waiting') > 0);
  expect([await metric('tollgate_settlements_waiting'), existsSync(join(database.folder, 'outbox'))]).toEqual([0, false]);
  database.network.heal();
  expect(await ask(0)).toBe(200);
  await patiently(async () => {
    await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    return linesOf('requests no longer fail because of the database').length > 0;
  });
  expect(linesOf('because of the database').slice(1)).toEqual([expect.objectContaining({ level: 30, database: host, failedRequests: REQUESTS })]);
  await patiently(async () => {
    await clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    return await metric('tollgate_releases_waiting') === 0;
  });
  const [held] = await database.rows("select count(*)::int as held from reservations where state = 'held'");
  expect(held).toEqual({ held: 0 });
}, TEST_MILLISECONDS);
