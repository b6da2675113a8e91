import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, ModelSlug, RequestId, ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { LateSettlement } from './late-settlement.js';
import type { MoneyActKind } from './money-act.js';
import type { Ending, RequestFacts, WireFormatName } from './usage-record.js';

/** `sweep`: a reservation whose owner counted as dead, charged at its checkpoint. */
export type SettlementKind = 'settlement' | 'late-settlement' | 'sweep';

/** The request that a settlement charged. */
export interface ServedRequest {
  readonly format: WireFormatName | null;
  /** `null` if nothing served the request. */
  readonly model: ModelSlug | null;
  /** The part of this settlement's cost that nothing could pay. */
  readonly writeOff: ServiceTokens;
}

/** One change of a balance, committed with its ledger entries. */
export interface Booked {
  readonly kind: SettlementKind | MoneyActKind;
  readonly accountId: AccountId;
  /** The key of the request; `null` if there is none. */
  readonly keyId: ApiKeyId | null;
  /** Set for settlements and refunds. */
  readonly requestId: RequestId | null;
  /** The idempotency key of the act; the reservation of a settlement. */
  readonly reference: string;
  /** Added to the posted balance: negative for what was taken, zero if a request cost nothing and its reservation was released. */
  readonly amount: ServiceTokens;
  /** Right after this change. */
  readonly balance: Balance;
  /** The time of the ledger entries. */
  readonly at: Instant;
  /** `null` for all but settlements. */
  readonly served: ServedRequest | null;
}

export interface BookedAct extends Booked {
  readonly kind: MoneyActKind;
}

/** What one settlement took; a late one states the difference to the record. */
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

/** `null` if the checkpoint covered the whole cost, so that nothing is booked. */
export function bookedLateSettlement(
  request: ChargedRequest, { ending, charged, writeOff }: Pick<LateSettlement, 'ending' | 'charged' | 'writeOff'>, after: Pick<SettledParts, 'balance' | 'reservationId'>,
): Booked | null {
  return charged.isZero() && writeOff.isZero() ? null : bookedSettlement(request, ending, { kind: 'late-settlement', charged, writeOff, ...after });
}

/**
 * Hears what this process booked, from whatever caller, right after each commit. Must not block or throw. Not every change is
 * heard: a crash after the commit, or a lost reply of the database, hides one.
 */
export interface BookingObserver {
  booked(booked: Booked): void;
}

/** The observers of one store. */
export class BookingObservers implements BookingObserver {
  readonly #observers = new Set<BookingObserver>();

  /** The returned function removes it. */
  add(observer: BookingObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  booked(booked: Booked): void {
    for (const observer of this.#observers) observer.booked(booked);
  }
}
