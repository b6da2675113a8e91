import { chargeOf } from '../money/price.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Instant } from '../primitives/time.js';
import { drawableOf, type Means } from './balance.js';
import { type ChargeBounds, chargeOfEnding } from './charge.js';
import type { SettleCommand } from './reservation.js';
import type { Ending, UsageRecord } from './usage-record.js';

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
