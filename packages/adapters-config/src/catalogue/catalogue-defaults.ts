import { parseTokenRate, type Price, ServiceTokens, type TokenRate } from '@tollgate/core';

/** Value of a service token without a catalogue file, in US dollars: a tenth of a cent. */
export const DEFAULT_USD_PER_SERVICE_TOKEN: TokenRate = parseTokenRate('0.001');

/** Minimum reservation unless a catalogue file states another. */
export const DEFAULT_MIN_RESERVATION = ServiceTokens.parse('1');

/** Price of discovered models and `sandbox-small`: 500 service tokens per million prompt tokens, 1,500 per million output tokens. */
export const DEFAULT_PRICE: Price = {
  promptToken: parseTokenRate('0.0005'),
  cachedPromptToken: parseTokenRate('0.00005'),
  cacheCreationToken: parseTokenRate('0.0005'),
  outputToken: parseTokenRate('0.0015'),
};
