import { describe, expect, it } from '@jest/globals';
import { TOKEN_CLASSES } from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel, distinctPrice, distinctUsage } from '@tollgate/testkit';
import { withEveryClass } from './stored-ending.js';

const ENDING = anEnding(0, { service: aServedModel({ price: distinctPrice(1) }), usage: distinctUsage(1) });

function without<Values extends object>(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field))) as Values;
}

describe('a stored ending', () => {
  it.each(TOKEN_CLASSES)('of a release before the class $name has its counts and its rate as 0', ({ counts, rate }) => {
    const fields = counts.map(({ field }) => field);
    const price = without(distinctPrice(1), [rate.field]);
    const stored = { ...ENDING, service: aServedModel({ price }), usage: without(ENDING.usage, fields) };
    expect(withEveryClass(stored)).toEqual({
      ...ENDING,
      service: aServedModel({ price: { ...distinctPrice(1), [rate.field]: '0' } }),
      usage: { ...ENDING.usage, ...Object.fromEntries(fields.map((field) => [field, 0])) },
    });
  });

  it.each([ENDING, anUnservedEnding()])('of this release stays as it is', (ending) => {
    expect(withEveryClass(ending)).toEqual(ending);
  });
});
