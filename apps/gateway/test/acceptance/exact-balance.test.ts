import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, ServiceTokens } from '@tollgate/core';
import { Gate, replies } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { DELIVERIES, FORMATS } from './support/formats.js';
import { catalogueFile, modelEntry, scriptedEntry } from './support/scripted-catalogue.js';

const SIMULTANEOUS = 200;
const WORTH = 7;
const OUTPUT_TOKENS = 50;

let world: AcceptanceWorld;
/** What one request reserves and is charged; the two are equal here. */
let costUnits = 0n;
let promptTokens = 0;

beforeAll(async () => {
  world = await AcceptanceWorld.start({
    catalogue: (upstream) => catalogueFile({ scripted: scriptedEntry(upstream) }, { 'only-model': modelEntry('only-model') }),
    planId: 'ample',
  });
  const counted = await world.post('/v1/messages/count_tokens', { model: 'only-model', messages: [{ role: 'user', content: 'One of many.' }] });
  promptTokens = Number(((await counted.json()) as JsonObject)['input_tokens']);
  costUnits = BigInt(promptTokens * 1000 + OUTPUT_TOKENS * 2000);
});
afterAll(() => world.close());

describe.each(FORMATS)('200 simultaneous requests in the $name format on a balance that pays for seven', (format) => {
  it.each(DELIVERIES)('end as 7 replies, which are charged, and 193 free refusals (%s)', async (delivery) => {
    const gate = new Gate();
    const usage = { prompt_tokens: promptTokens, completion_tokens: OUTPUT_TOKENS, total_tokens: promptTokens + OUTPUT_TOKENS };
    // The served requests keep their reservations until all others have been refused.
    world.upstream.always('up-only-model', replies({ text: ['Served.'], usage }, { pauses: [{ before: 'headers', gate }] }));
    // One micro-token less than the price of an eighth request.
    const rest = costUnits - 1n;
    const credit = ServiceTokens.fromUnits(costUnits * BigInt(WORTH) + rest);
    const caller = await world.addCaller({ planId: 'ample', credit: credit.toString() });
    const callsBefore = world.upstream.requests.length;
    let answered = 0;
    const body = format.body('only-model', 'One of many.', { max_tokens: OUTPUT_TOKENS, stream: delivery === 'stream' });
    const replying = Array.from({ length: SIMULTANEOUS }, async () => {
      const reply = await world.post(format.path, body, caller);
      answered += 1;
      if (answered === SIMULTANEOUS - WORTH) gate.open();
      return { reply, text: await reply.text() };
    });
    const all = await Promise.all(replying);

    const served = all.filter(({ reply }) => reply.status === 200);
    const refused = all.filter(({ reply }) => reply.status === 402);
    expect([served.length, refused.length, world.upstream.requests.length - callsBefore]).toEqual([WORTH, SIMULTANEOUS - WORTH, WORTH]);
    for (const { text } of served) {
      const read = delivery === 'stream' ? format.readStream(text) : format.readWhole(JSON.parse(text) as JsonObject);
      expect(read).toMatchObject({ text: 'Served.', figures: { debited: ServiceTokens.fromUnits(costUnits).toString() } });
    }
    for (const { reply, text } of refused) {
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'insufficient_balance', request_id: reply.headers.get('x-request-id') } });
    }
    // The other requests were refused before anything was reserved, so they left no trace.
    expect(await world.available(caller)).toBe(ServiceTokens.fromUnits(rest).toString());
    expect(world.usageRecordCount(caller.account.id)).toBe(WORTH);
    expect(world.heldReservations).toBe(0);
    await expectQuotaUsed(caller, WORTH);
  });
});

/** Expects that requests refused with 402 have returned their units to the quota. */
async function expectQuotaUsed(caller: TestCaller, requests: number): Promise<void> {
  const account = await world.get('/v1/account', caller);
  expect(account['used']).toMatchObject({ requests_this_minute: requests, tokens_this_minute: requests * (promptTokens + OUTPUT_TOKENS) });
}

it('an audit of the ledger finds no differences afterwards', async () => {
  expect(await world.differences()).toEqual([]);
});
