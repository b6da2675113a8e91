import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { changeOf, displayName, email, serviceTokens, signedServiceTokens, text } from './field-schemas.js';

/** Pattern that the OpenAPI document states for a schema. */
function patternOf(schema: z.ZodType): RegExp {
  return new RegExp(z.toJSONSchema(schema, { io: 'input' }).pattern ?? '(?!)', 'u');
}

const TEXTS = ['', ' ', '   ', 'a', ' a ', 'é\u{1F600}', 'a\nb', '\t', '\u0000', '\u007F', '\u009F', '\u00A0a', ' \u0085a'] as const;
const AMOUNTS = ['0', '0.0', '-0', '00.000000', '1', '-1', '0.000001', '0.0000001', '10', '1.', '.5', '', '1e3', '-', '000000000001', '1234567890123'] as const;

describe('the description of a field', () => {
  it.each<readonly [string, z.ZodType, readonly string[]]>([
    ['a text', text(10), TEXTS], ['a name', displayName, TEXTS], ['an amount', serviceTokens, AMOUNTS], ['an amount with a sign', signedServiceTokens, AMOUNTS],
  ])('has a pattern that accepts what the field accepts: %s', (_name, schema, values) => {
    const pattern = patternOf(schema);
    expect(values.filter((value) => pattern.test(value))).toEqual(values.filter((value) => schema.safeParse(value).success));
  });

  it('states the length of a name and the pattern of an e-mail address', () => {
    expect(z.toJSONSchema(displayName.describe('A name.').optional(), { io: 'input' })).toMatchObject({ type: 'string', minLength: 1, maxLength: 200, description: 'A name.' });
    const address = patternOf(email);
    expect(['a@b', 'ada+1@example.com', 'a', '@b', 'a@', 'a b@c', 'a@b@c'].filter((value) => address.test(value))).toEqual(['a@b', 'ada+1@example.com']);
  });

  it('states that a change names at least one field', () => {
    const change = changeOf({ name: displayName.optional() });
    expect([change.safeParse({}).success, change.safeParse({ name: 'x' }).success, z.toJSONSchema(change, { io: 'input' }).minProperties]).toEqual([false, true, 1]);
  });
});
