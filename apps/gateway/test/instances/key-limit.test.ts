import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { CHAT } from '../acceptance/support/formats.js';
import { Crowd, type CrowdReply } from './support/crowd.js';
import { CrowdedDeployment } from './support/crowded-deployment.js';
import type { Deployment } from './support/deployment.js';
import { EMBEDDED, SHARED, type SetUp } from './support/set-up.js';
import { UPSTREAM_MODEL } from './support/shared-catalogue.js';

const SIMULTANEOUS = 200;
const MAX_OUTPUT = 1000;
const OUTPUT = 90;
const TWO_GATEWAYS: SetUp = { ...SHARED, name: 'PostgreSQL and Redis, two gateways', gateways: 2 };

describe.each([EMBEDDED, TWO_GATEWAYS])('the spending limit of a key on $name', (setUp) => {
  let crowded: CrowdedDeployment;
  let deployment: Deployment;

  beforeAll(async () => {
    crowded = await CrowdedDeployment.start(setUp);
    deployment = crowded.deployment;
  }, 60_000);
  afterAll(() => crowded.close());

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
    return crowded.ask(number, key, CHAT, { max_tokens: MAX_OUTPUT });
  }

  it('permits exactly seven of 200 simultaneous requests if it pays for seven requests', async () => {
    const { account, key } = await addLimited(7n * crowded.cost(MAX_OUTPUT));
    const callsBefore = deployment.upstream.requests.length;
    const all = await crowded.askAtOnce(SIMULTANEOUS, OUTPUT, (number) => ask(number, key));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(all.filter((reply) => reply.status === 429 && Crowd.codeOf(reply) === 'api_key_limit_exceeded')).toHaveLength(SIMULTANEOUS - 7);
    expect(deployment.upstream.requests.length - callsBefore).toBe(7);
    expect(await deployment.balanceOf(account.id)).toEqual({ available: amount(1_000_000_000n - 7n * crowded.cost(OUTPUT)).toString(), reserved: '0' });
    expect(await deployment.recordsOf(account.id)).toHaveLength(7);
  }, 30_000);

  it('is not renewed by rotation', async () => {
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Served.'], usage: crowded.usage(OUTPUT) }));
    const { account, key, keyId } = await addLimited(crowded.cost(MAX_OUTPUT) + crowded.cost(OUTPUT));
    expect((await ask(0, key)).status).toBe(200);
    const rotated = await deployment.gateway(1).keyManagement.rotate({ accountId: account.id, keyId, actor: SYSTEM_ACTOR });
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    const successor = rotated.issued.secret.reveal();
    expect((await ask(0, successor)).status).toBe(200);
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) statuses.push((await ask(statuses.length, successor)).status);
    const floor = crowded.cost(256);
    const served = (crowded.cost(MAX_OUTPUT) + crowded.cost(OUTPUT) - floor) / crowded.cost(OUTPUT) + 1n;
    expect(statuses).toHaveLength(Number(served) - 2 + 1);
  }, 30_000);

  it('leaves a ledger without differences', async () => {
    expect(await deployment.differences()).toEqual([]);
  });
});
