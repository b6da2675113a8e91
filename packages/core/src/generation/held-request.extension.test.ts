import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type ApiKeyId, type CancelSignal, type KeyLimit, type Ledger, type ModelSlug, OUTPUT_STEP_TOKENS, type ReportedUsage, ServiceTokens, STANDARD_PLANS,
  SYSTEM_ACTOR, tokenCount,
} from '../index.js';
import { type AskOptions, AT_REST, extendedBy, GenerationWorld, readAll, type Seen } from '../test-support/generation-world.js';
import { FINAL_USAGE_WAIT_MILLISECONDS } from './within-grace-period.js';
import { aModel, aPrice, endStep, Gate, reported, textSteps, yielding } from '@tollgate/testkit';

/** The prompt `Hello` costs 5; one step of 4,096 output tokens costs 8,192. */
const FIRST_RESERVATION = 5 + 2 * OUTPUT_STEP_TOKENS;
const STEP = 2 * OUTPUT_STEP_TOKENS;
/** Cost of the prompt and 256 output tokens. */
const FLOOR = 5 + 2 * 256;
const LONG_MODEL = aModel({ maxOutputTokens: tokenCount(20_000) });

/** A signal that detects a lost connection, and calls its listeners, only when `aborted` is read. */
class PolledSignal implements CancelSignal {
  readonly #controller = new AbortController();
  #isLost = false;

  get aborted(): boolean {
    if (this.#isLost) this.#controller.abort();
    return this.#controller.signal.aborted;
  }

  get reason(): unknown {
    return this.#controller.signal.reason;
  }

  lose(): void {
    this.#isLost = true;
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.addEventListener(type, listener);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.removeEventListener(type, listener);
  }
}

/** A ledger that notes the last command of each kind. */
function notedBy(ledger: Ledger, commands: Map<unknown, readonly unknown[]>): Ledger {
  return new Proxy(ledger, {
    get: (target, property) => (...command: readonly unknown[]): unknown => {
      commands.set(property, command);
      return (Reflect.get(target, property, target) as (...given: readonly unknown[]) => unknown).apply(target, [...command]);
    },
  });
}

async function relayed(balance: number, pieces: readonly string[]): Promise<{ readonly world: GenerationWorld; readonly seen: Seen }> {
  const world = await GenerationWorld.create({ balance: String(balance), models: [LONG_MODEL] });
  world.provider.script('small', { steps: [...textSteps(...pieces), endStep(null)] });
  return { world, seen: await readAll(await world.generate()) };
}

describe('a generation that outgrows its reservation', () => {
  it.each([
    ['all of the first step', 4096, FIRST_RESERVATION],
    ['one token more than the first step', 4097, FIRST_RESERVATION + STEP],
    ['all of the second step', 8192, FIRST_RESERVATION + STEP],
    ['one token more than the second step', 8193, FIRST_RESERVATION + 2 * STEP],
  ])('extends it by as many steps as the output needs: %s', async (_name, output, needed) => {
    const pieces = ['x'.repeat(4000), 'x'.repeat(96), ...'x'.repeat(output - 4096).match(/.{1,1000}/gu) ?? []];
    const enough = await relayed(needed, pieces);
    expect(enough.seen).toMatchObject({ how: 'ended', text: 'x'.repeat(output) });
    expect(await enough.world.ending()).toEqual(['completed', 'counted', String(5 + 2 * output)]);
    expect(await enough.world.atRest()).toEqual(AT_REST);
  });

  it('calls the ledger once per step, however many deltas the step covers', async () => {
    let extensions = 0;
    const world = await GenerationWorld.create({
      models: [LONG_MODEL],
      wrap: (ports) => ({ ...ports, ledger: extendedBy(ports.ledger, (...command) => {
        extensions += 1;
        return ports.ledger.extend(...command);
      }) }),
    });
    world.provider.script('small', { steps: [...textSteps(...Array.from({ length: 90 }, () => 'x'.repeat(100))), endStep(null)] });
    expect((await readAll(await world.generate())).text).toHaveLength(9_000);
    expect(extensions).toBe(2);
  });

  it('extends the reservation by as many steps as one large delta needs', async () => {
    const { world, seen } = await relayed(FIRST_RESERVATION + 2 * STEP, ['x'.repeat(10_000)]);
    expect(seen.text).toHaveLength(10_000);
    expect(await world.ending()).toEqual(['completed', 'counted', '20005']);
  });

  it.each([
    ['one micro-token', FIRST_RESERVATION + STEP - 0.000001],
    ['the whole amount', FIRST_RESERVATION],
  ])('if the balance lacks %s for the next step, is clipped to the paid output and charged exactly for that output', async (_name, balance) => {
    const { world, seen } = await relayed(balance, ['x'.repeat(4000), 'y'.repeat(97), 'z'.repeat(10)]);
    const events = seen.batches.flat();
    expect(seen).toMatchObject({ how: 'ended', failure: null, text: 'x'.repeat(4000) + 'y'.repeat(96) });
    expect(events.at(-2)).toEqual({ type: 'block-end', index: 0, signature: null });
    expect(events.at(-1)).toMatchObject({ type: 'generation-end', stopReason: 'max-tokens', usage: { visibleOutputTokens: 4096 } });
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(FIRST_RESERVATION)]);
    expect(world.provider.streams[0]?.returns).toBe(1);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('ends with key_limit_reached if the key’s limit does not cover the next step', async () => {
    const world = await GenerationWorld.create({ models: [LONG_MODEL] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4000), 'y'.repeat(97)), endStep(null)] });
    const keyLimit: KeyLimit = { lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse(String(FIRST_RESERVATION + STEP - 1)), period: 'month' };
    const seen = await readAll(await world.generate({ keyLimit }));
    expect(seen).toMatchObject({ how: 'ended', failure: null, text: 'x'.repeat(4000) + 'y'.repeat(96) });
    expect(seen.batches.flat().at(-1)).toMatchObject({ type: 'generation-end', stopReason: 'max-tokens' });
    expect(await world.ending()).toEqual(['key_limit_reached', 'counted', String(FIRST_RESERVATION)]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each<KeyLimit | null>([
    null, { lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('90000'), period: 'month' },
  ])('is settled with its extended reservation and the budget of that reservation (key limit: %j)', async (keyLimit) => {
    const commands = new Map<unknown, readonly unknown[]>();
    const world = await GenerationWorld.create({ models: [LONG_MODEL], wrap: (ports) => ({ ...ports, ledger: notedBy(ports.ledger, commands) }) });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4097)), endStep(null)] });
    await readAll(await world.generate(keyLimit === null ? {} : { keyLimit }));
    const [{ facts, budget }] = commands.get('reserve') as Parameters<Ledger['reserve']>;
    expect(budget === null).toBe(keyLimit === null);
    expect(commands.get('settle')).toMatchObject([{ hold: { facts, budget, amount: ServiceTokens.parse(String(FIRST_RESERVATION + STEP)) } }]);
  });

  it('ends normally if the last events arrive together and need an extension', async () => {
    const world = await GenerationWorld.create({ models: [LONG_MODEL] });
    const all = yielding(
      { type: 'block-start', index: 0, block: { type: 'text' } },
      { type: 'block-delta', index: 0, delta: 'x'.repeat(9_000) },
      { type: 'block-end', index: 0, signature: null },
      { type: 'provider-end', stopReason: 'end', usage: null },
    );
    world.provider.script('small', { steps: [all] });
    expect(await readAll(await world.generate())).toMatchObject({ how: 'ended', text: 'x'.repeat(9_000) });
    expect((await world.ending())[0]).toBe('completed');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('is charged the delivered output if the client disconnects during a slow extension', async () => {
    const gate = new Gate();
    const world = await GenerationWorld.create({
      models: [LONG_MODEL],
      wrap: (ports) => ({ ...ports, ledger: extendedBy(ports.ledger, async (...command) => {
        await gate.opened;
        return ports.ledger.extend(...command);
      }) }),
    });
    world.provider.script('small', { steps: [...textSteps('abc', 'x'.repeat(5_000)), { type: 'hang' }] });
    const { events } = await world.generate();
    await events.next();
    const waiting = events.next();
    await world.clock.advanceAsync(1);
    const leaving = events.return();
    await world.clock.advanceAsync(FINAL_USAGE_WAIT_MILLISECONDS);
    await leaving;
    expect(await world.ending()).toEqual(['client_left', 'counted', String(5 + 2 * 3)]);
    gate.open();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each([
    { what: 'in the middle of a reply', end: [] },
    { what: 'with the end of a reply', end: [{ type: 'block-end', index: 0, signature: null }, { type: 'provider-end', stopReason: 'end', usage: null }] },
  ] as const)('is not charged for the last batch, $what, if the connection is lost during an extension', async ({ end }) => {
    const gate = new Gate();
    const connection = new PolledSignal();
    const world = await GenerationWorld.create({
      models: [LONG_MODEL],
      wrap: (ports) => ({ ...ports, ledger: extendedBy(ports.ledger, async (...command) => {
        await gate.opened;
        return ports.ledger.extend(...command);
      }) }),
    });
    const delta = (text: string) => ({ type: 'block-delta', index: 0, delta: text }) as const;
    world.provider.script('small', {
      steps: [
        yielding({ type: 'block-start', index: 0, block: { type: 'text' } }, delta('x'.repeat(1000))),
        yielding(delta('y'.repeat(2000)), delta('z'.repeat(2000)), ...end),
        { type: 'hang' },
      ],
    });
    const { events } = await world.generate({ signal: connection });
    await events.next();
    const pending = events.next();
    await world.clock.advanceAsync(1);
    connection.lose();
    gate.open();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await world.ending()).toEqual(['client_left', 'counted', String(5 + 2 * 1000)]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('does not start a block that the balance cannot pay for', async () => {
    const world = await GenerationWorld.create({ balance: String(FIRST_RESERVATION), models: [LONG_MODEL] });
    const name = 'n'.repeat(97);
    const call = yielding(
      { type: 'block-start', index: 1, block: { type: 'tool-call', id: 'call_1', name } },
      { type: 'block-delta', index: 1, delta: '{}' },
      { type: 'block-end', index: 1, signature: null },
    );
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4000)), call, endStep(null)] });
    const seen = await readAll(await world.generate());
    expect(seen.batches.flat().map(({ type }) => type)).toEqual(['generation-start', 'block-start', 'block-delta', 'block-end', 'generation-end']);
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', '8005']);
  });

  it('cuts and closes a block during which the balance is used up', async () => {
    const world = await GenerationWorld.create({ balance: String(FIRST_RESERVATION + STEP), models: [LONG_MODEL] });
    const call = yielding(
      { type: 'block-start', index: 1, block: { type: 'tool-call', id: 'call_1', name: 'n'.repeat(97) } },
      { type: 'block-delta', index: 1, delta: 'x'.repeat(4096) },
      { type: 'block-end', index: 1, signature: null },
    );
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4000)), call, endStep(null)] });
    const seen = await readAll(await world.generate());
    expect(seen.batches.flat().slice(-4).map(({ type }) => type)).toEqual(['block-start', 'block-delta', 'block-end', 'generation-end']);
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(FIRST_RESERVATION + STEP)]);
  });

  it.each(['stream', 'whole'] as const)('needs no extension if the gateway’s count exceeds the maximum but the upstream’s report does not (%s)', async (delivery) => {
    const world = await GenerationWorld.create({ balance: '25' });
    world.provider.script('small', { steps: [...textSteps('0123456789', 'abcde'), endStep(reported(5, 10))] });
    const seen = await readAll(await world.generate({ delivery, request: { maxOutputTokens: tokenCount(10) } }));
    expect(seen).toMatchObject({ text: '0123456789abcde', how: 'ended' });
    expect(await world.ending()).toEqual(['completed', 'reported', '25']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each(['stream', 'whole'] as const)('needs no extension if the upstream exceeds the client’s maximum, and is charged only the maximum (%s)', async (delivery) => {
    const world = await GenerationWorld.create({ balance: '25' });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(36), 'y'), endStep(null)] });
    const seen = await readAll(await world.generate({ delivery, request: { maxOutputTokens: tokenCount(10) } }));
    expect(seen).toMatchObject({ text: `${'x'.repeat(36)}y`, how: 'ended' });
    expect(await world.ending()).toEqual(['completed', 'counted', '25']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each<readonly [delivery: 'stream' | 'whole', maximum: number, enforcesMaxTokens: boolean, last: number]>([
    ['stream', 10, true, 1_064], ['whole', 10, true, 1_064], ['stream', 100, true, 1_424],
    ['stream', 10, false, 79], ['whole', 10, false, 79], ['stream', 100, false, 214],
  ])('is cut if the upstream never stops: a reply (%s) with a maximum of %d (enforced: %s) ends after %d tokens and is charged the maximum', async (delivery, maximum, ...rest) => {
    const [enforcesMaxTokens, last] = rest;
    const world = await GenerationWorld.create({ balance: '1000000', models: [aModel({ enforcesMaxTokens })] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(last - 5), 'y'.repeat(10), 'z'.repeat(100_000)), endStep(null)] });
    const seen = await readAll(await world.generate({ delivery, request: { maxOutputTokens: tokenCount(maximum) } }));
    expect(seen).toMatchObject({ text: 'x'.repeat(last - 5) + 'y'.repeat(5), how: 'ended' });
    expect(seen.batches.flat().at(-1)).toMatchObject({ stopReason: 'max-tokens' });
    expect(await world.ending()).toEqual(['completed', 'counted', String(5 + 2 * maximum)]);
    expect(world.provider.streams[0]?.returns).toBe(1);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each<readonly [output: number, charged: readonly [source: string, output: number]]>([
    [100, ['reported', 100]], [102, ['reported', 100]], [103, ['counted', 3]],
  ])('with a maximum of 100 tokens and a report of %d is charged %j', async (output, [source, charged]) => {
    const world = await GenerationWorld.create({ balance: '1000000' });
    world.provider.script('small', { steps: [...textSteps('abc'), endStep(reported(5, output))] });
    await readAll(await world.generate({ request: { maxOutputTokens: tokenCount(100) } }));
    expect(await world.ending()).toEqual(['completed', source, String(5 + 2 * charged)]);
  });

  it('is never charged more than the client’s maximum if the client disconnects', async () => {
    const world = await GenerationWorld.create({ balance: '1000000' });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(60), 'y'), { type: 'hang' }] });
    const { events } = await world.generate({ request: { maxOutputTokens: tokenCount(10) } });
    await events.next();
    await events.return();
    expect(await world.ending()).toEqual(['client_left', 'counted', '25']);
  });

  it('is clipped to the paid output if the balance is used up, also for a whole reply', async () => {
    const world = await GenerationWorld.create({ balance: String(FIRST_RESERVATION), models: [LONG_MODEL] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4000), 'y'.repeat(97)), endStep(reported(5, 4097))] });
    const reply = await world.generateWhole();
    expect(reply).toMatchObject({ stopReason: 'max-tokens', blocks: [{ type: 'text', text: 'x'.repeat(4000) + 'y'.repeat(96) }] });
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(FIRST_RESERVATION)]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('is clipped at the price of the fallback that serves, although the model that failed was cheaper', async () => {
    const dear = aModel({ slug: 'dear' as ModelSlug, price: aPrice('10', '1', '12', '20'), maxOutputTokens: tokenCount(20_000) });
    const firstAtTheDearPrice = 12 * 5 + 20 * OUTPUT_STEP_TOKENS;
    const world = await GenerationWorld.create({
      balance: String(firstAtTheDearPrice + STEP), models: [aModel({ maxOutputTokens: tokenCount(20_000), fallbacks: [dear.slug] }), dear],
    });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4096), 'y')] });
    world.provider.script('dear', { steps: [...textSteps('x'.repeat(4096), 'y'.repeat(4096)), endStep(null)] });
    expect(await world.generateWhole()).toMatchObject({ servedBy: 'dear', blocks: [{ type: 'text', text: 'x'.repeat(4096) }] });
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(10 * 5 + 20 * 4096)]);
    expect((await world.onlyRecord()).writeOff.toString()).toBe('0');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('stops with an internal error if the ledger fails, and is charged the delivered output', async () => {
    const world = await GenerationWorld.create({
      models: [LONG_MODEL],
      wrap: (ports) => ({
        ...ports,
        ledger: extendedBy(ports.ledger, () => Promise.reject(new Error('connection lost'))),
      }),
    });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(4000), 'y'.repeat(97), 'z'), endStep(null)] });
    const seen = await readAll(await world.generate());
    expect(seen).toMatchObject({ text: 'x'.repeat(4000), failure: { code: 'internal_error' } });
    expect(await world.ending()).toEqual(['internal_error', 'counted', String(5 + 2 * 4000)]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each<readonly [name: string, output: number, charge: string]>([
    ['is complete if the final report arrives with the output and the balance pays for the reported tokens', 250, String(5 + 2 * 250)],
    ['is clipped to the balance if the report that arrives with the output is implausible', 20, String(FLOOR)],
  ])('%s', async (_name, output, charge) => {
    const world = await GenerationWorld.create({ balance: String(FLOOR), models: [LONG_MODEL] });
    const [text] = textSteps('x'.repeat(300));
    if (text?.type !== 'yield') throw new Error('a text is yielded');
    world.provider.script('small', { steps: [yielding(...text.batch, { type: 'provider-end', stopReason: 'end', usage: reported(5, output) })] });
    const seen = await readAll(await world.generate());
    expect(seen.text).toHaveLength(output === 250 ? 300 : 256);
    expect((await world.ending())[2]).toBe(charge);
    expect((await world.onlyRecord()).writeOff.toString()).toBe('0');
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it.each<readonly [stated: Partial<ReportedUsage>, text: number, charge: number]>([
    [{ outputTokens: 100 }, 60, 60], [{ outputTokens: 101 }, 30, 100], [{ outputTokens: 200 }, 30, 30], [{ outputTokens: 200, totalTokens: 205 }, 30, 30],
    [{ outputTokens: 200, totalTokens: 65 }, 60, 60], [{ outputTokens: 200.5 }, 60, 60], [{ outputTokens: Infinity }, 60, 60],
  ])(
    'with a maximum of 100 tokens and the report %j in mid-reply, delivers %d tokens and is charged for %d', async (stated, text, charge) => {
      const world = await GenerationWorld.create();
      const piece = { type: 'block-delta', index: 0, delta: 'x'.repeat(30) } as const;
      world.provider.script('small', { steps: [
        yielding({ type: 'block-start', index: 0, block: { type: 'text' } }, piece, { type: 'provider-report', usage: { ...reported(5, 0), ...stated } }, piece),
        yielding({ type: 'block-end', index: 0, signature: null }), endStep(null),
      ] });
      const seen = await readAll(await world.generate({ request: { maxOutputTokens: tokenCount(100) } }));
      expect(seen).toMatchObject({ how: 'ended', text: 'x'.repeat(text) });
      expect((await world.ending())[2]).toBe(String(5 + 2 * charge));
      expect(await world.atRest()).toEqual(AT_REST);
    });

  it('is charged exactly the delivered output, for any balance and any deltas', async () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(fc.asyncProperty(pieces, fc.integer({ min: FLOOR, max: 40_000 }), async (lengths, balance) => {
      const { world, seen } = await relayed(balance, lengths.map((length) => 'x'.repeat(length)));
      const [reason, , charge] = await world.ending();
      const total = lengths.reduce((sum, length) => sum + length, 0);
      expect(charge).toBe(String(5 + 2 * seen.text.length));
      expect(seen.how).toBe('ended');
      expect(reason).toBe(seen.text.length === total ? 'completed' : 'balance_exhausted');
      expect(await world.available()).toBe(String(balance - 5 - 2 * seen.text.length));
      expect((await world.store.ledger.verify()).differences).toEqual([]);
    }), { numRuns: 60 });
  });
});

describe('a balance below the first reservation', () => {
  it.each(['stream', 'whole'] as const)('pays for as much of a request’s output as it can, if it reaches the floor (%s)', async (delivery) => {
    const world = await GenerationWorld.create({ balance: String(FLOOR), models: [LONG_MODEL] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(250), 'y'.repeat(6), 'z'), endStep(null)] });
    const seen = await readAll(await world.generate({ delivery }));
    expect(seen).toMatchObject({ text: `${'x'.repeat(250)}${'y'.repeat(6)}`, how: 'ended' });
    expect(seen.batches.flat().at(-1)).toMatchObject({ type: 'generation-end', stopReason: 'max-tokens' });
    expect(await world.ending()).toEqual(['balance_exhausted', 'counted', String(FLOOR)]);
    expect(world.provider.calls.map((call) => call.delivery)).toEqual(['stream']);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('pays for no request if it is below the floor, and the refusal names the floor', async () => {
    const world = await GenerationWorld.create({ balance: String(FLOOR - 0.000001), models: [LONG_MODEL] });
    await expect(world.generate()).rejects.toMatchObject({
      code: 'insufficient_balance', message: 'This request needs at least 517 service tokens set aside, but only 516.999999 are available.',
    });
    expect(world.provider.calls).toEqual([]);
    expect(await world.atRest()).toEqual(AT_REST);
  });

  it('of 234 service tokens pays for the whole of a request that costs 230.6', async () => {
    const world = await GenerationWorld.create({ balance: '234', models: [aModel({ maxOutputTokens: tokenCount(20_000), price: aPrice('1', '0.1', '1', '0.8') })] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(271)), endStep(reported(5, 282))] });
    await readAll(await world.generate());
    expect(await world.ending()).toEqual(['completed', 'reported', '230.6']);
  });

  it('is charged at the price of the serving model, not of a dearer fallback', async () => {
    const dear = aModel({ slug: 'dear' as ModelSlug, price: aPrice('1', '1', '1', '20') });
    const balance = 5 + 20 * 300;
    const world = await GenerationWorld.create({ balance: String(balance), models: [aModel({ maxOutputTokens: tokenCount(20_000), fallbacks: [dear.slug] }), dear] });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(2999), 'y'), endStep(null)] });
    expect((await readAll(await world.generate())).text).toHaveLength(2999 + 1);
    expect(await world.ending()).toEqual(['completed', 'counted', String(5 + 2 * 3000)]);
  });

  it('pays for a whole request if a credit arrives before the balance is used up', async () => {
    const gate = new Gate();
    const [first, last] = textSteps('x'.repeat(256), 'y');
    if (first === undefined || last === undefined) throw new Error('there are two steps');
    const world = await GenerationWorld.create({ balance: String(FLOOR), models: [LONG_MODEL] });
    world.provider.script('small', { steps: [first, { type: 'wait', gate }, last, endStep(null)] });
    const reading = readAll(await world.generate());
    await world.store.ledger.credit({
      accountId: world.account.id, amount: ServiceTokens.parse(String(STEP)), reference: 'second', actor: SYSTEM_ACTOR, at: world.clock.now(),
    });
    gate.open();
    expect((await reading).text).toBe(`${'x'.repeat(256)}y`);
    expect(await world.ending()).toEqual(['completed', 'counted', String(FLOOR + 2)]);
  });

  it.each([null, 4096])('pays for 8 of 200 requests if seven full reservations leave at least the floor, and otherwise for 7 (max_tokens: %s)', async (maximum) => {
    const business = STANDARD_PLANS.at(-1);
    for (const [rest, served] of [[FLOOR - 0.000001, 7], [FLOOR, 8]] as const) {
      const world = await GenerationWorld.create({ balance: String(7 * FIRST_RESERVATION + rest), models: [aModel()] });
      const gate = new Gate();
      world.provider.script('small', { steps: [{ type: 'wait', gate }, ...textSteps('a'), endStep(reported(5, 1))] });
      const ask: AskOptions = { ...(business === undefined ? {} : { plan: { ...business, limits: { ...business.limits, concurrentRequests: 300 } } }), request: { maxOutputTokens: maximum === null ? null : tokenCount(maximum) } };
      const asked = Promise.allSettled(Array.from({ length: 200 }, () => world.generate(ask).then(readAll)));
      await world.clock.advanceAsync(0);
      gate.open();
      expect((await asked).filter(({ status }) => status === 'fulfilled')).toHaveLength(served);
      expect(await world.available()).toBe(String(7 * FIRST_RESERVATION + rest - served * 7));
    }
  });

  it('is spent by consecutive requests until less than the floor is left', async () => {
    const world = await GenerationWorld.create({ balance: '2000' });
    world.provider.script('small', { steps: [...textSteps('x'.repeat(150)), endStep(reported(5, 150))] });
    let served = 0;
    for (; Number(await world.available()) >= FLOOR; served += 1) await readAll(await world.generate());
    expect([served, await world.available()]).toEqual([5, String(2000 - 5 * 305)]);
    await expect(world.generate()).rejects.toMatchObject({ code: 'insufficient_balance' });
  });
});

describe('the first reservation', () => {
  it('covers the cost at the dearest candidate, even if a cheaper one serves', async () => {
    const dear = aModel({ slug: 'dear' as typeof LONG_MODEL.slug, price: aPrice('3', '3', '3', '3') });
    const needed = 5 * 3 + 10 * 3;
    const models = [aModel({ fallbacks: [dear.slug] }), dear];
    const request = { maxOutputTokens: tokenCount(10) };
    const poor = await GenerationWorld.create({ balance: String(needed - 1), models });
    await expect(poor.generate({ request })).rejects.toMatchObject({ code: 'insufficient_balance' });
    const rich = await GenerationWorld.create({ balance: String(needed), models });
    rich.provider.script('small', { steps: [...textSteps('a'), endStep(reported(5, 1))] });
    await readAll(await rich.generate({ request }));
    expect(await rich.available()).toBe(String(needed - 7));
  });

  it('is never below the catalogue’s minimum', async () => {
    const world = await GenerationWorld.create({ balance: '499', minimumReservation: '500' });
    await expect(world.generate({ request: { maxOutputTokens: tokenCount(1) } })).rejects.toMatchObject({ code: 'insufficient_balance' });
  });
});
