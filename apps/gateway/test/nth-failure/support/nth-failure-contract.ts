import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultKind } from '@tollgate/testkit';
import { failNthCall } from './fail-nth-call.js';
import { FaultyGateway, type FaultyGatewayParts } from './faulty-gateway.js';
import { type Scenario, SCENARIOS } from './scenarios.js';

/** Calls that requests and periodic services make. The contract expects that each of them has failed at some time. */
const CALLS = [
  'idempotency.claim', 'idempotency.finish', 'idempotency.release', 'idempotency.sweep', 'keys.findByHash',
  'ledger.checkpoint', 'ledger.extend', 'ledger.reserve', 'ledger.settle', 'ledger.sweep', 'limiter.admit', 'limiter.quota', 'limiter.release',
  'provider.open', 'responses.keep', 'responses.sweep', 'upstream.next', 'usage.tokensUsed',
];
const MAX_CALLS = 50;
const MAX_MILLISECONDS = 120_000;

/** Lets one call after the other fail until no further call is made; returns the failed ones. */
async function failEveryCall(world: FaultyGateway, scenario: Scenario, fault: { readonly kind: FaultKind; readonly delivery: 'stream' | 'whole' }): Promise<readonly string[]> {
  const struck: string[] = [];
  await world.useNewCaller(`${fault.kind} ${fault.delivery} ${scenario.name}`.replaceAll(' ', '-'));
  for (let call = 1; call < MAX_CALLS; call += 1) {
    const failed = await failNthCall(world, scenario, { ...fault, call });
    if (failed === null) return struck;
    struck.push(failed);
  }
  throw new Error(`the request made ${MAX_CALLS} calls or more`);
}

/** Whichever port call fails, in whichever way, no money, slot or key is lost. */
export function nthFailureContract(name: string, { kinds, ...parts }: FaultyGatewayParts & { readonly kinds: readonly FaultKind[] }): void {
  describe(`at a gateway over ${name} whose port calls fail one after the other,`, () => {
    const struck = new Set<string>();

    afterAll(() => expect([...struck].toSorted()).toEqual(CALLS));

    describe.each(SCENARIOS)('a request $name', (scenario) => {
      let world: FaultyGateway;

      // Each scenario has its own database, because the audit after every test reads the whole ledger.
      beforeAll(async () => {
        world = await FaultyGateway.start(parts);
      });
      afterAll(() => world.close());

      describe.each(['stream', 'whole'] as const)('(delivery: %s)', (delivery) => {
        it.each(kinds)('leaves no reservation, and no charge without a record (%s)', async (kind) => {
          const failed = await failEveryCall(world, scenario, { kind, delivery });
          expect(failed.length).toBeGreaterThan(0);
          for (const call of failed) struck.add(call);
          expect((await world.store.ledgerAudit.verify()).differences).toEqual([]);
          expect((await world.store.auditTrail.verifyAuditTrail()).firstBrokenEntry).toBeNull();
        }, MAX_MILLISECONDS);
      });
    });
  });
}
