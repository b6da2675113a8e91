import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkReply } from './support/check-reply.js';
import { fuzzSettings } from './support/fuzz-settings.js';
import { runFuzzPart } from './support/fuzz-run.js';
import { FuzzWorld } from './support/fuzz-world.js';
import type { FuzzedReply } from './support/http-client.js';
import { type FuzzedRequest, fuzzedRequest } from './support/fuzzed-request.js';
import { keepRequest, keptRequests } from './support/regressions.js';
import { refersToStored } from './support/stored-responses.js';

const settings = fuzzSettings();
let world: FuzzWorld;

beforeAll(async () => {
  world = await FuzzWorld.start();
});

afterAll(async () => {
  await world.close();
});

/** Sends a request. Expects no 5xx, no broken frame, no reservation left, and no unexpected error in the log. */
async function check(sent: FuzzedRequest): Promise<string> {
  if (refersToStored(sent)) await world.storeResponses();
  const replies = await world.client.send(sent);
  if (sent.framing.kind === 'sound') for (const reply of replies) checkReply(sent.target, sent.method, reply);
  for (const { status } of replies) expect([status, status < 500]).toEqual([status, true]);
  for (const request of world.upstream.requests.splice(0)) expect(request.method).toBe('POST');
  await world.settled();
  expect(world.logged.splice(0)).toEqual([]);
  return outcomeOf(replies);
}

function outcomeOf([reply]: readonly FuzzedReply[]): string {
  if (reply === undefined) return 'no reply';
  return reply.status === 200 && reply.headers['content-type']?.startsWith('text/event-stream') === true ? 'stream' : String(reply.status);
}

describe('mutated valid requests', () => {
  it('that failed in an earlier run are served or refused with a valid error', async () => {
    for (const sent of keptRequests()) expect(await check(sent)).not.toMatch(/^5/);
  });

  it(`are served or refused with a valid error, whatever the mutation`, async () => {
    await runFuzzPart({ name: 'requests', cases: fuzzedRequest, count: settings.requests, check, keep: keepRequest }, settings);
    expect(await world.differences()).toEqual([]);
  }, settings.minutes * 60_000);
});
