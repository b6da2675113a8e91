import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { checkChatStream, checkMessagesStream, checkResponsesStream } from '@tollgate/testkit';
import { StreamRecorder } from '../acceptance/support/stream-recorder.js';
import { CLIENT_PATHS } from './support/all-clients.js';
import { deviationOf } from './support/deviations.js';
import { expectedAnswer, expectedDemand } from './support/expected-answer.js';
import { PrintedWarnings } from './support/printed-warnings.js';
import { SCENARIOS } from './support/scenarios.js';
import { UPSTREAM_KINDS } from './support/upstream-kinds.js';
import { WireWorld } from './support/wire-world.js';

const STREAM_CHECKS = { chat: checkChatStream, messages: checkMessagesStream, responses: checkResponsesStream };

describe.each(UPSTREAM_KINDS)('over an upstream of the kind $kind', ({ kind, definition, behaviour, asked }) => {
  const printed = new PrintedWarnings();
  const recorder = new StreamRecorder();
  let world: WireWorld;

  beforeAll(async () => {
    printed.start();
    world = await WireWorld.start({ models: SCENARIOS.map(({ name }) => name), definition });
    for (const scenario of SCENARIOS) world.upstream.always(scenario.name, behaviour(scenario));
  });

  afterAll(async () => {
    await world.close();
    printed.stop();
  });

  // A later minute closes the circuit that deliberate failures of the upstream may have opened.
  beforeEach(() => world.gateway.clock.advance(MILLISECONDS_PER_MINUTE));

  describe.each(SCENARIOS)('$name', (scenario) => {
    it.each(CLIENT_PATHS)('reaches the client ($path) unchanged, except for the known deviations', async ({ client, delivery }) => {
      const before = world.upstream.requests.length;
      const answer = await client.ask({ url: world.url, key: world.gateway.caller.key, scenario, delivery, retries: 0, fetch: recorder.fetch });
      expect(answer).toEqual({ ...expectedAnswer(scenario, delivery), ...deviationOf({ client: client.name, delivery, scenario: scenario.name, kind }) });
      expect(world.upstream.requests.slice(before).map(asked)).toEqual([expectedDemand(scenario, client)]);
      const isStream = delivery !== 'whole' && scenario.breaksAfterPieces !== 0;
      expect(recorder.check(STREAM_CHECKS[client.format])).toBe(isStream && client.transport !== 'own' ? 1 : 0);
      expect(await printed.take()).toEqual([]);
    });
  });
});
