import { perCount, perRate, TOKEN_COUNTS, TOKEN_RATES } from '../money/token-classes.js';
import { parseTokenRate } from '../money/token-rate.js';
import { NO_TOKENS } from '../primitives/token-count.js';
import { invariant } from '../primitives/invariant.js';
import type { Ending } from './usage-record.js';

const ALWAYS_STORED: ReadonlySet<string> = new Set(['uncachedPromptTokens', 'visibleOutputTokens', 'promptToken', 'outputToken']);

/**
 * True for a count or rate that every release stores. If it is missing, what is stored is damaged, and must not be read as a free request. The other
 * counts and rates belong to token classes that were added later.
 */
export function isAlwaysStored({ field }: (typeof TOKEN_COUNTS)[number] | (typeof TOKEN_RATES)[number]): boolean {
  return ALWAYS_STORED.has(field);
}

const NO_COUNTS = perCount(() => NO_TOKENS);
const NO_RATES = perRate(() => parseTokenRate('0'));

/**
 * Completes an ending or checkpoint that an older release stored: token classes that were added since have a count and a rate of 0. Throws a
 * `BrokenInvariant` if a count or rate that every release stores is missing.
 */
export function withEveryClass<Stored extends Pick<Ending, 'service' | 'usage'>>(stored: Stored): Stored {
  const { service, usage } = stored;
  invariant(TOKEN_COUNTS.every((count) => count.field in usage || !isAlwaysStored(count)), 'a stored ending has the counts of every release');
  invariant(service === null || TOKEN_RATES.every((rate) => rate.field in service.price || !isAlwaysStored(rate)), 'a stored ending has the rates of every release');
  return {
    ...stored,
    service: service === null ? null : { ...service, price: { ...NO_RATES, ...service.price } },
    usage: { ...NO_COUNTS, ...usage },
  };
}
