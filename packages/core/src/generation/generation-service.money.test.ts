import { describe, expect, it } from '@jest/globals';
import type { ModelSlug } from '@tollgate/core';
import { GatewayError, type Model, ProviderFailure, ServiceTokens, tokenCount, type UsageRecord } from '../index.js';
import { chargeFor } from '../money/charge.js';
import { AT_REST, GenerationWorld, readAll, type Seen } from '../test-support/generation-world.js';
import { aModel, aPrice, endStep, type ProviderScript, textSteps } from '@tollgate/testkit';
import * as fc from 'fast-check';

const MAX_OUTPUT = 20_000;
/** Tokens of the prompt `Hello`. */
const PROMPT = 5;
const DOWN = new ProviderFailure('unavailable', 'the upstream is down');

type First = 'serves' | 'refuses' | 'fails midway';

interface Asked {
  readonly maximum: number | null;
  readonly delivery: 'stream' | 'whole';
}

interface Rates {
  readonly prompt: string;
  readonly output: string;
}

/** Includes zero, and rates whose charges need rounding. */
const rate = fc.constantFrom('0', '0', '1', '2', '0.3333337', '0.0000001', '20');
const price = fc.record({ prompt: rate, output: rate });
const pieces = fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 4 });
const asked: fc.Arbitrary<Asked> = fc.record({
  maximum: fc.constantFrom(null, null, null, 1, 7, 256, 257, 4096, 4097, 10_000),
  delivery: fc.constantFrom('stream', 'whole'),
});

function priced({ prompt, output }: Rates, differences: Partial<Model>): Model {
  return aModel({ price: aPrice(prompt, prompt, prompt, output), maxOutputTokens: tokenCount(MAX_OUTPUT), ...differences });
}

/** `fails midway`: a whole response has extended its reservation at this model's price before another model serves. */
function scriptOf(what: First, lengths: readonly number[]): ProviderScript {
  if (what === 'refuses') return { refuses: DOWN, steps: [] };
  const steps = textSteps(...lengths.map((length) => 'x'.repeat(length)));
  return { steps: [...steps, what === 'serves' ? endStep(null) : { type: 'fail', failure: DOWN }] };
}

/** `null` if the balance is below the floor. */
async function ask(world: GenerationWorld, { delivery, maximum }: Asked): Promise<Seen | null> {
  try {
    return await readAll(await world.generate({ delivery, request: { maxOutputTokens: maximum === null ? null : tokenCount(maximum) } }));
  } catch (refusal) {
    if (refusal instanceof GatewayError && refusal.code === 'insufficient_balance') return null;
    throw refusal;
  }
}

/** A balance just above `share` percent of the cost of one response at the higher price, in whole service tokens. */
function balanceFor(share: number, lengths: readonly number[], prices: readonly Rates[]): number {
  const output = lengths.reduce((sum, length) => sum + length, 0);
  const costs = prices.map((rates) => PROMPT * Number(rates.prompt) + output * Number(rates.output));
  return Math.ceil(Math.max(...costs) * share / 100) + 1;
}

/** Checks that the reported usage equals the delivered output and stays within the maximum. */
function expectReportedExactly({ batches, text }: Seen, { maximum }: Asked): void {
  const end = batches.flat().at(-1);
  if (end?.type !== 'generation-end') throw new Error('a reply ends with its end');
  const allowed = Math.min(maximum ?? Infinity, MAX_OUTPUT);
  expect(end.usage.visibleOutputTokens).toBe(Math.min(text.length, allowed));
  expect(text.length).toBeLessThanOrEqual(4 * allowed + 1_024);
}

/** Checks that charge plus write-off equals the cost of the usage. */
function expectExact({ usage, service, charge, writeOff, usdPerServiceToken }: UsageRecord): void {
  expect(writeOff.toString()).toBe('0');
  const due = service === null ? ServiceTokens.ZERO : chargeFor(usage, service.price, usdPerServiceToken).amount;
  expect(charge.amount.toString()).toBe(due.toString());
}

describe('for any requests, models, balance and upstreams', () => {
  it('concurrent replies are charged exactly the delivered output, never above the maximum, and together never above the balance', async () => {
    const shares = fc.integer({ min: 1, max: 300 });
    const firsts = fc.constantFrom<First>('serves', 'refuses', 'fails midway');
    const requests = fc.tuple(asked, asked, asked);
    await fc.assert(fc.asyncProperty(price, price, pieces, shares, fc.constantFrom('0', '1', '300'), firsts, requests, async (small, other, ...rest) => {
      const [lengths, share, minimumReservation, first, all] = rest;
      const balance = balanceFor(share, lengths, [small, other]);
      const world = await GenerationWorld.create({
        balance: String(balance), minimumReservation,
        models: [priced(small, { fallbacks: ['other' as ModelSlug] }), priced(other, { slug: 'other' as ModelSlug })],
      });
      world.provider.script('small', scriptOf(first, lengths));
      world.provider.script('other', scriptOf('serves', lengths));
      await Promise.all(all.map(async (each) => {
        const seen = await ask(world, each);
        if (seen?.how === 'ended') expectReportedExactly(seen, each);
      }));
      const records = await world.records();
      records.forEach(expectExact);
      const spent = records.reduce((sum, { charge }) => sum.plus(charge.amount), ServiceTokens.ZERO);
      expect(await world.available()).toBe(ServiceTokens.parse(String(balance)).minus(spent).toString());
      expect(await world.atRest()).toEqual(AT_REST);
    }), { numRuns: 400 });
  });
});
