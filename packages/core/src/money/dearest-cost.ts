import { RATE_UNITS_PER_AMOUNT_UNIT, roundedUp } from './charge.js';
import type { Price } from './price.js';
import type { ServiceTokens } from './service-tokens.js';
import { type RateField, TOKEN_CLASSES } from './token-classes.js';
import { rateUnits } from './token-rate.js';

const RATES_OF_PROMPT = ratesOf('prompt');
const RATES_OF_OUTPUT = ratesOf('output');

function ratesOf(part: 'prompt' | 'output'): readonly RateField[] {
  return TOKEN_CLASSES.filter((tokenClass) => tokenClass.part === part).map(({ rate }) => rate.field);
}

function dearestUnits(price: Price, rates: readonly RateField[]): bigint {
  let dearest = 0n;
  for (const rate of rates) {
    const units = rateUnits(price[rate]);
    if (units > dearest) dearest = units;
  }
  return dearest;
}

/** Highest rate of a prompt class, in 10⁻¹⁸ service tokens; reservations use it. */
export function dearestPromptUnits(price: Price): bigint {
  return dearestUnits(price, RATES_OF_PROMPT);
}

/** Highest rate of an output class, in 10⁻¹⁸ service tokens; reservations use it. */
function dearestOutputUnits(price: Price): bigint {
  return dearestUnits(price, RATES_OF_OUTPUT);
}

/** The largest output for which `dearestCost` is at most the amount: 0 if even the prompt costs more, `Infinity` if output is free. */
export function payableOutput(amount: ServiceTokens, promptTokens: number, price: Price): number {
  const left = amount.toUnits() * RATE_UNITS_PER_AMOUNT_UNIT - BigInt(promptTokens) * dearestPromptUnits(price);
  const rate = dearestOutputUnits(price);
  if (left < 0n) return 0;
  return rate === 0n ? Infinity : Number(left / rate);
}

/** Prompt and output, each at its highest rate, rounded up like a charge. */
export function dearestCost(promptTokens: number, outputTokens: number, price: Price): ServiceTokens {
  return roundedUp(BigInt(promptTokens) * dearestPromptUnits(price) + BigInt(outputTokens) * dearestOutputUnits(price));
}
