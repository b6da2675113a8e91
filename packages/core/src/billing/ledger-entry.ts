import { COUNTER_ACCOUNTS } from './money-act.js';
import { type AccountId, invariant, type RequestId, type ReservationId } from '../primitives.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Instant } from '../time.js';
import { NO_USAGE, type Usage } from '../generation/usage.js';
import { type Charge, chargeFor, chargeOf } from '../money/price.js';
import type { Reservation, ReservationState, ReserveDemand, ReserveOutcome, SettleCommand } from './reservation.js';
import type { Ending, EndReason, RequestFacts, UsageRecord } from './usage-record.js';
import { coveredBy } from './purchase.js';
import type { Ledger } from '../ports/ledger.js';

/** The other sides of customers' transfers. They have no row: their balances are what the entries sum to. */
export const REVENUE = COUNTER_ACCOUNTS.refund;
export const WRITE_OFFS = 'system:write-offs';

/** What a request can leave in the ledger, each at most once: paid by its account, or written off by the house. */
export type RequestEntryKind = 'charge' | 'write-off' | 'late-charge' | 'late-write-off';

/** One transfer of a request as its owner is shown it. */
export interface RequestTransfer {
  readonly kind: RequestEntryKind | 'refund';
  readonly amount: ServiceTokens;
  /** Of a refund; `null` for the others. */
  readonly reference: string | null;
  readonly at: Instant;
}

/** What an operator gave back of a request's charge, as it is stored. */
export interface RefundEntry {
  /** Its number in the ledger, in the order of writing. */
  readonly number: string;
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: Instant;
  /** Of the account it is booked on, right after this entry. */
  readonly balanceAfter: ServiceTokens;
}

/** One transfer of a request, as it is stored. */
export interface RequestEntry {
  /** Its number in the ledger, in the order of writing. */
  readonly number: string;
  readonly kind: RequestEntryKind;
  /** Who pays. */
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  readonly reservationId: ReservationId;
  readonly at: Instant;
  /** The UTC day whose usage it belongs to. */
  readonly day: string;
  /** Of the request's account, right after this entry. */
  readonly balanceAfter: ServiceTokens;
}

/** `posted` is what the ledger sums to; `reserved` is the part that running requests hold. */
export interface Balance {
  readonly posted: ServiceTokens;
  readonly reserved: ServiceTokens;
}

/** What can still be reserved. Never stored, never negative. */
export function availableOf(balance: Balance): ServiceTokens {
  return balance.posted.minus(balance.reserved);
}

/** What a request can draw on. */
export interface Means {
  /** Of the account's balance. */
  readonly available: ServiceTokens;
  /** Of its key's limit; `null`: the key has none. */
  readonly left: ServiceTokens | null;
}

/** The lesser of both. */
export function drawableOf({ available, left }: Means): ServiceTokens {
  return left === null ? available : smallerOf(available, left);
}

/** What can be set aside of these means for a demand; the key's limit refuses first. SQL states the same rule as the conditions of its statements. */
export function decideReserve(means: Means, { amount, floor }: ReserveDemand): ReserveOutcome {
  const { available, left } = means;
  invariant(!floor.isNegative() && !amount.isLessThan(floor), 'a floor is between nothing and the amount');
  if (left !== null && left.isLessThan(floor)) return { outcome: 'key-limit', left };
  return available.isLessThan(floor) ? { outcome: 'insufficient', available } : { outcome: 'reserved', amount: smallerOf(amount, drawableOf(means)) };
}

/** What an ending costs before the balance is looked at. */
export function chargeOfEnding(ending: Ending, facts: Pick<RequestFacts, 'usdPerServiceToken'>): Charge {
  if (ending.service === null) return chargeOf(ServiceTokens.ZERO, facts.usdPerServiceToken);
  return chargeFor(ending.usage, ending.service.price, facts.usdPerServiceToken);
}

/** The most a reservation can be charged: its own amount and all that can be drawn besides. */
export function payableOf(means: Means, reserved: ServiceTokens): ServiceTokens {
  return drawableOf(means).plus(reserved);
}

/** What bounds the charge of a request besides its cost. */
export interface ChargeBounds {
  /** What its reservation, the balance and the key's limit can pay. */
  readonly payable: ServiceTokens;
  /** What its purchase has been charged so far, less reversals; nothing unless given. */
  readonly paid?: ServiceTokens;
  /** What a receipt has promised; no bound unless given. */
  readonly atMost?: ServiceTokens | null;
}

/** How a cost was met: `covered` by other requests of the purchase, charged, or written off. The three add up to the cost. */
export interface ClippedCharge extends Pick<UsageRecord, 'charge' | 'writeOff'> {
  readonly covered: ServiceTokens;
}

/** Clips a charge to what is due and can be paid; the rest is written off, never owed. */
export function clipCharge(charge: Charge, { payable, paid = ServiceTokens.ZERO, atMost = null }: ChargeBounds, facts: Pick<RequestFacts, 'usdPerServiceToken'>): ClippedCharge {
  const covered = coveredBy(paid, charge.amount);
  const due = charge.amount.minus(covered);
  const amount = smallerOf(due, atMost === null ? payable : smallerOf(payable, atMost));
  return { charge: chargeOf(amount, facts.usdPerServiceToken), writeOff: due.minus(amount), covered };
}

/** The state a reservation ends in. */
export function endStateOf(ending: Ending): ReservationState {
  if (ending.reason === 'crashed') return 'expired';
  return ending.service === null ? 'released' : 'settled';
}

/** How the sweeper ends a reservation whose owner is gone: at its last checkpoint, or at nothing if it has none. */
export function endingOfOrphan(reservation: Reservation, now: Instant): Ending {
  const progress = reservation.progress;
  const usage: Usage = progress === null ? NO_USAGE : progress.usage;
  return {
    reason: 'crashed',
    service: progress?.service ?? null,
    usage: { ...usage, source: 'checkpoint' },
    firstOutputAt: null,
    endedAt: now,
  };
}

/** The ending of a request that nothing served: it costs nothing. */
export function unservedEnding(reason: EndReason, endedAt: Instant): Ending {
  return { reason, service: null, usage: NO_USAGE, firstOutputAt: null, endedAt };
}

export interface DoubtfulReservation {
  readonly ledger: Ledger;
  readonly reservationId: ReservationId;
  readonly now: Instant;
}

/**
 * Gives back a reservation that a failing ledger may have made all the same. Never rejects:
 * if it had made none, there is nothing to give back, and it says so by failing again.
 */
export async function releaseDoubtful({ ledger, reservationId, now }: DoubtfulReservation): Promise<void> {
  await Promise.allSettled([ledger.settle({ reservationId, ending: unservedEnding('internal_error', now) })]);
}

/** What is booked on top of the usage record of a swept reservation whose owner was alive after all. */
export interface LateSettlement {
  /** The real ending; that of the record where its checkpoint covered the whole cost. */
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly writeOff: ServiceTokens;
  /** The part beyond the record that other requests of the purchase were charged. */
  readonly covered: ServiceTokens;
  /** `null` where it repeats a record from before this was kept. */
  readonly settledAt: Instant | null;
}

/** Only a reservation that the sweeper ended is settled late, and only with its real ending. */
export function isSettledLate(record: Pick<UsageRecord, 'reason'>, ending: Pick<Ending, 'reason'>): boolean {
  return record.reason === 'crashed' && ending.reason !== 'crashed';
}

function atLeastZero(amount: ServiceTokens): ServiceTokens {
  return amount.isNegative() ? ServiceTokens.ZERO : amount;
}

/** The cost that a record states: charged, written off, or covered by other requests of its purchase. */
export function statedCostOf({ charge, writeOff, purchase }: Pick<UsageRecord, 'charge' | 'writeOff' | 'purchase'>): ServiceTokens {
  return charge.amount.plus(writeOff).plus(purchase?.covered ?? ServiceTokens.ZERO);
}

/** What the real ending costs beyond what the record states; never less than nothing. */
export function lateCostOf(record: UsageRecord, ending: Ending): ServiceTokens {
  return atLeastZero(chargeOfEnding(ending, record).amount.minus(statedCostOf(record)));
}

/** What bounds a late charge besides its cost; `paid` includes what the record was charged. */
export interface LateBounds extends Pick<ChargeBounds, 'paid'> {
  readonly means: Means;
}

/**
 * Settles a reservation that the sweeper ended before its owner did; a ledger books this at most once for each reservation.
 * Nothing is set aside for it any more, so the means alone bound the charge, and the rest is written off.
 */
export function decideLateSettlement(
  record: UsageRecord, { ending, at = ending.endedAt, atMost = null }: Omit<SettleCommand, 'reservationId'>, { means, paid = record.charge.amount }: LateBounds,
): LateSettlement {
  const cost = lateCostOf(record, ending);
  if (cost.isZero()) return { ending: endingOf(record), charged: cost, writeOff: cost, covered: cost, settledAt: record.settledAt };
  const due = smallerOf(cost, atLeastZero(chargeOfEnding(ending, record).amount.minus(paid)));
  const drawable = drawableOf(means);
  const charged = smallerOf(due, atMost === null ? drawable : smallerOf(drawable, atLeastZero(atMost.minus(record.charge.amount))));
  return { ending, charged, writeOff: due.minus(charged), covered: cost.minus(due), settledAt: at };
}

/** The record as it is read from then on: the real ending and both charges as one, at the record's own place in time. */
export function withLateSettlement(record: UsageRecord, { ending, charged, writeOff, covered, settledAt }: LateSettlement): UsageRecord {
  const { purchase } = record;
  return {
    ...record,
    ...ending,
    endedAt: record.endedAt,
    charge: chargeOf(record.charge.amount.plus(charged), record.usdPerServiceToken),
    writeOff: record.writeOff.plus(writeOff),
    purchase: purchase === null ? null : { ...purchase, covered: purchase.covered.plus(covered) },
    settledAt,
  };
}

function endingOf({ reason, service, usage, firstOutputAt, endedAt }: UsageRecord): Ending {
  return { reason, service, usage, firstOutputAt, endedAt };
}
