import { describe, expect, it } from '@jest/globals';
import { type GenerationEventBatch, type Ledger, type ModelProvider, type SettleCommand, type Settlement, SettlementRefused } from '@tollgate/core';
import { AT_REST, extendedBy, GenerationWorld, readAll } from '../test-support/generation-world.js';
import { FINAL_USAGE_WAIT_MILLISECONDS } from './within-grace-period.js';
import { endStep, Gate, type ProviderScript, reported, textSteps, yielding } from '@tollgate/testkit';

async function opened(script: ProviderScript, wrapLedger: (ledger: Ledger) => Ledger = (ledger) => ledger) {
  const world = await GenerationWorld.create({ wrap: (ports) => ({ ...ports, ledger: wrapLedger(ports.ledger) }) });
  world.provider.script('small', script);
  const leaving = new AbortController();
  const generation = await world.generate({ signal: leaving.signal });
  return { world, leaving, generation, events: generation.events };
}

/** A ledger that records each settlement and delays it until the gate opens. */
function slowToSettle(ledger: Ledger, gate: Gate, settled: SettleCommand[] = []): Ledger {
  return new Proxy(ledger, {
    get: (target, property) => {
      if (property !== 'settle') {
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (command: SettleCommand): Promise<Settlement> => {
        settled.push(command);
        await gate.opened;
        return target.settle(command);
      };
    },
  });
}

const OPEN = new Gate();
OPEN.open();

const DONE = { done: true, value: undefined };

describe('a stream that is closed early', () => {
  it('before its first event, charges the prompt, since no output was delivered', async () => {
    const { world, events } = await opened({ steps: [...textSteps('abc', 'def'), { type: 'hang' }] });
    expect(await events.return()).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '5']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('between two events, charges the delivered output and stops the upstream', async () => {
    const { world, events } = await opened({ steps: [...textSteps('abc', 'def', 'ghi'), { type: 'hang' }] });
    await events.next();
    await events.next();
    expect(await events.return()).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '17']);
    expect(world.provider.streams[0]?.returns).toBe(1);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each(['ends', 'fails'] as const)('while a read is pending, ends that read and charges the delivered output (the upstream’s return %s)', async (whenReturned) => {
    const { world, events } = await opened({ steps: [...textSteps('abc'), { type: 'hang' }], whenReturned });
    await events.next();
    const pending = events.next();
    expect(await events.return()).toEqual(DONE);
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('while a read is pending and the signal is aborted, charges the delivered output', async () => {
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), { type: 'hang' }] });
    await events.next();
    const pending = events.next();
    leaving.abort();
    expect(await events.return()).toEqual(DONE);
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('only by the abort of its signal, ends the pending read', async () => {
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), { type: 'hang' }] });
    await events.next();
    const pending = events.next();
    leaving.abort();
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('twice, settles once, and both closings wait for the settlement', async () => {
    const gate = new Gate();
    const settled: SettleCommand[] = [];
    const { world, events } = await opened({ steps: [...textSteps('abc'), { type: 'hang' }] }, (ledger) => slowToSettle(ledger, gate, settled));
    await events.next();
    const order: string[] = [];
    const both = [events.return().then(() => order.push('first')), events.return().then(() => order.push('second'))];
    await world.clock.advanceAsync(1);
    expect(order).toEqual([]);
    gate.open();
    await Promise.all(both);
    expect(await events.return()).toEqual(DONE);
    expect(settled).toHaveLength(1);
    expect(await events.next()).toEqual(DONE);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('during the settlement of its normal end, waits for that settlement and does not change it', async () => {
    const gate = new Gate();
    const settled: SettleCommand[] = [];
    const { world, events } = await opened({ steps: [...textSteps('abc'), endStep(reported(5, 3))] }, (ledger) => slowToSettle(ledger, gate, settled));
    await events.next();
    const end = events.next();
    await world.clock.advanceAsync(1);
    const order: string[] = [];
    const closed = events.return().then(() => order.push('closed'));
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS + 1);
    expect(order).toEqual([]);
    gate.open();
    await closed;
    expect((await end).value?.at(-1)?.type).toBe('generation-end');
    expect(settled).toHaveLength(1);
    expect(await world.ending()).toEqual(['completed', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('returns no event that arrives after its settlement', async () => {
    const gate = new Gate();
    const late = [...textSteps('abc'), { type: 'wait', gate } as const, ...textSteps('late'), endStep(reported(5, 7))];
    const { world, events } = await opened({ steps: late, whenReturned: 'hangs' });
    await events.next();
    const pending = events.next();
    const closed = events.return();
    world.clock.advance(FINAL_USAGE_WAIT_MILLISECONDS);
    expect(await closed).toEqual(DONE);
    gate.open();
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
  });

  it('waits at most two seconds for an upstream that ignores both abort and return', async () => {
    const gate = new Gate();
    const late = [{ type: 'wait', gate } as const, ...textSteps('late'), endStep(reported(5, 999))];
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), ...late], whenAborted: 'goes-on', whenReturned: 'hangs' });
    await events.next();
    const pending = events.next();
    leaving.abort();
    const closed = events.return();
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS);
    expect(await closed).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
    gate.open();
    expect(await pending).toEqual(DONE);
    expect(await world.records()).toHaveLength(1);
    expect(await world.atRest()).toEqual({ ...AT_REST, openStreams: 1 });
  });
});

/** Deltas of one text that arrive together, followed by `more`. */
function together(...more: ProviderScript['steps']): ProviderScript['steps'][number] {
  const batches = [...textSteps('b', 'c', 'd'), ...more].map((step) => (step.type === 'yield' ? step.batch : []));
  return yielding(...batches.flat());
}

describe('deltas that arrive together', () => {
  it('are returned before the settlement, so that a client that disconnects during the settlement has received them', async () => {
    const settled: SettleCommand[] = [];
    const { world, events } = await opened({ steps: [together(endStep(reported(5, 3)))] }, (ledger) => slowToSettle(ledger, OPEN, settled));
    expect((await events.next()).value?.map(({ type }) => type)).toEqual(['generation-start', 'block-start', 'block-delta', 'block-delta', 'block-delta', 'block-end']);
    expect(settled).toEqual([]);
    expect((await events.next()).value?.map(({ type }) => type)).toEqual(['generation-end']);
    expect(await events.next()).toEqual(DONE);
    expect(await world.ending()).toEqual(['completed', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('with the end of the reply are charged as a completed reply, even if the client disconnects after the last delta', async () => {
    const { world, events, leaving } = await opened({ steps: [together(endStep(reported(5, 3)))] });
    await events.next();
    leaving.abort();
    expect(await events.return()).toEqual(DONE);
    expect(await world.ending()).toEqual(['completed', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each([
    { what: 'in the middle of a reply', rest: [], ending: ['client_left', 'counted', '5'] },
    { what: 'with the end of a reply without reported usage', rest: [endStep(null)], ending: ['client_left', 'counted', '5'] },
    { what: 'with the end of a reply and its reported usage', rest: [endStep(reported(5, 3))], ending: ['client_left', 'reported', '11'] },
  ])('$what are not returned after the client has disconnected, and are charged only if the upstream reports them', async ({ rest, ending }) => {
    const { world, events, leaving } = await opened({ steps: [together(...rest), { type: 'hang' }] });
    leaving.abort();
    expect(await events.next()).toEqual(DONE);
    expect(await events.return()).toEqual(DONE);
    expect(await world.ending()).toEqual(ending);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('are not charged if the client disconnects before they arrive and the reply does not end', async () => {
    const gate = new Gate();
    const { world, events, leaving } = await opened({ steps: [...textSteps('a'), { type: 'wait', gate }, together(), { type: 'hang' }], whenAborted: 'goes-on' });
    await events.next();
    const pending = events.next();
    leaving.abort();
    gate.open();
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS);
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'counted', '7']);
  });
});

describe('a client that has disconnected', () => {
  it('is charged the reported usage if the report arrives within two seconds', async () => {
    const gate = new Gate();
    const rest = [{ type: 'wait', gate } as const, ...textSteps('unseen'), endStep(reported(5, 4))];
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), ...rest], whenAborted: 'goes-on' });
    await events.next();
    leaving.abort();
    const closed = events.return();
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS - 1);
    gate.open();
    await closed;
    expect(await world.ending()).toEqual(['client_left', 'reported', '13']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('is charged the delivered output if the report arrives after two seconds', async () => {
    const gate = new Gate();
    const rest = [{ type: 'wait', gate } as const, endStep(reported(5, 4))];
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), ...rest], whenAborted: 'goes-on' });
    await events.next();
    leaving.abort();
    const closed = events.return();
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS);
    gate.open();
    await closed;
    expect(await world.ending()).toEqual(['client_left', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('after the last token, is charged as for a completed reply', async () => {
    const gate = new Gate();
    const rest = [{ type: 'wait', gate } as const, endStep(reported(5, 3))];
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), ...rest], whenAborted: 'goes-on' });
    await events.next();
    leaving.abort();
    const closed = events.return();
    gate.open();
    await closed;
    expect(await world.ending()).toEqual(['completed', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each([
    { what: 'is not charged the undelivered output if no usage is reported', usage: null, ending: ['client_left', 'counted', '11'] },
    { what: 'is charged the reported usage', usage: reported(5, 6), ending: ['client_left', 'reported', '17'] },
  ])('before the last output is delivered, with the end in a later batch, $what', async ({ usage, ending }) => {
    const gate = new Gate();
    const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), { type: 'wait', gate }, ...textSteps('def'), endStep(usage)], whenAborted: 'goes-on' });
    await events.next();
    const pending = events.next();
    leaving.abort();
    gate.open();
    expect(await pending).toEqual(DONE);
    expect(await world.ending()).toEqual(ending);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('before it reads any output, is charged the usage that the upstream then reports; without a report, only the prompt', async () => {
    for (const [usage, ending] of [[null, ['client_left', 'counted', '5']], [reported(5, 3), ['client_left', 'reported', '11']]] as const) {
      const { world, events, leaving } = await opened({ steps: [...textSteps('abc'), endStep(usage)], whenAborted: 'goes-on' });
      leaving.abort();
      expect(await events.return()).toEqual(DONE);
      expect(await world.ending()).toEqual(ending);
    }
  });

  it('between the early headers and the first event, is charged the reported usage, and its pending read ends', async () => {
    const world = await GenerationWorld.create({
      earlyHeadersMilliseconds: 100,
      wrap: (ports) => ({ ...ports, provider: { open: async (call) => Object.assign(await ports.provider.open(call), { isEventStream: true }) } }),
    });
    const gate = new Gate();
    world.provider.script('small', { steps: [{ type: 'wait', gate }, ...textSteps('abc'), endStep(reported(5, 3))], whenAborted: 'goes-on' });
    const leaving = new AbortController();
    const generating = world.generate({ signal: leaving.signal });
    await world.clock.advanceAsync(100);
    const { events } = await generating;
    leaving.abort();
    const step = events.next();
    gate.open();
    expect(await step).toEqual(DONE);
    expect(await world.ending()).toEqual(['client_left', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each([
    ['has arrived', 'abc'],
    ['has arrived and the reservation cannot be extended for it', 'x'.repeat(5000)],
  ])('after early headers, is charged only for the prompt, although unread output %s', async (_what, output) => {
    const [arrival, extension] = [new Gate(), new Gate()];
    const world = await GenerationWorld.create({
      earlyHeadersMilliseconds: 100,
      wrap: (ports) => ({
        ...ports,
        provider: { open: async (call) => Object.assign(await ports.provider.open(call), { isEventStream: true }) },
        ledger: extendedBy(ports.ledger, async () => {
          await extension.opened;
          throw new Error('connection lost');
        }),
      }),
    });
    world.provider.script('small', { steps: [{ type: 'wait', gate: arrival }, ...textSteps(output), { type: 'hang' }] });
    const leaving = new AbortController();
    const generating = world.generate({ signal: leaving.signal });
    await world.clock.advanceAsync(100);
    const { events } = await generating;
    await events.next();
    arrival.open();
    await world.clock.advanceAsync(1);
    leaving.abort();
    const left = events.return();
    extension.open();
    await left;
    expect(await world.ending()).toEqual(['client_left', 'counted', '5']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('before it reads a reply that is already complete, is charged the reported usage', async () => {
    const whole = textSteps('abc').flatMap((step) => (step.type === 'yield' ? step.batch : []));
    const end = endStep(reported(5, 3));
    const { world, events } = await opened({ steps: [{ type: 'yield', batch: [...whole, ...(end.type === 'yield' ? end.batch : [])] }] });
    await events.return();
    expect(await world.ending()).toEqual(['client_left', 'reported', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('in the middle of a for-await loop, leaks no resources', async () => {
    const { world, events } = await opened({ steps: [...textSteps('abc', 'def'), { type: 'hang' }] });
    const seen: GenerationEventBatch[] = [];
    for await (const batch of events) {
      seen.push(batch);
      break;
    }
    expect(seen).toHaveLength(1);
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('an upstream that cannot be closed', () => {
  it.each(['hangs', 'fails'] as const)('delays neither the normal nor the failed end of a reply (%s)', async (whenReturned) => {
    const normal = await opened({ steps: [...textSteps('abc'), endStep(reported(5, 3))], whenReturned });
    expect(await readAll(normal.generation)).toMatchObject({ text: 'abc', how: 'ended' });
    expect(normal.world.provider.streams[0]?.returns).toBe(1);
    const broken = await opened({ steps: [...textSteps('abc'), { type: 'fail', failure: new Error('reset') }], whenReturned });
    expect(await readAll(broken.generation)).toMatchObject({ text: 'abc', how: 'broken-off' });
    expect(await broken.world.ending()).toEqual(['provider_failed', 'counted', '11']);
  });
});

describe('an upstream that throws synchronously', () => {
  it('ends its reply like an upstream whose promise rejects', async () => {
    const throwing = (provider: ModelProvider): ModelProvider => ({
      open: async (call) => {
        const stream = await provider.open(call);
        let reads = 0;
        return {
          next: () => {
            reads += 1;
            if (reads > 1) throw new Error('thrown');
            return stream.next();
          },
          statedPrompt: null,
          return: () => stream.return(),
        };
      },
    });
    const world = await GenerationWorld.create({ wrap: (ports) => ({ ...ports, provider: throwing(ports.provider) }) });
    world.provider.script('small', { steps: [...textSteps('abc', 'def'), endStep(null)] });
    expect(await readAll(await world.generate())).toMatchObject({ text: 'abc', how: 'broken-off' });
    expect(await world.ending()).toEqual(['provider_failed', 'counted', '11']);
    expect(await world.atRest()).toEqual(AT_REST);
  });
});

describe('a ledger that does not accept the settlement', () => {
  const failingWith = (failure: Error) => (ledger: Ledger): Ledger => new Proxy(ledger, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'settle') return () => Promise.reject(failure);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const failing = failingWith(new Error('the disk is full'));

  it('turns the normal end of a reply into an internal error; the slot is freed and the sweeper ends the reservation', async () => {
    const { world, generation } = await opened({ steps: [...textSteps('abc'), endStep(reported(5, 3))] }, failing);
    const seen = await readAll(generation);
    expect(seen).toMatchObject({ text: 'abc', how: 'broken-off', failure: { code: 'internal_error' } });
    expect(generation.events.isUncharged).toBe(false);
    expect(world.observer.settlementFailures).toHaveLength(1);
    expect(await world.freeSlots()).toBe(4);
    expect(world.running.size).toBe(0);
    world.clock.advance(60 * 60_000);
    await world.store.ledger.sweep(world.clock.now());
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('changes neither how a failed reply ends nor how a reply to a disconnected client ends', async () => {
    const broken = await opened({ steps: [...textSteps('abc'), { type: 'fail', failure: new Error('reset') }] }, failing);
    expect((await readAll(broken.generation)).failure).toMatchObject({ code: 'provider_unavailable' });
    const left = await opened({ steps: [...textSteps('abc'), { type: 'hang' }] }, failing);
    expect(await left.events.return()).toEqual(DONE);
    expect(left.world.observer.settlementFailures).toHaveLength(1);
  });

  it('makes a served request free if the refusal is permanent, however the stream ends', async () => {
    const refusing = failingWith(new SettlementRefused(new Error('the disk is full')));
    const whole = await opened({ steps: [...textSteps('abc'), endStep(reported(5, 3))] }, refusing);
    const broken = await opened({ steps: [...textSteps('abc'), { type: 'fail', failure: new Error('reset') }] }, refusing);
    const left = await opened({ steps: [...textSteps('abc'), { type: 'hang' }] }, refusing);
    for (const { generation } of [whole, broken]) await readAll(generation);
    await left.events.return();
    expect([whole, broken, left].map(({ generation }) => generation.events.isUncharged)).toEqual([true, true, true]);
  });
});
