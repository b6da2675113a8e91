import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invariant, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '../../src/composition/services.js';
import { LimiterHealth } from '../../src/observability/limiter-health.js';
import type { TestCaller } from '../../src/test-support/start-test-gateway.js';
import { Deployment } from './support/deployment.js';
import { sharedCatalogue } from './support/shared-catalogue.js';
import { TWO_SHARED } from './support/set-up.js';

const UNITS = 40;

describe('two gateways over one PostgreSQL and one Redis', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.start({ setUp: TWO_SHARED, catalogue: sharedCatalogue, environment: { UNBILLED_PER_MINUTE_ACCOUNT: `${UNITS}` } });
  }, 60_000);
  afterAll(() => deployment.close());

  /** Sends a read, which costs a unit of unbilled work. */
  async function read(gateway: number, key: string): Promise<number> {
    const reply = await fetch(`${deployment.gateway(gateway).url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
    await reply.text();
    return reply.status;
  }

  /** Sends reads until both gateways refuse; returns the number of served reads. A gateway learns of the other's reads only when it serves one. */
  async function useUp(keys: readonly string[]): Promise<number> {
    let answered = 0;
    for (let sent = 0, refusedInRow = 0; refusedInRow < 4; sent += 1) {
      invariant(sent < 4 * UNITS, 'the units are used up at some time');
      const status = await read(sent, keys[Math.floor(sent / 2) % keys.length] ?? '');
      if (status === 200) answered += 1;
      refusedInRow = status === 429 ? refusedInRow + 1 : 0;
    }
    return answered;
  }

  async function secondKeyOf({ account }: TestCaller): Promise<string> {
    const { keyManagement, container } = deployment.gateway(0);
    const plan = container.get(services.catalogue).current().plan(account.planId);
    invariant(plan !== null, 'the plan is in the catalogue');
    const made = await keyManagement.create({ accountId: account.id, plan, name: 'second', expiresAt: null, actor: SYSTEM_ACTOR });
    invariant(made.outcome === 'created', 'the plan allows two keys');
    return made.issued.secret.reveal();
  }

  it('count the unbilled work of an account together, for all its keys; a rotated key gets no new units', async () => {
    const caller = await deployment.addCaller({ planId: 'minute-1', credit: '1000' });
    const second = await secondKeyOf(caller);
    const answered = await useUp([caller.key, second]);
    // Gateways add their counts as replies end, so one more request per gateway may pass.
    expect(answered).toBeGreaterThanOrEqual(UNITS - 1);
    expect(answered).toBeLessThanOrEqual(UNITS + 2);

    const rotated = await deployment.gateway(0).keyManagement.rotate({ accountId: caller.account.id, keyId: caller.keyId, actor: SYSTEM_ACTOR });
    invariant(rotated.outcome === 'rotated', 'the key is active');
    const replacement = rotated.issued.secret.reveal();
    expect([await read(0, replacement), await read(1, replacement), await read(0, second), await read(1, second)]).toEqual([429, 429, 429, 429]);

    const other = await deployment.addCaller({ planId: 'minute-1', credit: '1000' });
    expect([await read(0, other.key), await read(1, other.key)]).toEqual([200, 200]);
    expect(deployment.gateways.map(({ container }) => container.get(LimiterHealth).isLocal)).toEqual([false, false]);
  }, 60_000);
});
