import type { Clock } from '../primitives/clock.js';
import type { ModelSlug, RequestId, ReservationId } from '../primitives/ids.js';
import { later } from '../primitives/time.js';
import { unservedEnding } from './charge.js';
import type { IdempotencyClaimName, IdempotencyStore } from './idempotency-store.js';
import type { Ledger } from './ledger.js';
import type { KnownHold, Settlement } from './reservation.js';
import type { Ending, ServedModel } from './usage-record.js';
import { modelPriceOf, usageOfWork, type WorkPrice, type WorkUnits } from './work-units.js';

export interface HeldWorkOptions {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly claim: IdempotencyClaimName;
  /** Time after the charge until the id of the work may be used again. */
  readonly idKeptMilliseconds: number;
  readonly reservationId: ReservationId;
  readonly name: ModelSlug;
  readonly price: WorkPrice;
  readonly hold: KnownHold;
}

/**
 * Work whose maximum cost is reserved. End it with `charge` or `release`: the first ending counts, and later calls return its settlement. If the
 * ledger fails and there is an outbox, `charge` returns a pending settlement, whose charge is an upper bound; if the outbox fails too, `charge`
 * rejects and the work is free. Without an outbox, and in `release`, the call rejects and may be repeated; a release that is not repeated is left to
 * the outbox or the sweeper.
 */
export class HeldWork {
  #ending: Ending | null = null;

  constructor(private readonly options: HeldWorkOptions) {}

  /** Request id of the usage record and the ledger entries. */
  get requestId(): RequestId {
    return this.options.claim.requestId;
  }

  /** What neither the hold nor the balance can pay is written off. */
  async charge(units: WorkUnits): Promise<Settlement> {
    const { clock, name, price } = this.options;
    const service: ServedModel = { servedBy: name, upstreamId: null, fallbackUsed: false, price: modelPriceOf(price), priceVersion: null };
    return this.end({ reason: 'completed', service, usage: usageOfWork(units), firstOutputAt: null, endedAt: clock.now() });
  }

  /** For work that was not done. Once this resolves, the id may be used again, unless freeing it failed. */
  release(): Promise<Settlement> {
    return this.end(unservedEnding('provider_unavailable', this.options.clock.now()));
  }

  /** Safe to repeat: the ledger returns the settlement of an ended reservation. */
  private async end(given: Ending): Promise<Settlement> {
    this.#ending ??= given;
    const { ledger, reservationId, hold } = this.options;
    const { charge, writeOff, balance } = await ledger.settle({ reservationId, ending: this.#ending, hold });
    await Promise.allSettled([this.endClaim(this.#ending)]);
    return { charge, writeOff, balance };
  }

  /**
   * If this call fails, the id stays taken for the hold's lifetime. Work that is done under the id afterwards joins the same purchase, so no cost is
   * charged twice.
   */
  private endClaim({ service }: Ending): Promise<void> {
    const { idempotency, clock, claim, idKeptMilliseconds } = this.options;
    const at = clock.now();
    const keptUntil = later(at, idKeptMilliseconds);
    return service === null ? idempotency.release({ ...claim, at, keptUntil }) : idempotency.finish({ ...claim, reply: null, at, expiresAt: keptUntil });
  }
}
