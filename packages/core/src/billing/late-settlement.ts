import { chargeOf } from '../money/price.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Instant } from '../time.js';
import { chargeOfEnding, drawableOf, type Means } from './ledger-entry.js';
import type { SettleCommand } from './reservation.js';
import type { Ending, UsageRecord } from './usage-record.js';

/** What is booked on top of the usage record of a swept reservation whose owner was alive after all. */
export interface LateSettlement {
  /** The real ending; that of the record where its checkpoint covered the whole cost. */
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly writeOff: ServiceTokens;
  /** `null` where it repeats a record from before this was kept. */
  readonly settledAt: Instant | null;
}

/** Only a reservation that the sweeper ended is settled late, and only with its real ending. */
export function isSettledLate(record: Pick<UsageRecord, 'reason'>, ending: Pick<Ending, 'reason'>): boolean {
  return record.reason === 'crashed' && ending.reason !== 'crashed';
}

/** What the real ending costs beyond what the record charged or wrote off; never less than nothing. */
export function lateCostOf(record: UsageRecord, ending: Ending): ServiceTokens {
  const cost = chargeOfEnding(ending, record).amount.minus(record.charge.amount).minus(record.writeOff);
  return cost.isNegative() ? ServiceTokens.ZERO : cost;
}

/**
 * Settles a reservation that the sweeper ended before its owner did; a ledger books this at most once for each reservation.
 * Nothing is set aside for it any more, so the means alone bound the charge, and the rest is written off.
 */
export function decideLateSettlement(record: UsageRecord, { ending, at = ending.endedAt }: Omit<SettleCommand, 'reservationId'>, means: Means): LateSettlement {
  const cost = lateCostOf(record, ending);
  if (cost.isZero()) return { ending: endingOf(record), charged: cost, writeOff: cost, settledAt: record.settledAt };
  const charged = smallerOf(cost, drawableOf(means));
  return { ending, charged, writeOff: cost.minus(charged), settledAt: at };
}

/** The record as it is read from then on: the real ending and both charges as one, at the record's own place in time. */
export function withLateSettlement(record: UsageRecord, { ending, charged, writeOff, settledAt }: LateSettlement): UsageRecord {
  return {
    ...record,
    ...ending,
    endedAt: record.endedAt,
    charge: chargeOf(record.charge.amount.plus(charged), record.usdPerServiceToken),
    writeOff: record.writeOff.plus(writeOff),
    settledAt,
  };
}

function endingOf({ reason, service, usage, firstOutputAt, endedAt }: UsageRecord): Ending {
  return { reason, service, usage, firstOutputAt, endedAt };
}
