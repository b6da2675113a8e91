import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { utcDayOf } from '../primitives/time.js';
import { chargeOfEnding, endStateOf } from './charge.js';
import { lateCostOf, type LateSettlement, statedCostOf } from './late-settlement.js';
import { type RefundEntry, type RequestEntry, type RequestEntryKind, REVENUE, WRITE_OFFS } from './ledger-entry.js';
import type { Reservation } from './reservation.js';
import type { UsageRecord } from './usage-record.js';

/** Everything the books hold of one request, each part as it was written. What is missing although it should be there is for `findDisagreements`. */
export interface BookedRequest {
  /** Its amount is all that was set aside, extensions included. */
  readonly reservation: Reservation | null;
  /** As it was written when the reservation ended; `null` while the request runs. */
  readonly record: UsageRecord | null;
  readonly late: LateSettlement | null;
  /** In the order they were written. */
  readonly entries: readonly RequestEntry[];
  /** In the order they were written. */
  readonly refunds: readonly RefundEntry[];
  /** The largest amount that can be stored; larger ones are stored as this one. */
  readonly largestAmount: ServiceTokens;
}

/** Two places in the books that should say the same of a request and do not. */
export interface Disagreement {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** One comparison; both sides as they are shown. */
type Comparison = readonly [what: string, expected: string | null, found: string | null];

const NONE = 'none';

/** A held reservation has no record yet; one that has ended has exactly one, of the same request, and in the state that its ending leads to. */
function compareReservation({ reservation, record }: BookedRequest): readonly Comparison[] {
  if (record === null) return [['state of a reservation without a usage record', 'held', reservation?.state ?? null]];
  const facts = reservation?.facts;
  return [
    ['state of the reservation', endStateOf(record), reservation?.state ?? null],
    ['request of the reservation', record.requestId, facts?.requestId ?? null],
    ['account of the reservation', record.accountId, reservation?.accountId ?? null],
    ['key of the reservation', record.keyId, facts === undefined ? null : facts.keyId],
  ];
}

/** Counts at prices, against what the record says was charged and written off. */
function compareCharge({ record, largestAmount }: BookedRequest): readonly Comparison[] {
  if (record === null) return [];
  const { amount } = chargeOfEnding(record, record);
  return [['tokens at their prices, charged, written off and covered by the purchase', smallerOf(amount, largestAmount).toString(), statedCostOf(record).toString()]];
}

/** Only what a sweep ended is charged once more, and only for what the sweep had not covered. */
function compareLate({ record, late, largestAmount }: BookedRequest): readonly Comparison[] {
  if (late === null) return [];
  if (record?.reason !== 'crashed') return [['ending before a late settlement', 'crashed', record?.reason ?? null]];
  const expected = smallerOf(lateCostOf(record, late.ending), largestAmount);
  const stated = late.charged.plus(late.writeOff).plus(late.covered);
  return [['late settlement: tokens at their prices beyond the record, charged, written off and covered by the purchase', expected.toString(), stated.toString()]];
}

/** An amount that is stated and the entries of that kind: the same sum, from and to whom it should be. Nothing leaves no entry. */
function compareEntry({ record, entries }: BookedRequest, kind: RequestEntryKind, stated: ServiceTokens): readonly Comparison[] {
  const ofKind = entries.filter((entry) => entry.kind === kind);
  const sum = ofKind.reduce((total, { amount }) => total.plus(amount), ServiceTokens.ZERO);
  const debtor = kind === 'charge' || kind === 'late-charge' ? record?.accountId ?? NONE : WRITE_OFFS;
  const sides = ofKind.map(({ debit, credit }): Comparison => [`sides of the ledger's ${kind}`, `${debtor} to ${REVENUE}`, `${debit} to ${credit}`]);
  return [[`${kind} in the ledger`, stated.toString(), sum.toString()], ...sides];
}

function compareEntries(booked: BookedRequest): readonly Comparison[] {
  const { record, late, entries } = booked;
  return [
    ...compareEntry(booked, 'charge', record?.charge.amount ?? ServiceTokens.ZERO),
    ...compareEntry(booked, 'write-off', record?.writeOff ?? ServiceTokens.ZERO),
    ...compareEntry(booked, 'late-charge', late?.charged ?? ServiceTokens.ZERO),
    ...compareEntry(booked, 'late-write-off', late?.writeOff ?? ServiceTokens.ZERO),
    ...entries.flatMap(({ kind, requestId, day }): readonly Comparison[] => [
      [`request of the ledger's ${kind}`, record?.requestId ?? null, requestId],
      [`day of the ledger's ${kind}`, record === null ? null : utcDayOf(record.endedAt), day],
    ]),
  ];
}

/** Refunds go from the revenue to the account, and together give back at most what was charged. */
function compareRefunds({ record, late, refunds }: BookedRequest): readonly Comparison[] {
  const charged = (record?.charge.amount ?? ServiceTokens.ZERO).plus(late?.charged ?? ServiceTokens.ZERO);
  const refunded = refunds.reduce((total, { amount }) => total.plus(amount), ServiceTokens.ZERO);
  const sides = refunds.map(({ debit, credit }): Comparison => ["sides of the ledger's refund", `${REVENUE} to ${record?.accountId ?? NONE}`, `${debit} to ${credit}`]);
  return [['refunds, at most the charge', smallerOf(refunded, charged).toString(), refunded.toString()], ...sides];
}

/** Compares everything that is known of one request: reservation, usage record, late settlement, ledger entries and refunds. Empty when all agree. */
export function findDisagreements(booked: BookedRequest): readonly Disagreement[] {
  const comparisons = [...compareReservation(booked), ...compareCharge(booked), ...compareLate(booked), ...compareEntries(booked), ...compareRefunds(booked)];
  return comparisons.filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ what, expected: expected ?? NONE, found: found ?? NONE }));
}
