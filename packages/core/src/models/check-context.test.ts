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
    ['the model’s maximum when more was asked for', 100, 5000, 400],
    ['what was asked for, to the last token of the window', 900, 100, 100],
    ['what the window has left when nothing was asked for', 900, null, 100],
    ['one token in the last place', 999, null, 1],
    ['one token in the last place, asked for', 999, 1, 1],
    ['the maximum where more was asked for and the maximum just fits', 600, 5000, 400],
  ])('leaves room for %s', (_name, prompt, ...[requested, room]) => {
    expect(check(prompt, requested)).toBe(room);
  });

  it.each<readonly [name: string, prompt: number, requested: number | null, planMaximum: number, message: string, param: string]>([
    ['a prompt one token over the window', 1001, null, 128_000, 'prompt is too long: 1001 tokens > 1000 maximum', 'messages'],
    ['a prompt one token over the plan’s maximum', 501, 1, 500, 'prompt is too long: 501 tokens > 500 maximum', 'messages'],
    ['a prompt over the window and the plan’s higher maximum', 5000, 1, 2000, 'prompt is too long: 5000 tokens > 1000 maximum', 'messages'],
    ['an output that exceeds the window by one token', 901, 100, 128_000, 'input length and `max_tokens` exceed context limit: 901 + 100 > 1000', 'max_tokens'],
    ['the maximum output by one token', 601, 5000, 128_000, 'input length and `max_tokens` exceed context limit: 601 + 400 > 1000', 'max_tokens'],
    ['no room for any output', 1000, null, 128_000, 'input length and `max_tokens` exceed context limit: 1000 + 1 > 1000', 'max_tokens'],
  ])('refuses %s in words that clients recover from', (_name, prompt, ...[requested, planMaximum, message, param]) => {
    expect(refusalOf(() => check(prompt, requested, planMaximum))).toEqual({ code: 'context_length_exceeded', message, param });
  });

  it('takes a prompt of exactly the plan’s maximum', () => {
    expect(check(500, 100, 500)).toBe(100);
  });

  it('fits exactly when the check lets it through', () => {
    for (const prompt of [1, 599, 600, 601, 999, 1000, 1001]) {
      for (const requested of [null, 1, 399, 400, 401]) {
        const demand = { promptTokens: tokenCount(prompt), requestedOutputTokens: requested === null ? null : tokenCount(requested) };
        expect(fitsContext(demand, MODEL)).toBe(refusalOf(() => check(prompt, requested)) === null);
      }
    }
  });

  it.each([[1, 400], [600, 400], [601, 399], [999, 1]])('after a prompt of %d has room for %d', (prompt, room) => {
    expect(roomForOutput(tokenCount(prompt), MODEL)).toBe(room);
  });
});
