import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { eventually } from '../../src/test-support/test-client.js';
import { CLIENT_PATHS } from './support/all-clients.js';
import type { Answer } from './support/client.js';
import { deviationOf } from './support/deviations.js';
import { expectedAnswer } from './support/expected-answer.js';
import { PrintedWarnings } from './support/printed-warnings.js';
import { AFTER_REFUSAL } from './support/scenarios.js';
import { UPSTREAM_KINDS } from './support/upstream-kinds.js';
import { WireWorld } from './support/wire-world.js';

/** Real time that the clients wait for the window to end, all concurrently. */
const REMAINING_MILLISECONDS = 1000;
/** More than one retry, because a client on a busy machine may retry too early. */
const RETRIES = 4;

describe.each(UPSTREAM_KINDS)('a client refused by the request limit, over an upstream of the kind $kind', ({ kind, definition, behaviour }) => {
  const printed = new PrintedWarnings();
  const answers = new Map<string, Answer>();
  let world: WireWorld;

  const refusedAccounts = (): number =>
    new Set(world.gateway.parts.logged.filter((line) => line['code'] === 'rate_limit_exceeded').map((line) => line['accountId'])).size;

  beforeAll(async () => {
    printed.start();
    world = await WireWorld.start({ models: [AFTER_REFUSAL.name], definition });
    world.upstream.always(AFTER_REFUSAL.name, behaviour(AFTER_REFUSAL));
    const paths = await Promise.all(CLIENT_PATHS.map(async (row) => ({ ...row, caller: await world.addCallerOfOneRequest(row.path) })));
    const ask = ({ client, delivery, caller }: (typeof paths)[number], retries: number): Promise<Answer> =>
      client.ask({ url: world.url, key: caller.key, scenario: AFTER_REFUSAL, delivery, retries, fetch });
    await Promise.all(paths.map((path) => ask(path, 0)));
    world.gateway.clock.advance(MILLISECONDS_PER_MINUTE - REMAINING_MILLISECONDS);
    const asked = Promise.all(paths.map(async (path) => answers.set(path.path, await ask(path, RETRIES))));
    await eventually(() => refusedAccounts() === paths.length);
    world.gateway.clock.advance(REMAINING_MILLISECONDS);
    await asked;
  });

  afterAll(async () => {
    await world.close();
    printed.stop();
  });

  it.each(CLIENT_PATHS)('is served by its own retries once the minute has ended, with $path', ({ path, client, delivery }) => {
    expect(answers.get(path)).toEqual({ ...expectedAnswer(AFTER_REFUSAL, delivery), ...deviationOf({ client: client.name, delivery, scenario: AFTER_REFUSAL.name, kind }) });
  });

  it('is refused at least once, then served exactly once, and prints nothing', async () => {
    expect(refusedAccounts()).toBe(CLIENT_PATHS.length);
    expect(world.upstream.requests).toHaveLength(2 * CLIENT_PATHS.length);
    expect(await printed.take()).toEqual([]);
  });
});
