import { DEFAULT_TIMEOUTS } from './default-options.js';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { CancelSignal } from '@tollgate/core';
import { Pool } from 'undici';
import { UpstreamCall } from './upstream-call.js';

describe('a call', () => {
  let server: Server;
  let pool: Pool;
  let replying: Promise<ServerResponse>;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    replying = once(server, 'request').then(([, response]) => response as ServerResponse);
    await once(server, 'listening');
    pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await pool.destroy();
  });

  it('gives a waiting reader the data received so far when it is cancelled, then fails', async () => {
    const call = new UpstreamCall(new ManualClock(), { timeouts: DEFAULT_TIMEOUTS, maxResponseBytes: 1_000 });
    const head = call.send(pool, { method: 'GET', path: '/', headers: [], body: null });
    const reply = await replying;
    reply.flushHeaders();
    await head;
    const taken = call.arrival().then(() => {
      call.cancel();
      return call.take();
    });
    reply.write('a');
    expect(Buffer.concat(await taken ?? []).toString()).toBe('a');
    await expect(call.arrival()).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('stops the timer for the rest of its reply when the reply ends', async () => {
    const clock = new ManualClock();
    const call = new UpstreamCall(clock, { timeouts: DEFAULT_TIMEOUTS, maxResponseBytes: 1_000 });
    const head = call.send(pool, { method: 'GET', path: '/', headers: [], body: null });
    const reply = await replying;
    reply.flushHeaders();
    await head;
    call.endWithin(1_000);
    reply.end();
    expect(await call.read()).toBeNull();
    expect(clock.pendingTasks).toBe(0);
  });
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
}

const WORDS_OF_REQUEST = 8_192;
const BYTES_PER_WORD = 8;
const CALLS = 300;
const CALLS_PER_COLLECTION = 20;
const ROUNDS = 5;
const MAX_SHARE = 0.2;

/** A signal that keeps a large request in memory as long as the signal is referenced. */
function heavySignal(): CancelSignal & { readonly request: readonly number[] } {
  const { signal } = new AbortController();
  return Object.assign(signal, { request: Array.from({ length: WORDS_OF_REQUEST }, (_none, index) => index / 3) });
}

// V8's incremental marking, caused by other tests' modules, would promote young objects early. Once V8 has seen objects of one place in the code
// survive, it allocates all later ones in the old generation.
const DISTURBING = ['incremental-marking', 'allocation-site-pretenuring'];
beforeAll(() => DISTURBING.forEach((flag) => setFlagsFromString(`--no-${flag}`)));
afterAll(() => DISTURBING.forEach((flag) => setFlagsFromString(`--${flag}`)));

/** Makes many calls, and returns the share of their requests that V8's old generation retains after their end. */
function retainedShare(): number {
  const clock = new ManualClock();
  const callOnce = (): void => {
    const call = new UpstreamCall(clock, { timeouts: DEFAULT_TIMEOUTS, maxResponseBytes: 1_000 });
    call.follow(heavySignal());
    call.cancel();
  };
  for (let count = 0; count < CALLS; count += 1) callOnce();
  collect();
  const before = oldBytes();
  for (let count = 1; count <= CALLS; count += 1) {
    callOnce();
    if (count % CALLS_PER_COLLECTION === 0) collect({ type: 'minor' });
  }
  return (oldBytes() - before) / (CALLS * WORDS_OF_REQUEST * BYTES_PER_WORD);
}

it('the request of an ended call is freed without a full collection', () => {
  // A collection that V8 begins by itself moves live requests and spoils a round; requests that calls retain spoil all rounds.
  let share = Infinity;
  for (let round = 0; round < ROUNDS && share >= MAX_SHARE; round += 1) share = retainedShare();
  expect(share).toBeLessThan(MAX_SHARE);
});
