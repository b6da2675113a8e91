import { ServiceTokens, type TokenCount, type TokenRate, parseTokenRate, parseUtcDay, tokenCount } from '@tollgate/core';
import { z } from 'zod';

/** A catalogue is text throughout; these read the texts. */
export const text = z.string().min(1, 'must not be empty');

/** Names a model, an upstream or a plan. Goes into headers and URLs, so it is printable ASCII without spaces. */
export const identifier = z.string().regex(/^[\x21-\x29\x2b-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces and *');

/** An exact name, or a beginning followed by `*`. */
export const alias = z.string().regex(/^[\x21-\x29\x2b-\x7e]{0,200}\*?$/, 'must be a name without spaces, with * at its end or not at all').min(1, 'must not be empty');

/** `128000` or `128_000`. */
export function count(minimum: number): z.ZodType<TokenCount, string> {
  const message = `must be a whole number, at least ${minimum}`;
  return z.string().regex(/^\d{1,3}(_?\d{3}){0,3}$|^\d{1,12}$/, message).transform((digits) => tokenCount(Number(digits.replaceAll('_', ''))))
    .refine((value) => value >= minimum, message);
}

/** A cap that may be lifted with `none`. */
export const cap = z.union([z.literal('none').transform(() => null), count(1)], { error: 'must be a whole number, at least 1, or none' });

export const yesOrNo = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const PRICE_DECIMALS = 6;
const PRICE_MESSAGE = 'must be service tokens per million tokens: a decimal number with at most 9 digits before and 6 after the point';

/** Service tokens per million model tokens, as the exact rate per model token: the point moves six places. */
export const pricePerMillion: z.ZodType<TokenRate, string> = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, PRICE_MESSAGE).transform((price) => {
  const [whole = '0', fraction = ''] = price.split('.');
  const digits = whole.padStart(PRICE_DECIMALS + 1, '0');
  return parseTokenRate(`${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}${fraction}`);
});

export const rate: z.ZodType<TokenRate, string> = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number with at most 12 decimal places')
  .transform((value) => parseTokenRate(value));

export const amount: z.ZodType<ServiceTokens, string> = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, 'must be a decimal number with at most 6 decimal places')
  .transform((value) => ServiceTokens.parse(value));

/** A day such as `2026-11-21`, as its first instant in UTC. */
export const day = z.string().transform((value, context) => {
  const at = parseUtcDay(value);
  if (at !== null) return at;
  context.addIssue('must be a day such as 2026-11-21');
  return z.NEVER;
});
