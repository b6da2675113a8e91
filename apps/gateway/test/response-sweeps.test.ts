import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { SWEEP_MILLISECONDS } from '../src/background/sweep-runner.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let folder: string;
let clock: ManualClock;
let embedded: EmbeddedGateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sweeps-'));
  clock = new ManualClock();
  embedded = await startEmbeddedGateway({ environment: { DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, RESPONSES_KEEP_HOURS: '1' }, services: { clock } });
});

afterEach(async () => {
  await embedded.close();
  rmSync(folder, { recursive: true });
});

it('a running gateway removes expired responses from the database', async () => {
  const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${embedded.key}` };
  const body = JSON.stringify({ model: 'sandbox-small', input: 'What I say stays for an hour.' });
  expect(await (await fetch(`${embedded.url}/v1/responses`, { method: 'POST', headers, body })).json()).toMatchObject({ status: 'completed', store: true });
  const texts = (): readonly unknown[] => {
    const database = new Database(join(folder, 'tollgate.db'), { readonly: true });
    try {
      return database.prepare('select input_items from stored_responses').pluck().all();
    } finally {
      database.close();
    }
  };
  expect(texts()).toEqual([expect.stringContaining('What I say stays for an hour.')]);
  await clock.advanceAsync(SWEEP_MILLISECONDS);
  await clock.advanceAsync(MILLISECONDS_PER_HOUR);
  await until(async () => {
    await clock.advanceAsync(SWEEP_MILLISECONDS);
    return texts().length === 0;
  });
});
