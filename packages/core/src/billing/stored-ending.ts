import { perCount, perRate } from '../money/token-classes.js';
import { parseTokenRate } from '../money/token-rate.js';
import { NO_TOKENS } from '../primitives/token-count.js';
import type { Ending } from './usage-record.js';

const NO_COUNTS = perCount(() => NO_TOKENS);
const NO_RATES = perRate(() => parseTokenRate('0'));

/** Completes an ending or checkpoint that an older release stored: token classes that were added since have a count and a rate of 0. */
export function withEveryClass<Stored extends Pick<Ending, 'service' | 'usage'>>(stored: Stored): Stored {
  const { service, usage } = stored;
  return {
    ...stored,
    service: service === null ? null : { ...service, price: { ...NO_RATES, ...service.price } },
    usage: { ...NO_COUNTS, ...usage },
  };
}
