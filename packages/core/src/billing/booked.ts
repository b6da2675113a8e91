import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId, ReservationId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { LateSettlement } from './late-settlement.js';
import type { MoneyActKind } from './money-act.js';
import type { Ending, RequestFacts, WireFormatName } from './usage-record.js';

/** `sweep`: the sweeper ended the reservation and charged the last checkpoint of the request. */
export type SettlementKind = 'settlement' | 'late-settlement' | 'sweep';

export interface ServedRequest {
  readonly format: WireFormatName | null;
  /** `null` if no model served the request. */
  readonly model: ModelSlug | null;
  /** The part of the cost that could not be paid, or exceeds a promised maximum. */
  readonly writeOff: ServiceTokens;
}

/** A committed change of a balance and its cause. */
export interface Booked {
  readonly kind: SettlementKind | MoneyActKind;
  readonly accountId: AccountId;
  /** Key of the request; `null` if there is none. */
  readonly keyId: ApiKeyId | null;
  /** `null` except for settlements and refunds of requests. */
  readonly requestId: RequestId | null;
  /** The act's idempotency key; for a settlement, the reservation id. */
  readonly reference: string;
  /** Signed change of the posted balance; zero if nothing was charged. */
  readonly amount: ServiceTokens;
  /** Balance after this change. */
  readonly balance: Balance;
  /** Time of the ledger entries. */
  readonly at: Instant;
  /** `null` except for settlements. */
  readonly served: ServedRequest | null;
}

export interface BookedAct extends Booked {
  readonly kind: MoneyActKind;
}

/** For a late settlement, the amounts in addition to those of the usage record. */
export interface SettledParts {
  readonly kind: SettlementKind;
  readonly charged: ServiceTokens;
  readonly writeOff: ServiceTokens;
  readonly balance: Balance;
  readonly reservationId: ReservationId;
}

type ChargedRequest = Pick<RequestFacts, 'accountId' | 'keyId' | 'requestId' | 'format'>;

export function settlementKindOf({ reason }: Pick<Ending, 'reason'>): SettlementKind {
  return reason === 'crashed' ? 'sweep' : 'settlement';
}

export function bookedSettlement(
  { accountId, keyId, requestId, format }: ChargedRequest, { service, endedAt }: Pick<Ending, 'service' | 'endedAt'>,
  { kind, charged, writeOff, balance, reservationId }: SettledParts,
): Booked {
  return {
    kind, accountId, keyId, requestId, reference: reservationId, amount: ServiceTokens.ZERO.minus(charged), balance, at: endedAt,
    served: { format, model: service?.servedBy ?? null, writeOff },
  };
}

/** `null` if the late settlement neither charges nor writes off anything. */
export function bookedLateSettlement(
  request: ChargedRequest, { ending, charged, writeOff }: Pick<LateSettlement, 'ending' | 'charged' | 'writeOff'>, after: Pick<SettledParts, 'balance' | 'reservationId'>,
): Booked | null {
  return charged.isZero() && writeOff.isZero() ? null : bookedSettlement(request, ending, { kind: 'late-settlement', charged, writeOff, ...after });
}

/**
 * `booked` is called right after this process commits a booking, and must not block. It is not called if the process crashes after the commit or the
 * database's reply is lost.
 */
export interface BookingObserver {
  booked(booked: Booked): void;
}

/** Observers of the bookings of one store. */
export class BookingObservers implements BookingObserver {
  readonly #observers = new Map<BookingObserver, (thrown: unknown) => void>();

  /**
   * `onFailure` receives what the observer throws, because the booking is committed and succeeds all the same; it must not throw itself. The returned
   * function removes the observer.
   */
  add(observer: BookingObserver, onFailure: (thrown: unknown) => void): () => void {
    this.#observers.set(observer, onFailure);
    return () => void this.#observers.delete(observer);
  }

  booked(booked: Booked): void {
    for (const [observer, onFailure] of this.#observers) {
      try {
        observer.booked(booked);
      } catch (thrown) {
        onFailure(thrown);
      }
    }
  }
}
