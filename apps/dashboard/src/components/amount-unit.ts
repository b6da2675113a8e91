import { typedAmount } from '../format/amount';
import { product } from '../format/price';
import { tokensWorth } from '../format/tokens-worth';

export type AmountUnit = 'svc' | 'usd';

/** Converts typed dollars to service tokens. Returns negative amounts and other text unchanged. */
export function tokensOf(text: string, rate: string): string {
  const usd = typedAmount(text);
  return usd === null || usd.startsWith('-') ? text : tokensWorth(usd, rate);
}

/**
 * The typed dollars if `tokens` is their worth, otherwise the dollars that `tokens` is worth. Returns `tokens` itself if it is negative or not an
 * amount.
 */
export function shownAmount(tokens: string, typed: string, rate: string): string {
  if (tokensOf(typed, rate) === tokens) return typed;
  const amount = typedAmount(tokens);
  return amount === null || amount.startsWith('-') ? tokens : product(amount, rate);
}
