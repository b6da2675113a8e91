import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { replies, type Step } from '@tollgate/testkit';
import { checkReply, checkUpstreamReply } from './support/check-reply.js';
import { fuzzSettings } from './support/fuzz-settings.js';
import { runFuzzPart } from './support/fuzz-run.js';
import { FuzzWorld } from './support/fuzz-world.js';
import { type FuzzedUpstream, fuzzedUpstream } from './support/fuzzed-upstream.js';
import type { FuzzedReply } from './support/http-client.js';
import { keepUpstream, keptUpstreams } from './support/regressions.js';

const settings = fuzzSettings();
let world: FuzzWorld;

beforeAll(async () => {
  world = await FuzzWorld.start();
});

afterAll(async () => {
  await world.close();
});

function stepsOf({ status, contentType, writes, ending }: FuzzedUpstream): readonly Step[] {
  return [
    { type: 'send-headers', status, headers: contentType === null ? {} : { 'content-type': contentType } },
    ...writes.map((bytes): Step => ({ type: 'write', bytes })),
    { type: ending },
  ];
}

async function send(target: string, body: JsonObject): Promise<FuzzedReply> {
  const [reply] = await world.client.send({
    method: 'POST', target, headers: [['authorization', 'Bearer $key'], ['content-type', 'application/json']], body: Buffer.from(JSON.stringify(body)), framing: { kind: 'sound' },
  });
  if (reply === undefined) throw new Error('a valid request was not answered');
  return reply;
}

/** Serves a valid request, which shows that a slot is free, and keeps the circuit closed. */
async function serveNext(model: string): Promise<void> {
  world.upstream.script(`up-${model}`, replies({ text: 'Well.' }));
  const reply = await send('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] });
  expect(reply.status).toBe(200);
  checkReply('/v1/chat/completions', 'POST', reply);
}

/** Sends a request to a broken upstream. Expects valid frames or a known error, no reservation left, and that the next request is served. */
async function check(answer: FuzzedUpstream): Promise<string> {
  world.upstream.script(`up-${answer.model}`, () => stepsOf(answer));
  const reply = await send(answer.target, answer.body);
  const outcome = checkUpstreamReply(answer.target, reply);
  await world.settled();
  if (outcome !== 'served') await serveNext(answer.model);
  world.upstream.requests.length = 0;
  expect(world.logged.splice(0)).toEqual([]);
  return outcome;
}

describe('mutated valid upstream replies', () => {
  it('that caused a failure in an earlier run no longer cause one', async () => {
    for (const answer of keptUpstreams()) expect(['served', 'broken off', '400', '503']).toContain(await check(answer));
  });

  it('cause no failure, whatever the mutation', async () => {
    await runFuzzPart({ name: 'streams', cases: fuzzedUpstream, count: settings.streams, check, keep: keepUpstream }, settings);
    expect(await world.differences()).toEqual([]);
  }, settings.minutes * 60_000);
});
