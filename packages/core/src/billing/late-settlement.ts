import { chargeOf } from '../money/charge.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Instant } from '../primitives/time.js';
import { drawableOf, type Means } from './balance.js';
import { type ChargeBounds, chargeOfEnding } from './charge.js';
import type { SettleCommand } from './reservation.js';
import type { Ending, UsageRecord } from './usage-record.js';

/** Second settlement of a reservation that was swept although its process was alive. It adds to the usage record. */
export interface LateSettlement {
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly writeOff: ServiceTokens;
  /** Part of the additional cost that other requests of the purchase have paid. */
  readonly covered: ServiceTokens;
  readonly settledAt: Instant;
}

/** True if the reservation was swept and `ending` is not itself that of a sweep. */
export function isSettledLate(record: Pick<UsageRecord, 'reason'>, ending: Pick<Ending, 'reason'>): boolean {
  return record.reason === 'crashed' && ending.reason !== 'crashed';
}

function atLeastZero(amount: ServiceTokens): ServiceTokens {
  return amount.isNegative() ? ServiceTokens.ZERO : amount;
}

/** Charge + write-off + the part covered by the purchase. */
export function statedCostOf({ charge, writeOff, purchase }: Pick<UsageRecord, 'charge' | 'writeOff' | 'purchase'>): ServiceTokens {
  return charge.amount.plus(writeOff).plus(purchase?.covered ?? ServiceTokens.ZERO);
}

/** Cost of the real ending less the recorded cost; at least 0. */
export function lateCostOf(record: UsageRecord, ending: Ending): ServiceTokens {
  return atLeastZero(chargeOfEnding(ending, record).amount.minus(statedCostOf(record)));
}

/** `paid` includes the record's charge. */
export interface LateBounds extends Pick<ChargeBounds, 'paid'> {
  readonly means: Means;
}

/**
 * At most one per reservation. The reservation is gone, so the late charge is clipped to the available means; the record's charge and the late charge
 * together are clipped to `atMost`. The rest is written off.
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

/** The usage record as readers see it: the real ending with the sum of both charges; `endedAt` stays the time of the sweep. */
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
