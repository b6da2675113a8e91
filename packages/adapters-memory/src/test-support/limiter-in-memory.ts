import type { RateLimiterSetting, RateLimiterSubject } from '@tollgate/testkit';
import { MemoryRateLimiter } from '../memory-rate-limiter.js';
import { ManualClock } from '../manual-clock.js';

/** A limiter for its contracts, with a clock of its own. */
export function limiterInMemory({ startAt, tokensUsed }: RateLimiterSetting): RateLimiterSubject {
  const clock = new ManualClock(startAt);
  return { limiter: new MemoryRateLimiter({ clock, usage: { tokensUsed } }), advance: (milliseconds) => clock.advance(milliseconds) };
}
