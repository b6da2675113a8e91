import type { Clock } from '../primitives/clock.js';
import type { ModelSlug, RequestId, ReservationId } from '../primitives/primitives.js';
import { later } from '../primitives/time.js';
import { unservedEnding } from './charge.js';
import type { IdempotencyClaimName, IdempotencyStore } from './idempotency-store.js';
import type { Ledger } from './ledger.js';
import type { Settlement, SettlementHold } from './reservation.js';
import type { Ending, ServedModel } from './usage-record.js';
import { modelPriceOf, usageOfWork, type WorkPrice, type WorkUnits } from './work-units.js';

export interface HeldWorkOptions {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly claim: IdempotencyClaimName;
  /** How long the id stays taken after its work was charged. */
  readonly idKeptMilliseconds: number;
  readonly reservationId: ReservationId;
  readonly name: ModelSlug;
  readonly price: WorkPrice;
  readonly hold: SettlementHold;
}

/**
 * Work whose cost is reserved. End it with `charge` or `release`: the first ending counts, later calls return its settlement. If
 * the ledger fails and there is no outbox, the call rejects and may be repeated. With an outbox it returns a pending settlement,
 * whose charge is an upper bound; if the outbox cannot store it, the call rejects and the work is free.
 */
export class HeldWork {
  #ending: Ending | null = null;

  constructor(private readonly options: HeldWorkOptions) {}

  /** Names the work in the usage record and the ledger. */
  get requestId(): RequestId {
    return this.options.claim.requestId;
  }

  /** Charges the actual units. The part that neither the hold nor the balance can pay is written off. */
  async charge(units: WorkUnits): Promise<Settlement> {
    const { clock, name, price } = this.options;
    const service: ServedModel = { servedBy: name, upstreamId: null, fallbackUsed: false, price: modelPriceOf(price) };
    return this.end({ reason: 'completed', service, usage: usageOfWork(units), firstOutputAt: null, endedAt: clock.now() });
  }

  /** Releases the reservation, and the id: the work was not done, and may be tried again under the same id. */
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

  /** If this fails, the id is taken until the hold's lifetime is over; work under it then continues this purchase and costs nothing twice. */
  private endClaim({ service }: Ending): Promise<void> {
    const { idempotency, clock, claim, idKeptMilliseconds } = this.options;
    const at = clock.now();
    const keptUntil = later(at, idKeptMilliseconds);
    return service === null ? idempotency.release({ ...claim, at, keptUntil }) : idempotency.finish({ ...claim, reply: null, at, expiresAt: keptUntil });
  }
}
