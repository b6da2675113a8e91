import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { utcDayOf } from '../primitives/time.js';
import { chargeOfEnding, endStateOf } from './charge.js';
import { lateCostOf, type LateSettlement, statedCostOf } from './late-settlement.js';
import { type RefundEntry, type RequestEntry, type RequestEntryKind, REVENUE, WRITE_OFFS } from './ledger-entry.js';
import type { Reservation } from './reservation.js';
import type { UsageRecord } from './usage-record.js';

/** Everything that the store has about one request. `findDisagreements` reports parts that are missing or contradict each other. */
export interface BookedRequest {
  /** Its amount includes extensions. */
  readonly reservation: Reservation | null;
  /** As it was before any late settlement; `null` while the request runs. */
  readonly record: UsageRecord | null;
  readonly late: LateSettlement | null;
  /** In the order of writing. */
  readonly entries: readonly RequestEntry[];
  /** In the order of writing. */
  readonly refunds: readonly RefundEntry[];
  /** Largest amount that the database can store; larger amounts are clipped to it. */
  readonly largestAmount: ServiceTokens;
}

export interface Disagreement {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

type Comparison = readonly [what: string, expected: string | null, found: string | null];

const NONE = 'none';

/** A held reservation has no usage record. An ended reservation has a record of the same request, with a matching state. */
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

/** Usage × price must equal charge + write-off + the part covered by the purchase. */
function compareCharge({ record, largestAmount }: BookedRequest): readonly Comparison[] {
  if (record === null) return [];
  const { amount } = chargeOfEnding(record, record);
  return [['tokens at their prices, charged, written off and covered by the purchase', smallerOf(amount, largestAmount).toString(), statedCostOf(record).toString()]];
}

/** Only a swept reservation is settled late, for the cost beyond what the sweep recorded. */
function compareLate({ record, late, largestAmount }: BookedRequest): readonly Comparison[] {
  if (late === null) return [];
  if (record?.reason !== 'crashed') return [['ending before a late settlement', 'crashed', record?.reason ?? null]];
  const expected = smallerOf(lateCostOf(record, late.ending), largestAmount);
  const stated = late.charged.plus(late.writeOff).plus(late.covered);
  return [['late settlement: tokens at their prices beyond the record, charged, written off and covered by the purchase', expected.toString(), stated.toString()]];
}

/** The entries of `kind` must add up to the stated amount and name the right accounts. */
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

/** Refunds must go from revenue to the account, and their sum must not exceed the charge. */
function compareRefunds({ record, late, refunds }: BookedRequest): readonly Comparison[] {
  const charged = (record?.charge.amount ?? ServiceTokens.ZERO).plus(late?.charged ?? ServiceTokens.ZERO);
  const refunded = refunds.reduce((total, { amount }) => total.plus(amount), ServiceTokens.ZERO);
  const sides = refunds.map(({ debit, credit }): Comparison => ["sides of the ledger's refund", `${REVENUE} to ${record?.accountId ?? NONE}`, `${debit} to ${credit}`]);
  return [['refunds, at most the charge', smallerOf(refunded, charged).toString(), refunded.toString()], ...sides];
}

/** Empty if all parts are consistent. */
export function findDisagreements(booked: BookedRequest): readonly Disagreement[] {
  const comparisons = [...compareReservation(booked), ...compareCharge(booked), ...compareLate(booked), ...compareEntries(booked), ...compareRefunds(booked)];
  return comparisons.filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ what, expected: expected ?? NONE, found: found ?? NONE }));
}
