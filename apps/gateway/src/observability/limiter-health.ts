import type { FallbackReport } from '@tollgate/adapters-redis';
import type { Logger } from 'pino';

/** Whether limits that several gateways share are really shared at the moment. Logs when that changes. */
export class LimiterHealth implements FallbackReport {
  #isLocal = false;
  #fallbacks = 0;

  constructor(private readonly log: Logger) {}

  /** This process counts for itself, because Redis does not answer. Never so without Redis, where there is nothing to share. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** How often that has begun. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  fellBack(cause: unknown): void {
    this.#isLocal = true;
    this.#fallbacks += 1;
    this.log.error({ err: cause }, 'Redis does not answer; each gateway counts limits by itself until it does');
  }

  recovered(): void {
    this.#isLocal = false;
    this.log.info('Redis answers; all gateways count limits together again');
  }
}
