import type { RateLimiterSetting, RateLimiterSubject } from '@tollgate/testkit';
import { MemoryRateLimiter } from '../memory-rate-limiter.js';
import { ManualClock } from '../manual-clock.js';

/** A limiter with its own clock, for contract suites. */
export function limiterInMemory({ startAt, tokensUsed }: RateLimiterSetting): RateLimiterSubject {
  const clock = new ManualClock(startAt);
  return { limiter: new MemoryRateLimiter({ clock, usage: { tokensUsed } }), advance: (milliseconds) => clock.advance(milliseconds) };
}
