import { amountOf } from './amount';
import { unitsOf } from './decimal';

const MICRO = 1_000_000n;

/** Service tokens that the dollars are worth, rounded down to six decimal places. `rate`: dollars for one service token. */
export function tokensWorth(usd: string, rate: string): string {
  return amountOf(unitsOf(usd) * MICRO / unitsOf(rate));
}
