import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { Gate, replies } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { CHAT } from '../acceptance/support/formats.js';
import { Crowd, type CrowdReply } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { EMBEDDED, SHARED, type SetUp } from './support/set-up.js';
import { MODEL, sharedCatalogue, UPSTREAM_MODEL } from './support/shared-catalogue.js';

const SIMULTANEOUS = 200;
const MAX_OUTPUT = 1000;
const OUTPUT = 90;
const TWO_GATEWAYS: SetUp = { ...SHARED, name: 'PostgreSQL and Redis, two gateways', gateways: 2 };

describe.each([EMBEDDED, TWO_GATEWAYS])('the spending limit of a key on $name', (setUp) => {
  let deployment: Deployment;
  const crowd = new Crowd();
  let promptTokens = 0;

  beforeAll(async () => {
    deployment = await Deployment.start({ setUp, catalogue: sharedCatalogue });
    const { key } = await deployment.addCaller({ planId: 'ample', credit: '1' });
    const reply = await crowd.ask({ url: `${urlOf(0)}/v1/messages/count_tokens`, key, body: { model: MODEL, messages: [{ role: 'user', content: 'One of many.' }] } });
    promptTokens = Number((JSON.parse(reply.body) as JsonObject)['input_tokens']);
  }, 60_000);
  afterAll(async () => {
    crowd.close();
    await deployment.close();
  });

  function urlOf(number: number): string {
    return deployment.gateway(number).url;
  }

  /** Cost of a request with this many output tokens, in micro-units. */
  function cost(output: number): bigint {
    return BigInt(promptTokens * 1000 + output * 2000);
  }

  function amount(units: bigint): ServiceTokens {
    return ServiceTokens.fromUnits(units);
  }

  /** Adds a caller with an ample balance and a monthly limit on the key. */
  async function addLimited(limit: bigint): Promise<TestCaller> {
    const caller = await deployment.addCaller({ planId: 'ample', credit: '1000' });
    const change = { limit: { amount: amount(limit), period: 'month' as const } };
    await deployment.gateway(0).keyManagement.change({ accountId: caller.account.id, keyId: caller.keyId, change, actor: SYSTEM_ACTOR });
    return caller;
  }

  function ask(number: number, key: string): Promise<CrowdReply> {
    return crowd.ask({ url: `${urlOf(number)}${CHAT.path}`, key, body: CHAT.body(MODEL, 'One of many.', { max_tokens: MAX_OUTPUT }) });
  }

  function usage(): JsonObject {
    return { prompt_tokens: promptTokens, completion_tokens: OUTPUT, total_tokens: promptTokens + OUTPUT };
  }

  /** Sends all requests at once. Replies wait until every other request is at the upstream or refused. */
  async function askAll(key: string): Promise<readonly CrowdReply[]> {
    const gate = new Gate();
    let [arrived, refused] = [0, 0];
    const openWhenAllAreIn = (): void => {
      if (arrived + refused === SIMULTANEOUS) gate.open();
    };
    deployment.upstream.always(UPSTREAM_MODEL, (request) => {
      arrived += 1;
      openWhenAllAreIn();
      return replies({ text: ['Served.'], usage: usage() }, { pauses: [{ before: 'headers', gate }] })(request);
    });
    return Promise.all(Array.from({ length: SIMULTANEOUS }, async (_, number) => {
      const reply = await ask(number, key);
      if (reply.status !== 200) refused += 1;
      openWhenAllAreIn();
      return reply;
    }));
  }

  it('serves exactly seven of 200 simultaneous requests if it pays for seven requests', async () => {
    const { account, key } = await addLimited(7n * cost(MAX_OUTPUT));
    const callsBefore = deployment.upstream.requests.length;
    const all = await askAll(key);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(all.filter((reply) => reply.status === 429 && Crowd.codeOf(reply) === 'api_key_limit_exceeded')).toHaveLength(SIMULTANEOUS - 7);
    expect(deployment.upstream.requests.length - callsBefore).toBe(7);
    expect(await deployment.balanceOf(account.id)).toEqual({ available: amount(1_000_000_000n - 7n * cost(OUTPUT)).toString(), reserved: '0' });
    expect(await deployment.recordsOf(account.id)).toHaveLength(7);
  }, 30_000);

  it('is not renewed by rotation', async () => {
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Served.'], usage: usage() }));
    const { account, key, keyId } = await addLimited(cost(MAX_OUTPUT) + cost(OUTPUT));
    expect((await ask(0, key)).status).toBe(200);
    const rotated = await deployment.gateway(1).keyManagement.rotate({ accountId: account.id, keyId, actor: SYSTEM_ACTOR });
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    const successor = rotated.issued.secret.reveal();
    expect((await ask(0, successor)).status).toBe(200);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) statuses.push((await ask(statuses.length, successor)).status);
    const floor = cost(256);
    const served = (cost(MAX_OUTPUT) + cost(OUTPUT) - floor) / cost(OUTPUT) + 1n;
    expect(statuses).toHaveLength(Number(served) - 2 + 1);
  }, 30_000);

  it('leaves a ledger without differences', async () => {
    expect(await deployment.differences()).toEqual([]);
  });
});
