import { parsePriceFactor, parseTokenRate, parseUtcDay, type PriceFactor, type RateName, TOKEN_RATES, type TokenRate } from '@tollgate/core';
import { z } from 'zod';

const PRICE_DECIMALS = 6;
const PRICE_MESSAGE = 'must be service tokens per million tokens: a decimal number with at most 9 digits before and 6 after the point';

/** Converts service tokens per million model tokens to the exact rate per token. */
const pricePerMillion: z.ZodType<TokenRate, string> = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, PRICE_MESSAGE).transform((price) => {
  const [whole = '0', fraction = ''] = price.split('.');
  const digits = whole.padStart(PRICE_DECIMALS + 1, '0');
  return parseTokenRate(`${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}${fraction}`);
});

/** A day such as `2026-11-21`; stands for its midnight in UTC. */
export const day = z.string().transform((value, context) => {
  const at = parseUtcDay(value);
  if (at !== null) return at;
  context.addIssue('must be a day such as 2026-11-21');
  return z.NEVER;
});

type DefaultedRate = Exclude<RateName, 'prompt' | 'output'>;
type OptionalRate = z.ZodOptional<typeof pricePerMillion>;

const rates = {
  prompt: pricePerMillion,
  output: pricePerMillion,
  ...Object.fromEntries(TOKEN_RATES.flatMap(({ name }) => (name === 'prompt' || name === 'output' ? [] : [[name, pricePerMillion.optional()]]))) as Record<DefaultedRate, OptionalRate>,
};

/** Other prompt classes default to the rate of `prompt`. */
export const price = z.strictObject(rates);

/** A price, and optionally prices that apply from later days. */
export const datedPrice = z.strictObject({ ...rates, later: z.array(z.strictObject({ from: day, ...rates })).optional() });

const factor: z.ZodType<PriceFactor, string> = z.string().regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a decimal number with at most 3 digits before and 6 after the point')
  .transform((value) => parsePriceFactor(value));

const NO_ENTRIES = 'must have at least one entry';

/** Schema of a price list. The order of its dates is checked afterwards. */
export function priceList(identifier: z.ZodType<string, string>, name: z.ZodType<string, string>) {
  return z.strictObject({
    name: name.optional(),
    entries: z.array(z.strictObject({ from: day.optional(), factor: factor.optional(), models: z.record(identifier, price).optional() })).min(1, NO_ENTRIES),
  });
}

export type PriceEntry = z.output<typeof price>;
export type DatedPriceEntry = z.output<typeof datedPrice>;
export type PriceListEntries = z.output<ReturnType<typeof priceList>>;
