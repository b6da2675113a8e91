import { perCount, perRate } from '../money/token-classes.js';
import { parseTokenRate } from '../money/token-rate.js';
import { NO_TOKENS } from '../primitives/token-count.js';
import { invariant } from '../primitives/invariant.js';
import type { Ending } from './usage-record.js';

/** What every release stores. If it is missing, the text is damaged, and must not be read as a free request. */
export const ALWAYS_STORED = { counts: ['uncachedPromptTokens', 'visibleOutputTokens'], rates: ['promptToken', 'outputToken'] } as const;

const NO_COUNTS = perCount(() => NO_TOKENS);
const NO_RATES = perRate(() => parseTokenRate('0'));

/**
 * Completes an ending or checkpoint that an older release stored: token classes that were added since have a count and a rate of 0. Throws a
 * `BrokenInvariant` without the figures that every release stores.
 */
export function withEveryClass<Stored extends Pick<Ending, 'service' | 'usage'>>(stored: Stored): Stored {
  const { service, usage } = stored;
  invariant(ALWAYS_STORED.counts.every((field) => field in usage), 'a stored ending has the counts of every release');
  invariant(service === null || ALWAYS_STORED.rates.every((field) => field in service.price), 'a stored ending has the rates of every release');
  return {
    ...stored,
    service: service === null ? null : { ...service, price: { ...NO_RATES, ...service.price } },
    usage: { ...NO_COUNTS, ...usage },
  };
}
