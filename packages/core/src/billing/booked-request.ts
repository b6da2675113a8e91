import { Big } from 'big.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import {
  chargeOfEnding, endStateOf, lateCostOf, type LateSettlement, type RefundEntry, type RequestEntry, type RequestEntryKind, REVENUE,
  statedCostOf, withLateSettlement, WRITE_OFFS,
} from './ledger-entry.js';
import type { Reservation } from './reservation.js';
import type { UsageRecord } from './usage-record.js';
import { utcDayOf } from '../time.js';
import { outputTokensOf } from '../generation/usage.js';
import type { TokenCount } from '../primitives.js';
import type { Charge, TokenRate } from '../money/price.js';

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

export type TokenClass = 'uncached_prompt' | 'cached_prompt' | 'cache_creation' | 'output';

/** One token class of a charge. */
export interface ChargeLine {
  readonly tokenClass: TokenClass;
  readonly count: TokenCount;
  readonly rate: TokenRate;
  /** Count × rate, exact, as a plain decimal. */
  readonly amount: string;
}

/** How a record came to its charge: lines, their sum, the rounding, and what could not be paid. */
export interface ChargeExplanation {
  /** Empty when nothing served the request. */
  readonly lines: readonly ChargeLine[];
  /** Exact sum of the lines, as a plain decimal. */
  readonly sum: string;
  /** What rounding up to 0.000001 added, as a plain decimal. */
  readonly rounding: string;
  /** The sum after rounding; the charge, the write-off and the part that the purchase covers together. */
  readonly computed: ServiceTokens;
}

function linesOf({ service, usage }: UsageRecord): readonly ChargeLine[] {
  if (service === null) return [];
  const { price } = service;
  const classes: readonly (readonly [TokenClass, TokenCount, TokenRate])[] = [
    ['uncached_prompt', usage.uncachedPromptTokens, price.promptToken],
    ['cached_prompt', usage.cachedPromptTokens, price.cachedPromptToken],
    ['cache_creation', usage.cacheCreationTokens, price.cacheCreationToken],
    ['output', outputTokensOf(usage), price.outputToken],
  ];
  return classes.map(([tokenClass, count, rate]) => ({ tokenClass, count, rate, amount: new Big(rate).times(count).toFixed() }));
}

/** Recomputes a charge from the record's own counts and price, step by step. */
export function explainCharge(record: UsageRecord): ChargeExplanation {
  const lines = linesOf(record);
  const sum = lines.reduce((total, { amount }) => total.plus(amount), new Big(0));
  const computed = chargeOfEnding(record, record).amount;
  return { lines, sum: sum.toFixed(), rounding: computed.toBig().minus(sum).toFixed(), computed };
}

/** How a late settlement came to its charge: the real ending at the record's prices, less what the record had covered. */
export interface LateExplanation {
  readonly lines: readonly ChargeLine[];
  readonly computed: ServiceTokens;
  /** Charged, written off or covered by the purchase, by the record. */
  readonly coveredBefore: ServiceTokens;
  /** Both charges together. */
  readonly chargedInAll: Charge;
}

export function explainLateSettlement(record: UsageRecord, late: LateSettlement): LateExplanation {
  const whole = withLateSettlement(record, late);
  const { lines, computed } = explainCharge(whole);
  return { lines, computed, coveredBefore: statedCostOf(record), chargedInAll: whole.charge };
}
