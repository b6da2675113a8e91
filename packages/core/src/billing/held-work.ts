import { NO_USAGE } from '../generation/usage.js';
import { type ModelSlug, type ReservationId, tokenCount } from '../ids.js';
import type { Price } from '../money/price.js';
import type { Clock } from '../ports/clock.js';
import type { Ledger } from '../ports/ledger.js';
import type { Settlement } from './settlement.js';
import { unservedEnding } from './unserved-ending.js';
import type { Ending, Service } from './usage-record.js';

/** What a piece of work takes in and gives out, in the units its price is for; whole numbers from 0. */
export interface WorkSize {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A size as a usage record states it: all input uncached, all output visible, counted by the service that did the work. */
export function usageOfWork({ inputTokens, outputTokens }: WorkSize): Ending['usage'] {
  return { ...NO_USAGE, uncachedPromptTokens: tokenCount(inputTokens), visibleOutputTokens: tokenCount(outputTokens) };
}

export interface HeldWorkOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly reservationId: ReservationId;
  readonly work: ModelSlug;
  readonly price: Price;
}

/**
 * Work whose cost is set aside. End it once, by `charge` or `release`; the first ending counts, and every later call answers with it.
 * If the ledger fails, the call rejects and may be repeated.
 */
export class HeldWork {
  #ending: Ending | null = null;

  constructor(private readonly options: HeldWorkOptions) {}

  /** Charges for what the work really took. What neither the hold nor the balance can pay is written off. */
  async charge(size: WorkSize): Promise<Settlement> {
    const { clock, work, price } = this.options;
    const service: Service = { servedBy: work, upstreamId: null, fallbackUsed: false, price };
    return this.end({ reason: 'completed', service, usage: usageOfWork(size), firstOutputAt: null, endedAt: clock.now() });
  }

  /** Gives back all that was set aside: the work was not done. */
  release(): Promise<Settlement> {
    return this.end(unservedEnding('provider_unavailable', this.options.clock.now()));
  }

  /** The ledger knows a reservation that has ended and answers with its settlement, so repeating the first ending is safe. */
  private end(ending: Ending): Promise<Settlement> {
    this.#ending ??= ending;
    return this.options.ledger.settle({ reservationId: this.options.reservationId, ending: this.#ending });
  }
}
