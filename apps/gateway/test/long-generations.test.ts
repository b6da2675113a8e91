import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { later, type RequestId } from '@tollgate/core';
import { Gate } from '@tollgate/testkit';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { eventually } from '../src/test-support/test-client.js';

const LIFETIME_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 5_000;

let gateway: TestGateway;
let gate: Gate;

beforeEach(async () => {
  [gateway, gate] = [await startTestGateway({ settings: { reservationLifetimeMilliseconds: LIFETIME_MILLISECONDS } }), new Gate()];
  gateway.provider.script('halting', haltedReply(gate, ' again'));
});
afterEach(async () => {
  gate.open();
  await gateway.close();
});

function ask(stream: boolean): Promise<Response> {
  return gateway.post('/v1/chat/completions', { model: 'halting', stream, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }, { 'idempotency-key': 'order 66' });
}

/** Advances the clock in steps, with a sweep after each. The gateway's own sweeps follow each other in real time, so they may miss steps. */
async function pass(milliseconds: number): Promise<void> {
  const { clock, store: { ledger, idempotency } } = gateway.parts;
  for (const end = later(clock.now(), milliseconds); clock.now() < end;) {
    await clock.advanceAsync(STEP_MILLISECONDS);
    await ledger.sweep(clock.now());
    await idempotency.sweep(clock.now(), end);
  }
}

it.each([true, false])('a generation that takes longer than the lifetime of a reservation is charged once, and its idempotency key stays taken (streamed: %s)', async (stream) => {
  const { usage, ledgerAudit } = gateway.parts.store;
  const asked = ask(stream);
  await eventually(() => gateway.provider.calls.length === 1);
  await pass(2 * LIFETIME_MILLISECONDS);
  expect((await ask(stream)).status).toBe(409);
  gate.open();
  const answer = await asked;
  expect(answer.status).toBe(200);
  await answer.text();
  const [account, id] = [gateway.caller.account.id, answer.headers.get('x-request-id') as RequestId];
  expect([(await usage.find(account, id))?.reason, (await usage.transfersOf(account, id)).map(({ kind }) => kind)]).toEqual(['completed', ['charge']]);
  expect(gateway.provider.calls).toHaveLength(1);
  expect((await ledgerAudit.verify()).differences).toEqual([]);
});
