import { typedAmount } from '../format/amount';
import { product } from '../format/price';
import { tokensWorth } from '../format/tokens-worth';

export type AmountUnit = 'svc' | 'usd';

/** Converts typed dollars to service tokens. Returns negative amounts and other text unchanged. */
export function tokensOf(text: string, rate: string): string {
  const usd = typedAmount(text);
  return usd === null || usd.startsWith('-') ? text : tokensWorth(usd, rate);
}

/** The dollars as typed if they are worth these service tokens, otherwise the worth of the service tokens. */
export function shownAmount(tokens: string, typed: string, rate: string): string {
  if (tokensOf(typed, rate) === tokens) return typed;
  const amount = typedAmount(tokens);
  return amount === null || amount.startsWith('-') ? tokens : product(amount, rate);
}
