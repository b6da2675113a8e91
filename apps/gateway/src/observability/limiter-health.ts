import type { FallbackReport } from '@tollgate/adapters-redis';
import type { Logger } from 'pino';

/** Knows whether limits are currently shared, and logs changes. */
export class LimiterHealth implements FallbackReport {
  #isLocal = false;
  #fallbacks = 0;

  constructor(private readonly log: Logger) {}

  /** True while Redis is unavailable; always false without Redis. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** Number of switches to limits in memory. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  fellBack(cause: unknown, refusal: string | null): void {
    this.#isLocal = true;
    this.#fallbacks += 1;
    if (refusal === null) this.log.error({ err: cause }, 'Redis does not answer; each gateway counts limits by itself until Redis does');
    else this.refused(refusal);
  }

  refused(refusal: string): void {
    this.log.error(`Redis refuses to write: ${refusal}; each gateway counts limits by itself until Redis accepts writes`);
  }

  recovered(): void {
    this.#isLocal = false;
    this.log.info('Redis answers; all gateways count limits together again');
  }
}
