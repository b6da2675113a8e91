import { describe, expect, it } from '@jest/globals';
import { aModel, refusalOf } from '@tollgate/testkit';
import { tokenCount } from '../ids.js';
import { PAY_AS_YOU_GO_PLAN } from '../plans/standard-plans.js';
import { checkContext, fitsContext, roomForOutput } from './check-context.js';

const MODEL = aModel({ contextWindowTokens: tokenCount(1000), maxOutputTokens: tokenCount(400) });

function check(prompt: number, requested: number | null, planMaximum = 128_000): number {
  const demand = { promptTokens: tokenCount(prompt), requestedOutputTokens: requested === null ? null : tokenCount(requested) };
  return checkContext(demand, MODEL, { ...PAY_AS_YOU_GO_PLAN.limits, maxContextTokens: tokenCount(planMaximum) });
}

describe('the context of a model', () => {
  it.each<readonly [name: string, prompt: number, requested: number | null, room: number]>([
    ['what was asked for', 100, 50, 50],
    ['the model’s maximum when nothing was asked for', 100, null, 400],
    ['the model’s maximum when more was asked for', 100, 900, 400],
    ['what was asked for, to the last token of the window', 900, 100, 100],
    ['half of what the window has left when nothing was asked for and the prompt may be longer than its estimate', 900, null, 50],
    ['one token in the last place', 999, null, 1],
    ['one token in the last place, asked for', 999, 1, 1],
  ])('leaves room for %s', (_name, prompt, ...[requested, room]) => {
    expect(check(prompt, requested)).toBe(room);
  });

  it.each<readonly [name: string, prompt: number, requested: number | null, planMaximum: number, message: string, param: string]>([
    ['a prompt one token over the window', 1001, null, 128_000, 'prompt is too long: 1001 tokens > 1000 maximum', 'messages'],
    ['a prompt one token over the plan’s maximum', 501, 1, 500, 'prompt is too long: 501 tokens > 500 maximum', 'messages'],
    ['a prompt over the window and the plan’s higher maximum', 5000, 1, 2000, 'prompt is too long: 5000 tokens > 1000 maximum', 'messages'],
    ['an output that exceeds the window by one token', 901, 100, 128_000, 'input length and `max_tokens` exceed context limit: 901 + 100 > 1000', 'max_tokens'],
    ['an output above the model’s maximum that exceeds the window', 600, 401, 128_000, 'input length and `max_tokens` exceed context limit: 600 + 401 > 1000', 'max_tokens'],
    ['an output larger than any window', 1, 10_000_000, 128_000, 'input length and `max_tokens` exceed context limit: 1 + 10000000 > 1000', 'max_tokens'],
    ['no room for any output', 1000, null, 128_000, 'input length and `max_tokens` exceed context limit: 1000 + 1 > 1000', 'max_tokens'],
  ])('refuses %s in words that clients recover from', (_name, prompt, ...[requested, planMaximum, message, param]) => {
    expect(refusalOf(() => check(prompt, requested, planMaximum))).toEqual({ code: 'context_length_exceeded', message, param });
  });

  it('takes a prompt of exactly the plan’s maximum', () => {
    expect(check(500, 100, 500)).toBe(100);
  });

  it('lets nothing through that does not fit', () => {
    for (const prompt of [1, 599, 600, 601, 999, 1000, 1001]) {
      for (const requested of [null, 1, 399, 400, 401]) {
        const demand = { promptTokens: tokenCount(prompt), requestedOutputTokens: requested === null ? null : tokenCount(requested) };
        const isLetThrough = refusalOf(() => check(prompt, requested)) === null;
        expect(isLetThrough && !fitsContext(demand, MODEL)).toBe(false);
      }
    }
  });

  it('fits a fallback whose maximum output is lower than what was asked for', () => {
    expect(fitsContext({ promptTokens: tokenCount(600), requestedOutputTokens: tokenCount(5000) }, MODEL)).toBe(true);
    expect(fitsContext({ promptTokens: tokenCount(601), requestedOutputTokens: tokenCount(5000) }, MODEL)).toBe(false);
  });

  it.each([[1, 400, 400], [600, 400, 400], [601, 400, 399], [999, 5000, 1]])('after a prompt of %d has room for %d: %d', (prompt, requested, room) => {
    expect(roomForOutput({ promptTokens: tokenCount(prompt), requestedOutputTokens: tokenCount(requested) }, MODEL)).toBe(room);
  });

  it.each<readonly [prompt: number, window: number, room: number]>([
    [8, 4096, 4096 - 8 - 1 - 256],
    [8000, 128_000, 128_000 - 8000 - 1000 - 256],
    [127_000, 128_000, 500],
    [127_999, 128_000, 1],
  ])('after a prompt of %d in a window of %d leaves what the estimate may be off by, and offers %d', (prompt, ...[window, room]) => {
    const model = aModel({ contextWindowTokens: tokenCount(window), maxOutputTokens: tokenCount(window) });
    expect(roomForOutput({ promptTokens: tokenCount(prompt), requestedOutputTokens: null }, model)).toBe(room);
  });
});
