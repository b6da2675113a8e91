import { describe, expect, it } from '@jest/globals';
import { aModel } from '@tollgate/testkit';
import type { ContextOverflow } from '../errors/refusal-details.js';
import { tokenCount } from '../primitives/token-count.js';
import { checkContext, type ContextDemand, fitsContext, refusedContext, roomForOutput } from './context.js';
import { PAY_AS_YOU_GO_PLAN } from './plan.js';

const MODEL = aModel({ contextWindowTokens: tokenCount(10_000), maxOutputTokens: tokenCount(4000) });
/** 15 % and 256 tokens on either side of the window's end. */
const BORDER = { first: 10_000 - 1756, last: 10_000 + 1756 };

function demand(prompt: number, requested: number | null): ContextDemand {
  return { promptTokens: tokenCount(prompt), requestedOutputTokens: requested === null ? null : tokenCount(requested) };
}

function check(prompt: number, requested: number | null, planMaximum = 128_000): ContextOverflow | null {
  return checkContext(demand(prompt, requested), MODEL, { ...PAY_AS_YOU_GO_PLAN.limits, maxContextTokens: tokenCount(planMaximum) });
}

describe('the context of a model', () => {
  it.each<readonly [name: string, prompt: number, requested: number | null, room: number]>([
    ['the requested output', 100, 50, 50],
    ['the model’s maximum if the client states none', 100, null, 4000],
    ['the model’s maximum if the client asks for more', 100, 9000, 4000],
    ['the requested output, to the last token of the window', 8000, 2000, 2000],
    ['what the window leaves beside an underestimated prompt, if the client states no maximum', 8000, null, 2000 - 1000],
  ])('leaves room for %s', (_name, prompt, ...[requested, room]) => {
    expect(check(prompt, requested)).toBeNull();
    expect(roomForOutput(demand(prompt, requested), MODEL)).toBe(room);
  });

  it.each<readonly [name: string, prompt: number, requested: number | null, room: number]>([
    ['the requested output, from the first estimate of the border zone on', BORDER.first, 3000, 3000],
    ['the requested output, up to the last estimate of the border zone', BORDER.last, 8, 8],
    ['the model’s maximum if the client asks for more', 9000, 1_000_000, 4000],
    ['256 tokens if the client states no maximum', BORDER.first, null, 256],
    ['256 tokens if the estimate exceeds the window and the client states no maximum', BORDER.last, null, 256],
  ])('leaves the decision to the upstream near the end of the window, with room for %s', (_name, prompt, ...[requested, room]) => {
    expect(check(prompt, requested)).toBeNull();
    expect(roomForOutput(demand(prompt, requested), MODEL)).toBe(room);
  });

  it('lets the upstream decide on a prompt of 2,047 of 2,048 tokens, with room for 8 requested output tokens or else 256', () => {
    const small = aModel({ contextWindowTokens: tokenCount(2048), maxOutputTokens: tokenCount(2048) });
    for (const [requested, room] of [[8, 8], [null, 256]] as const) {
      expect(checkContext(demand(2047, requested), small, PAY_AS_YOU_GO_PLAN.limits)).toBeNull();
      expect(roomForOutput(demand(2047, requested), small)).toBe(room);
    }
  });

  const promptOver = (promptTokens: number, maximumTokens: number, bound: 'model' | 'plan'): ContextOverflow => ({ kind: 'prompt', promptTokens, maximumTokens, bound });
  const outputOver = (promptTokens: number, outputTokens: number): ContextOverflow => ({ kind: 'output', promptTokens, outputTokens, windowTokens: 10_000 });

  it.each<readonly [name: string, prompt: number, requested: number | null, planMaximum: number, overflow: ContextOverflow]>([
    ['a prompt beyond the border zone', BORDER.last + 1, 1, 128_000, promptOver(11_757, 10_000, 'model')],
    ['a prompt one token over the plan’s maximum', 501, 1, 500, promptOver(501, 500, 'plan')],
    ['a prompt in the border zone and over the plan’s maximum', 9000, 1, 8999, promptOver(9000, 8999, 'plan')],
    ['a prompt over the window and the plan’s higher maximum', 50_000, 1, 20_000, promptOver(50_000, 10_000, 'model')],
    ['an output that exceeds the window by one token', 8000, 2001, 128_000, outputOver(8000, 2001)],
    ['an output larger than any window', 1, 10_000_000, 128_000, outputOver(1, 10_000_000)],
    ['an output that exceeds the window, one token before the border zone', BORDER.first - 1, 4000, 128_000, outputOver(8243, 4000)],
  ])('refuses %s, and states the figures', (_name, tokens, ...[requested, planMaximum, overflow]) => {
    expect(check(tokens, requested, planMaximum)).toEqual(overflow);
  });

  it('accepts a prompt of exactly the plan’s maximum', () => {
    expect(check(500, 100, 500)).toBeNull();
  });

  it.each<readonly [prompt: number, requested: number | null, fits: boolean]>([
    [6000, 50_000, true], [6001, 50_000, false], [9990, 10, true], [9991, 10, false], [9744, null, true], [9745, null, false],
  ])('of a fallback has room for an estimated prompt of %d and an output of %s: %s', (prompt, requested, fits) => {
    expect(fitsContext(demand(prompt, requested), MODEL)).toBe(fits);
  });

  it.each<readonly [prompt: number, window: number, room: number]>([
    [8, 4096, 4096 - 8 - 1 - 256],
    [8000, 128_000, 128_000 - 8000 - 1000 - 256],
    [108_543, 128_000, 128_000 - 108_543 - Math.floor((128_000 - 108_543) / 2)],
  ])('with a prompt of %d tokens in a window of %d leaves room for %d, after a margin for the error of the estimate', (prompt, ...[window, room]) => {
    const model = aModel({ contextWindowTokens: tokenCount(window), maxOutputTokens: tokenCount(window) });
    expect(roomForOutput(demand(prompt, null), model)).toBe(room);
  });
});

describe('a request that its upstream refused as too long', () => {
  it.each<readonly [name: string, prompt: number, requested: number | null, overflow: ContextOverflow]>([
    ['the estimated prompt if the estimate exceeds the window too', 9999, 8, { kind: 'output', promptTokens: 9999, outputTokens: 8, windowTokens: 10_000 }],
    ['a larger prompt than the estimate', 9000, 100, { kind: 'output', promptTokens: 9901, outputTokens: 100, windowTokens: 10_000 }],
    ['a prompt beyond the window', 10_001, 100, { kind: 'prompt', promptTokens: 10_001, maximumTokens: 10_000, bound: 'model' }],
    ['a prompt that leaves no room for 256 output tokens if the client set no maximum', 9000, null, { kind: 'reply', promptTokens: 9745, outputTokens: 256, windowTokens: 10_000 }],
  ])('is reported with %s', (_name, prompt, ...[requested, overflow]) => {
    expect(refusedContext(demand(prompt, requested), MODEL)).toEqual(overflow);
  });
});
