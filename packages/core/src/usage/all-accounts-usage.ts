import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../primitives/clock.js';
import { MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '../primitives/time.js';
import type { DatedBreakdown, TotalsQuery, UsageTotals } from './usage-totals.js';

/** Totals older than this are recomputed before use. */
export const TOTALS_FRESH_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** If the recomputation takes longer than this, a response shows the existing totals. */
export const TOTALS_TIMEOUT_MILLISECONDS = 5 * MILLISECONDS_PER_SECOND;
/** About the time that the first totals of a large database take. */
const RETRY_AFTER_SECONDS = 10;

/** Recomputes totals at most once a minute while operators view them, and in `catchUp`. */
export class AllAccountsUsage {
  #running: Promise<unknown> | null = null;

  constructor(private readonly totals: UsageTotals, private readonly clock: Clock) {}

  /** Throws `server_busy` while the first totals are computed. */
  async breakdown(query: TotalsQuery): Promise<DatedBreakdown> {
    const summedAt = await this.totals.summedAt();
    if (summedAt === null || this.clock.now() - summedAt >= TOTALS_FRESH_MILLISECONDS) await this.withTimeout(this.sumUp());
    const breakdown = await this.totals.breakdown(query);
    if (breakdown !== null) return breakdown;
    throw new GatewayError('server_busy', 'The usage of all accounts is being computed for the first time. Please try again.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Recomputes the totals only if requests have ended since the last run; late settlements alone do not count. */
  async catchUp(): Promise<void> {
    if (await this.totals.hasNewSettlements()) await this.sumUp();
  }

  /** Concurrent calls share one run. */
  private sumUp(): Promise<unknown> {
    this.#running ??= this.totals.sumUp(this.clock.now()).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  private async withTimeout(run: Promise<unknown>): Promise<void> {
    let cancel: () => void = () => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancel = this.clock.schedule(TOTALS_TIMEOUT_MILLISECONDS, resolve);
    });
    try {
      await Promise.race([run, timeout]);
    } finally {
      cancel();
    }
  }
}
