import { type CurrencyAmount, type CurrencyCode, decimalsOf, PaymentProviderFailure } from '@tollgate/core';

/**
 * Decimal places by which Stripe counts, where they differ from ISO 4217. Krónur and Ugandan shillings have two, which must be zeros:
 * https://docs.stripe.com/currencies#special-cases. (The list of zero-decimal currencies names the shilling nevertheless.) Ariary have none:
 * https://docs.stripe.com/currencies#zero-decimal.
 */
const STRIPE_DECIMALS: ReadonlyMap<CurrencyCode, number> = new Map([['ISK', 2], ['UGX', 2], ['MGA', 0]]);
const THOUSANDTHS = 3;
/** Of amounts with three decimal places, Stripe takes only those whose last place is zero. */
const THOUSANDTHS_STEP = 10n;

/** The amount as Stripe counts it; `null` if Stripe cannot take it, because decimal places that must be zeros are not. */
export function stripeAmountOrNull({ amount, currency }: CurrencyAmount): number | null {
  const decimals = decimalsOf(currency);
  const more = (STRIPE_DECIMALS.get(currency) ?? decimals) - decimals;
  if (more >= 0) return decimals === THOUSANDTHS && amount % THOUSANDTHS_STEP !== 0n ? null : Number(amount * 10n ** BigInt(more));
  const unit = 10n ** BigInt(-more);
  return amount % unit === 0n ? Number(amount / unit) : null;
}

/** The amount as Stripe counts it. Throws `refused` for an amount that it cannot take. */
export function stripeAmount(money: CurrencyAmount): number {
  const amount = stripeAmountOrNull(money);
  if (amount === null) throw new PaymentProviderFailure('refused', `Stripe does not take the last decimal place of this amount in ${money.currency}`);
  return amount;
}

/** Stripe's amount in the smallest unit of ISO 4217, rounded down. */
export function amountFromStripe(counted: number, currency: CurrencyCode): bigint {
  const decimals = decimalsOf(currency);
  const more = (STRIPE_DECIMALS.get(currency) ?? decimals) - decimals;
  return more >= 0 ? BigInt(counted) / 10n ** BigInt(more) : BigInt(counted) * 10n ** BigInt(-more);
}
