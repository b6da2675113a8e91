import { parseTokenRate, type Price, ServiceTokens, type TokenRate } from '@tollgate/core';

/** Without a catalogue: a tenth of a cent. */
export const DEFAULT_USD_PER_SERVICE_TOKEN: TokenRate = parseTokenRate('0.001');

/** Smallest reservation without a catalogue. */
export const DEFAULT_MIN_RESERVATION = ServiceTokens.parse('1');

/** For discovered models: 500 service tokens per million prompt tokens, 1,500 per million output tokens. */
export const DEFAULT_PRICE: Price = {
  promptToken: parseTokenRate('0.0005'),
  cachedPromptToken: parseTokenRate('0.00005'),
  cacheCreationToken: parseTokenRate('0.0005'),
  outputToken: parseTokenRate('0.0015'),
};
