import { afterEach, describe } from '@jest/globals';
import { capsContract } from './rate-limiter/caps-contract.js';
import { concurrencyContract } from './rate-limiter/concurrency-contract.js';
import { incidentLimitsContract } from './rate-limiter/incident-limits-contract.js';
import { minuteLimitsContract } from './rate-limiter/minute-limits-contract.js';
import { releaseContract } from './rate-limiter/release-contract.js';
import type { Start } from './rate-limiter/start-limiter.js';
import { type MakeRateLimiter, MID_MONTH, RateLimiterDriver } from './rate-limiter-subject.js';

/** What every rate limiter guarantees, whatever keeps its counts. */
export function rateLimiterContract(name: string, make: MakeRateLimiter): void {
  describe(`RateLimiter contract: ${name}`, () => {
    let driver: RateLimiterDriver | null = null;
    const start: Start = async (startAt = MID_MONTH) => {
      driver = await RateLimiterDriver.start(make, startAt);
      return driver;
    };
    afterEach(async () => {
      await driver?.close();
      driver = null;
    });

    minuteLimitsContract(start);
    concurrencyContract(start);
    capsContract(start);
    releaseContract(start);
    incidentLimitsContract(start);
  });
}
