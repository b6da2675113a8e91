import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { HEAVY_UNITS } from '@tollgate/core';
import { REFUSAL_DELAY_MILLISECONDS } from '../src/http/reply/refusal-delay.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { type PageReply, TestBrowser } from '../src/test-support/test-browser.js';

const CHAT = '/v1/chat/completions';
const REQUEST = { model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };
const LIMIT = HEAVY_UNITS + 5;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: { unbilledPerMinuteAccount: LIMIT, unbilledPerMinuteAddress: LIMIT, refusalDelayMilliseconds: REFUSAL_DELAY_MILLISECONDS } });
});
afterEach(() => gateway.close());

/** Sends a request without a body, so that no timer but the refusal's delay uses the clock. */
function nothing(): Promise<Response> {
  return gateway.fetch('/v1/nothing');
}

async function repeat(times: number, send: () => Promise<Response>): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) await (await send()).arrayBuffer();
}

/** Observes when delays begin, without changing them. */
function watchDelays(delay = REFUSAL_DELAY_MILLISECONDS): { readonly begins: () => Promise<void> } {
  const schedule = jest.spyOn(gateway.clock, 'schedule');
  const begins = async (): Promise<void> => {
    while (!schedule.mock.calls.some(([milliseconds]) => milliseconds === delay)) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    schedule.mockClear();
  };
  return { begins };
}

/** Delay of a refusal after `earlier` other delayed ones: a twentieth longer for each, and after 20 as at first. */
function waitAfter(earlier: number): number {
  return REFUSAL_DELAY_MILLISECONDS * (1 + (earlier % 20) / 20);
}

/** Status of the reply. Fails unless the reply was delayed. */
async function delayed(send: () => Promise<{ readonly status: number }>, delay = REFUSAL_DELAY_MILLISECONDS): Promise<number> {
  const delays = watchDelays(delay);
  let arrived = false;
  const reply = send().then((response) => {
    arrived = true;
    return response;
  });
  await delays.begins();
  gateway.clock.advance(delay - 1);
  expect(arrived).toBe(false);
  gateway.clock.advance(1);
  return (await reply).status;
}

it('after 60 refusals in a minute, an account waits for each further refusal, a little longer each time, but not for served requests', async () => {
  await repeat(HEAVY_UNITS, nothing);
  for (let further = 0; further < 3; further += 1) expect(await delayed(nothing, waitAfter(further))).toBe(404);
  const served = await gateway.post(CHAT, REQUEST);
  expect(served.status).toBe(200);
});

it('an account whose unbilled work is used up waits four times as long for each refusal', async () => {
  await repeat(HEAVY_UNITS, nothing);
  for (let used = HEAVY_UNITS; used < LIMIT; used += 1) await delayed(nothing, waitAfter(used - HEAVY_UNITS));
  expect(await delayed(() => gateway.fetch('/v1/models'), 4 * waitAfter(LIMIT - HEAVY_UNITS))).toBe(429);
});

it('refusals of requests without a key are delayed by address, while callers with a valid key do not wait', async () => {
  await repeat(HEAVY_UNITS, () => fetch(`${gateway.url}/v1/models`));
  expect(await delayed(() => fetch(`${gateway.url}/v1/models`))).toBe(401);
  expect((await gateway.fetch('/v1/models')).status).toBe(200);
});

it('an excessive sign-in attempt waits four times as long as a refusal of the API, and the next a little longer', async () => {
  const browser = new TestBrowser(gateway.gateway);
  const attempt = (): Promise<PageReply> => browser.call(contract.signInByLink, { body: { token: 'x'.repeat(43) } });
  for (let tried = 0; tried < 5; tried += 1) expect((await attempt()).status).not.toBe(429);
  expect(await delayed(attempt, 4 * REFUSAL_DELAY_MILLISECONDS)).toBe(429);
  expect(await delayed(attempt, 4.2 * REFUSAL_DELAY_MILLISECONDS)).toBe(429);
});

it('a request that is pipelined behind a delayed refusal has its connection closed', async () => {
  await repeat(HEAVY_UNITS, nothing);
  const delays = watchDelays();
  const { hostname, port } = new URL(gateway.url);
  const request = `GET /v1/nothing HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${gateway.caller.key}\r\n\r\n`;
  const socket = connect(Number(port), hostname).on('error', () => undefined).resume();
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.write(request);
  await delays.begins();
  socket.write(request);
  await closed;
  gateway.clock.advance(REFUSAL_DELAY_MILLISECONDS);
  expect((await gateway.fetch('/v1/models')).status).toBe(200);
});
