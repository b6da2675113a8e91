import { type Price, ServiceTokens, type TokenRate, parseTokenRate } from '@tollgate/core';

/** What one service token is worth where no catalogue says so: a tenth of a cent. */
export const DEFAULT_USD_PER_SERVICE_TOKEN: TokenRate = parseTokenRate('0.001');

/** Reservations are no smaller than this unless the catalogue says otherwise. */
export const DEFAULT_MINIMUM_RESERVATION = ServiceTokens.parse('1');

/** The price of models that a server lists, since no server says what it costs: 500 service tokens per million prompt tokens, 1,500 per million output tokens. */
export const DEFAULT_PRICE: Price = {
  promptToken: parseTokenRate('0.0005'),
  cachedPromptToken: parseTokenRate('0.00005'),
  cacheCreationToken: parseTokenRate('0.0005'),
  outputToken: parseTokenRate('0.0015'),
};
