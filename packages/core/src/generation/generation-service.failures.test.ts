import { describe, expect, it } from '@jest/globals';
import { aModel, endStep, type FaultKind, FaultPlan, type ProviderScript, reported, textSteps } from '@tollgate/testkit';
import { type GatewayError, type Ledger, ProviderFailure, type ReserveCommand, tokenCount } from '../index.js';
import { AT_REST, GenerationWorld, readAll, RESERVATION_LIFETIME_MILLISECONDS } from '../test-support/generation-world.js';

interface Scenario {
  readonly name: string;
  readonly balance: string;
  readonly script: ProviderScript;
  /** Calls of the ports, in order. */
  readonly calls: readonly string[];
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'served after an extension',
    balance: '100000',
    script: { steps: [...textSteps('x'.repeat(4000), 'y'.repeat(4000)), endStep(reported(5, 8000))] },
    calls: ['limiter.admit', 'ledger.reserve', 'provider.open', 'ledger.extend', 'ledger.settle', 'limiter.release'],
  },
  {
    name: 'that no upstream serves',
    balance: '100000',
    script: { refuses: new ProviderFailure('unavailable', 'down'), steps: [] },
    calls: ['limiter.admit', 'ledger.reserve', 'provider.open', 'ledger.settle', 'limiter.release', 'limiter.quota'],
  },
  {
    name: 'that the balance does not cover',
    balance: '10',
    script: { steps: [] },
    calls: ['limiter.admit', 'ledger.reserve', 'limiter.release', 'limiter.quota'],
  },
];

interface Fault {
  readonly call: number;
  readonly kind: FaultKind;
  readonly delivery: 'stream' | 'whole';
}

interface FaultyRun {
  readonly world: GenerationWorld;
  readonly struck: string | null;
  /** What the client saw, or the code of the refusal. */
  readonly result: unknown;
}

/** Runs a request whose n-th call to any port fails; `struck` is `null` if there were fewer calls. */
async function runWithFault({ balance, script }: Scenario, fault: Fault): Promise<FaultyRun> {
  const plan = new FaultPlan(fault.call, fault.kind);
  const world = await GenerationWorld.create({
    balance,
    models: [aModel({ maxOutputTokens: tokenCount(20_000) })],
    wrap: (ports) => ({
      ...ports,
      ledger: plan.watch('ledger', ports.ledger, ['reserve', 'extend', 'settle']),
      limiter: plan.watch('limiter', ports.limiter, ['admit', 'release', 'quota']),
      provider: plan.watch('provider', ports.provider, ['open']),
    }),
  });
  world.provider.script('small', script);
  const result = await world.generate({ delivery: fault.delivery }).then(readAll, ({ code }: GatewayError) => code);
  return { world, struck: plan.struck, result };
}

/** What the sweeper or a lease's expiry must free: a failed settlement, a lost ticket, an unreleased slot. */
function stillHeld(struck: string, kind: FaultKind): { readonly reserved: boolean; readonly slots: number } {
  return {
    reserved: struck === 'ledger.settle' && kind === 'before',
    slots: (struck === 'limiter.admit' && kind === 'after') || (struck === 'limiter.release' && kind === 'before') ? 1 : 0,
  };
}

it('the lifetime of a reservation begins when it is made, however long the upload took', async () => {
  const lifetimes: number[] = [];
  const world = await GenerationWorld.create({
    wrap: (ports) => ({
      ...ports,
      ledger: Object.assign(Object.create(ports.ledger) as Ledger, {
        reserve: (command: ReserveCommand) => {
          lifetimes.push(command.expiresAt - ports.clock.now());
          return ports.ledger.reserve(command);
        },
      }),
    }),
  });
  const command = world.command();
  world.clock.advance(RESERVATION_LIFETIME_MILLISECONDS);
  world.provider.script('small', { steps: [...textSteps('one'), endStep(null)] });
  await readAll(await world.service.generate(command));
  expect(lifetimes).toEqual([RESERVATION_LIFETIME_MILLISECONDS]);
});

describe.each(SCENARIOS)('a request $name', (scenario) => {
  describe.each(['stream', 'whole'] as const)('with the delivery %s', (delivery) => {
    it.each(['before', 'after'] as const)('leaks no reservation, no slot and no money if any call fails %s it takes effect', async (kind) => {
      const struckCalls: string[] = [];
      for (let call = 1; ; call += 1) {
        const { world, struck } = await runWithFault(scenario, { call, kind, delivery });
        if (struck === null) break;
        struckCalls.push(struck);
        const held = stillHeld(struck, kind);
        expect([struck, await world.reserved() !== '0', 4 - await world.freeSlots()]).toEqual([struck, held.reserved, held.slots]);
        expect(world.running.size).toBe(0);
        expect(world.clock.pendingTasks).toBe(0);
        world.clock.advance(RESERVATION_LIFETIME_MILLISECONDS);
        await world.store.ledger.sweep(world.clock.now());
        expect(await world.reserved()).toBe('0');
        expect((await world.store.ledger.verify()).differences).toEqual([]);
        expect((await world.records()).length).toBeLessThanOrEqual(1);
      }
      expect(struckCalls).toEqual(scenario.calls);
    });

    it('has its usual result if its slot cannot be released, and reports the failed release', async () => {
      const expected = await runWithFault(scenario, { call: 1000, kind: 'before', delivery });
      const { struck, result, world } = await runWithFault(scenario, { call: scenario.calls.indexOf('limiter.release') + 1, kind: 'before', delivery });
      expect([struck, result]).toEqual(['limiter.release', expected.result]);
      expect([expected.world, world].map(({ observer }) => observer.releaseFailures.length)).toEqual([0, 1]);
    });

    it('leaks nothing if no call fails', async () => {
      const { world } = await runWithFault(scenario, { call: 1000, kind: 'before', delivery });
      expect(await world.atRest()).toEqual(AT_REST);
    });
  });
});
