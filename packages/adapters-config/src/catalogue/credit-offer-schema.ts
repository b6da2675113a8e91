import { type CreditOffer, type CreditPackage, type CustomCredit, isCurrency, isDisplayName, MAX_BALANCE, MAX_VOUCHER_DAYS, parseCurrencyAmount, parseTokenRate, ServiceTokens, tokensForAmount } from '@tollgate/core';
import { z } from 'zod';
import { wholeNumber } from '../settings/variable-schemas.js';

const MAX_PACKAGES = 50;
/** No balance could take a purchase of more tokens. */
const MORE_THAN_A_BALANCE = `must not give more than the maximum balance of ${MAX_BALANCE.toString()} service tokens`;

const currency = z.string().refine(isCurrency, 'must be a currency of ISO 4217, such as EUR');
const tokens = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal number with at most 6 decimal places');
const id = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 lower-case letters, digits, hyphens or underscores');
const rate = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number with at most 12 decimal places').transform((value) => parseTokenRate(value));

/**
 * The amount in the smallest unit of its currency. Adds an issue and returns 0 if the amount is not above zero or has more decimal places than the
 * currency.
 */
function minorUnits(text: string, code: string, { path, context }: { readonly path: string; readonly context: z.RefinementCtx }): bigint {
  const amount = parseCurrencyAmount(text, code);
  if (amount !== null && amount > 0n) return amount;
  context.addIssue({ code: 'custom', path: [path], message: `must be an amount of ${code} above zero, with no more decimal places than the currency has` });
  return 0n;
}

const creditPackage = z.strictObject({
  name: z.string().refine(isDisplayName, 'must be the name of a package'),
  price: z.string(), currency, service_tokens: tokens, bonus: tokens.optional(), credit_expires_after_days: wholeNumber(1, MAX_VOUCHER_DAYS).optional(),
}).transform(({ name, price, currency: code, service_tokens: bought, bonus = '0', credit_expires_after_days: days = null }, context): Omit<CreditPackage, 'id'> => {
  const given = ServiceTokens.parse(bonus);
  const all = ServiceTokens.parse(bought).plus(given);
  if (all.isZero()) context.addIssue({ code: 'custom', path: ['service_tokens'], message: 'must be more than zero' });
  if (MAX_BALANCE.isLessThan(all)) context.addIssue({ code: 'custom', path: ['service_tokens'], message: MORE_THAN_A_BALANCE });
  return { name, currency: code, amount: minorUnits(price, code, { path: 'price', context }), tokens: all, bonus: given, ...(days === null ? {} : { creditExpiresAfterDays: days }) };
});

const customCredit = z.strictObject({ currency, min: z.string(), max: z.string(), service_tokens_per_unit: rate })
  .transform(({ currency: code, min: least, max: most, service_tokens_per_unit: perUnit }, context): CustomCredit => {
    const [min, max] = [minorUnits(least, code, { path: 'min', context }), minorUnits(most, code, { path: 'max', context })];
    if (max < min) context.addIssue({ code: 'custom', path: ['max'], message: 'must not be less than min' });
    if (tokensForAmount({ currency: code, rate: perUnit }, min).isZero()) context.addIssue({ code: 'custom', path: ['service_tokens_per_unit'], message: 'must yield more than 0 tokens for the minimum amount' });
    if (MAX_BALANCE.isLessThan(tokensForAmount({ currency: code, rate: perUnit }, max))) context.addIssue({ code: 'custom', path: ['max'], message: MORE_THAN_A_BALANCE });
    return { currency: code, min, max, rate: perUnit };
  });

/** Catalogue fields of the credit that owners can buy. */
export const creditOfferFields = {
  credit_packages: z.record(id, creditPackage).refine((packages) => Object.keys(packages).length <= MAX_PACKAGES, `must be at most ${MAX_PACKAGES} packages`).optional(),
  custom_credit: customCredit.optional(),
};

interface CreditOfferEntry {
  readonly credit_packages?: Readonly<Record<string, Omit<CreditPackage, 'id'>>> | undefined;
  readonly custom_credit?: CustomCredit | undefined;
}

export function decodeCreditOffer({ credit_packages: packages = {}, custom_credit: custom }: CreditOfferEntry): CreditOffer {
  return { packages: Object.entries(packages).map(([name, fields]) => ({ id: name, ...fields })), custom: custom ?? null };
}
