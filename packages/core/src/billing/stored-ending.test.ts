import { describe, expect, it } from '@jest/globals';
import { TOKEN_CLASSES, TOKEN_COUNTS, TOKEN_RATES } from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel, distinctPrice, distinctUsage } from '@tollgate/testkit';
import { isAlwaysStored, withEveryClass } from './stored-ending.js';

const ENDING = anEnding(0, { service: aServedModel({ price: distinctPrice(1) }), usage: distinctUsage(1) });

function without<Values extends object>(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field))) as Values;
}

/** Token classes that an earlier release may lack. */
const LATER_CLASSES = TOKEN_CLASSES.filter(({ rate }) => !isAlwaysStored(rate));

describe('a stored ending', () => {
  it.each(LATER_CLASSES)('of a gateway that lacked the token class $name reads back with 0 tokens of that class, at a rate of 0', ({ counts, rate }) => {
    const fields = counts.map(({ field }) => field);
    const price = without(distinctPrice(1), [rate.field]);
    const stored = { ...ENDING, service: aServedModel({ price }), usage: without(ENDING.usage, fields) };
    expect(withEveryClass(stored)).toEqual({
      ...ENDING,
      service: aServedModel({ price: { ...distinctPrice(1), [rate.field]: '0' } }),
      usage: { ...ENDING.usage, ...Object.fromEntries(fields.map((field) => [field, 0])) },
    });
  });

  it.each(TOKEN_COUNTS.filter(isAlwaysStored))('is refused as damaged if the count $name is missing', ({ field }) => {
    expect(() => withEveryClass({ ...ENDING, usage: without(ENDING.usage, [field]) })).toThrow('the counts of every release');
  });

  it.each(TOKEN_RATES.filter(isAlwaysStored))('is refused as damaged if the rate $name is missing', ({ field }) => {
    expect(() => withEveryClass({ ...ENDING, service: aServedModel({ price: without(distinctPrice(1), [field]) }) })).toThrow('the rates of every release');
  });

  it.each([ENDING, anUnservedEnding()])('of this release reads back unchanged', (ending) => {
    expect(withEveryClass(ending)).toEqual(ending);
  });
});
