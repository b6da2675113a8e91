import { type ServiceTokens, type TokenRate, UsdAmount } from '@tollgate/core';

/** The amount in service tokens and in US dollars, as decimal strings. */
export function encodeAmount(amount: ServiceTokens, usdPerServiceToken: TokenRate) {
  return { svc_tokens: amount.toString(), usd: UsdAmount.worthOf(amount, usdPerServiceToken).toString() };
}
