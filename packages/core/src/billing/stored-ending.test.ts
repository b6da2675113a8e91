import { describe, expect, it } from '@jest/globals';
import { TOKEN_CLASSES } from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel, distinctPrice, distinctUsage } from '@tollgate/testkit';
import { withEveryClass } from './stored-ending.js';

const ENDING = anEnding(0, { service: aServedModel({ price: distinctPrice(1) }), usage: distinctUsage(1) });

function without<Values extends object>(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field))) as Values;
}

describe('a stored ending', () => {
  it.each(TOKEN_CLASSES)('of a release without the token class $name reads back with 0 tokens of it at a rate of 0', ({ counts, rate }) => {
    const fields = counts.map(({ field }) => field);
    const price = without(distinctPrice(1), [rate.field]);
    const stored = { ...ENDING, service: aServedModel({ price }), usage: without(ENDING.usage, fields) };
    expect(withEveryClass(stored)).toEqual({
      ...ENDING,
      service: aServedModel({ price: { ...distinctPrice(1), [rate.field]: '0' } }),
      usage: { ...ENDING.usage, ...Object.fromEntries(fields.map((field) => [field, 0])) },
    });
  });

  it.each([ENDING, anUnservedEnding()])('of this release reads back unchanged', (ending) => {
    expect(withEveryClass(ending)).toEqual(ending);
  });
});
