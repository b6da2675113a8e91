import { describe, expect, it } from '@jest/globals';
import {
  type AdmissionTicket, type Ending, HeldRequest, instant, type Ledger, NO_USAGE, type RequestFacts, ServiceTokens, type SettleCommand, tokenCount,
} from '@tollgate/core';
import { GenerationWorld } from '../test-support/generation-world.js';
import { UsageMeter } from './usage-meter.js';
import { aModel, OneTokenPerCharacter } from '@tollgate/testkit';

/** Cost of 5 prompt tokens and 10 output tokens at the prices of `aModel`. */
const COVERS_TEN = ServiceTokens.parse('25');

type Method = (...given: readonly unknown[]) => unknown;

/** Records each call to the port. */
function noting<Port extends object>(port: Port, calls: string[], settled: SettleCommand[] = []): Port {
  return new Proxy(port, {
    get: (target, property) => {
      const method = Reflect.get(target, property, target) as Method;
      return (...given: readonly unknown[]) => {
        calls.push(String(property));
        if (property === 'settle') settled.push(given[0] as SettleCommand);
        return method.apply(target, [...given]);
      };
    },
  });
}

async function holding() {
  const [calls, settled]: [string[], SettleCommand[]] = [[], []];
  const world = await GenerationWorld.create();
  const { caller, clock, ids, limiter, observer, running } = world;
  const admission = await limiter.admit({ accountId: caller.account.id, requestId: ids.requestId(), limits: caller.plan.limits, incident: null, kind: 'generation', tokens: tokenCount(9) });
  if (!admission.admitted) throw new Error('the world is empty');
  const facts: RequestFacts = {
    requestId: ids.requestId(), accountId: caller.account.id, keyId: caller.keyId, format: 'chat', streamed: true, requestedModel: 'small', attribution: null,
    usdPerServiceToken: world.catalogue.current().usdPerServiceToken, startedAt: clock.now(),
  };
  const reservationId = ids.reservationId();
  const ledger: Ledger = noting(world.store.ledger, calls, settled);
  await world.store.ledger.reserve({ reservationId, ownerId: ids.processId(), amount: COVERS_TEN, floor: COVERS_TEN, facts, expiresAt: instant(Infinity) });
  const ticket: AdmissionTicket = admission.ticket;
  const held = new HeldRequest({ ledger, limiter: noting(limiter, calls), observer, running }, { reservationId, ticket, facts, budget: null, setAside: { amount: COVERS_TEN, promptTokens: tokenCount(5), candidates: [aModel()] } });
  const ending = (reason: Ending['reason']): Ending => ({ reason, service: null, usage: NO_USAGE, firstOutputAt: null, endedAt: clock.now() });
  return { world, held, calls, settled, ending };
}

describe('HeldRequest', () => {
  it('settles and releases once, however often it is ended, and returns the same result each time', async () => {
    const { world, held, calls, ending } = await holding();
    const [first, second] = await Promise.all([held.end(ending('client_left')), held.end(ending('provider_failed'))]);
    expect(second).toBe(first);
    await held.tryEnd(ending('shutdown'));
    expect(await held.end(ending('crashed'))).toBe(first);
    expect(calls).toEqual(['settle', 'release']);
    expect(world.observer.outcomes.map((outcome) => outcome.ending.reason)).toEqual(['client_left']);
    expect([held.hasEnded, world.running.size, await world.freeSlots()]).toEqual([true, 0, 4]);
  });

  it('frees the slot only after the settlement, so that the next request sees the new balance', async () => {
    const { held, calls, ending } = await holding();
    await held.end(ending('client_left'));
    expect(calls.indexOf('settle')).toBeLessThan(calls.indexOf('release'));
  });

  it('extends by as many whole steps as the output needs', async () => {
    const { world, held, calls } = await holding();
    const model = aModel();
    held.accept({ servedBy: model.slug, upstreamId: 'scripted', fallbackUsed: false, priceVersion: null, price: model.price }, new UsageMeter(new OneTokenPerCharacter(), { source: { statedPrompt: null }, promptTokens: tokenCount(5), largestPromptTokens: tokenCount(5), maxOutputTokens: tokenCount(20_000), thinking: 'shown' }));
    expect(held.coveredOutputTokens).toBe(10);
    expect(await held.extendTo(11)).toBe('covered');
    expect(held.coveredOutputTokens).toBe(10 + 4096);
    expect(await held.extendTo(10 + 4096 + 4097)).toBe('covered');
    expect(held.coveredOutputTokens).toBe(10 + 3 * 4096);
    expect(calls).toEqual(['extend', 'extend']);
    expect(await world.reserved()).toBe(String(25 + 3 * 4096 * 2));
  });

  it('states in its settlement whether a checkpoint may have been stored, even if the upstream failed later', async () => {
    for (const isCheckpointed of [false, true]) {
      const { world, held, settled, ending } = await holding();
      const model = aModel();
      const service = { servedBy: model.slug, upstreamId: 'scripted', fallbackUsed: false, priceVersion: null, price: model.price };
      world.running.progress();
      held.accept(service, new UsageMeter(new OneTokenPerCharacter(), { source: { statedPrompt: null }, promptTokens: tokenCount(5), largestPromptTokens: tokenCount(5), maxOutputTokens: tokenCount(20), thinking: 'shown' }));
      if (isCheckpointed) world.running.progress();
      held.abandon();
      world.running.progress();
      await held.end(ending('provider_unavailable'));
      expect(settled.map(({ hold }) => hold?.isCheckpointed)).toEqual([isCheckpointed]);
    }
  });
});
