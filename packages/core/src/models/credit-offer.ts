import { Big } from 'big.js';
import { type CurrencyAmount, type CurrencyCode, decimalsOf, parseCurrencyAmount } from '../money/currency.js';
import { RATE_SCALE, RATE_UNIT_SCALE, rateUnits, type TokenRate } from '../money/token-rate.js';
import { AMOUNT_SCALE, ServiceTokens } from '../money/service-tokens.js';

/** Credit that owners can buy at a fixed price. */
export interface CreditPackage extends CurrencyAmount {
  readonly id: string;
  readonly name: string;
  /** Includes the bonus. */
  readonly tokens: ServiceTokens;
  readonly bonus: ServiceTokens;
  /** Days after which the credit expires; default never. */
  readonly creditExpiresAfterDays?: number | null;
}

/** Amounts that owners choose themselves. */
export interface CustomCredit {
  readonly currency: CurrencyCode;
  /** In the smallest unit, inclusive. */
  readonly min: bigint;
  /** In the smallest unit, inclusive. */
  readonly max: bigint;
  /** Service tokens per whole unit of the currency. */
  readonly rate: TokenRate;
}

export interface CreditOffer {
  readonly packages: readonly CreditPackage[];
  readonly custom: CustomCredit | null;
}

export const NO_CREDIT_OFFER: CreditOffer = { packages: [], custom: null };

/** Rounded down to 0.000001. */
export function tokensForAmount({ currency, rate }: Pick<CustomCredit, 'currency' | 'rate'>, amount: bigint): ServiceTokens {
  return ServiceTokens.fromUnits((amount * rateUnits(rate)) / 10n ** BigInt(decimalsOf(currency) + RATE_UNIT_SCALE - AMOUNT_SCALE));
}

const SIMULATED_CURRENCY = 'USD';
const SIMULATED_PRICES = ['5', '20', '100'];
const SIMULATED_MAX = '1000';

/** What a simulated provider sells if the catalogue has no offer, at the catalogue's value of a service token. */
export function simulatedOffer(usdPerServiceToken: TokenRate): CreditOffer {
  if (rateUnits(usdPerServiceToken) === 0n) return NO_CREDIT_OFFER;
  const rate = new Big(1).div(usdPerServiceToken).round(RATE_SCALE, 0).toFixed() as TokenRate;
  const custom: CustomCredit = { currency: SIMULATED_CURRENCY, min: minorUnits('1'), max: minorUnits(SIMULATED_MAX), rate };
  const packages = SIMULATED_PRICES.map((price): CreditPackage => ({
    id: `simulated-${price}`, name: `${price} US dollars (simulated)`, amount: minorUnits(price), currency: SIMULATED_CURRENCY,
    tokens: tokensForAmount(custom, minorUnits(price)), bonus: ServiceTokens.ZERO,
  }));
  return { packages, custom };
}

function minorUnits(price: string): bigint {
  return parseCurrencyAmount(price, SIMULATED_CURRENCY) ?? 0n;
}
