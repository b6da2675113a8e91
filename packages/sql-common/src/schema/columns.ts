import {
  type AccountId, type ApiKeyId, type Balance, COUNTER_ACCOUNTS, type EndReason, type Instant, instant, type KeyBudget, MAX_BALANCE, type ProcessId, type RequestFacts,
  type Reservation, type ReservationId, type ReservationProgress, type ReservationState, ServiceTokens, WRITE_OFFS,
} from '@tollgate/core';
import type { ColumnType, Generated } from 'kysely';

/** A 64-bit integer; read as `bigint`, since micro-tokens exceed 2^53. */
export type Whole = ColumnType<bigint, bigint | number, bigint | number>;
export type NullableWhole = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
/** Default: `null`. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
/** Default: that of the column. */
export type WholeOrDefault = ColumnType<bigint, bigint | number | undefined, bigint | number>;
export type TextOrDefault = ColumnType<string, string | undefined, string>;
/** Assigned in the order of writing. */
export type Sequence = Generated<bigint>;

/** 0 or 1, for every database. */
export function flagToColumn(flag: boolean): number {
  return flag ? 1 : 0;
}

export function flagFromColumn(column: bigint | number): boolean {
  return Number(column) !== 0;
}

export function instantFromColumn(column: bigint | number): Instant {
  return instant(Number(column));
}

export function instantOrNull(column: bigint | number | null): Instant | null {
  return column === null ? null : instantFromColumn(column);
}

/** Far below 2^63, so that sums of two cannot overflow. */
export const MAX_UNITS = MAX_BALANCE.toUnits();

/** Clipped to the largest amount. */
export function storableUnits(units: bigint): bigint {
  return units > MAX_UNITS ? MAX_UNITS : units;
}

/** With the `u` flag, `\p{Surrogate}` matches lone surrogates only. */
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A quick test; also matches surrogate pairs. */
const MAY_BE_UNSTORABLE = /[\0\ud800-\udfff]/;

/** Replaces U+0000 and lone surrogates, which some databases refuse or change. */
export function storableText(text: string): string {
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(EVERY_UNSTORABLE, '\u{FFFD}');
}

export function storableTextOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

/** The other sides of customers' transfers. */
export const SYSTEM_ACCOUNTS = [...Object.values(COUNTER_ACCOUNTS), WRITE_OFFS] as const;

/** Reason of swept reservations; at most one late settlement may follow. */
export const SWEPT: EndReason = 'crashed';

export interface BalanceRow {
  readonly balance: bigint;
  readonly reserved: bigint;
}

export function balanceFromRow({ balance, reserved }: BalanceRow): Balance {
  return { posted: ServiceTokens.fromUnits(balance), reserved: ServiceTokens.fromUnits(reserved) };
}

// Facts and progress hold texts, numbers, booleans and null only, so JSON gives back what it was given. It also
// escapes the characters that databases refuse in text.

export function encodeFacts(facts: RequestFacts): string {
  return JSON.stringify(facts);
}

/** With client texts as they will be recorded, for a database that reads the JSON itself. */
export function storableFacts(facts: RequestFacts): RequestFacts {
  const requestedModel = storableText(facts.requestedModel);
  const attribution = storableTextOrNull(facts.attribution);
  const isStorable = requestedModel === facts.requestedModel && attribution === facts.attribution;
  return isStorable ? facts : { ...facts, requestedModel, attribution };
}

export function decodeFacts(column: string): RequestFacts {
  return JSON.parse(column) as RequestFacts;
}

export function encodeProgress(progress: ReservationProgress): string {
  return JSON.stringify(progress);
}

function decodeProgress(column: string | null): ReservationProgress | null {
  return column === null ? null : JSON.parse(column) as ReservationProgress;
}

export interface BudgetColumns {
  readonly key_lineage: string | null;
  readonly key_period: string | null;
  readonly key_limit: bigint | null;
}

/** `null` if the key had no limit. */
export function budgetFromRow({ key_lineage, key_period, key_limit }: BudgetColumns): KeyBudget | null {
  if (key_lineage === null || key_limit === null) return null;
  return { lineage: key_lineage as ApiKeyId, period: key_period as KeyBudget['period'], limit: ServiceTokens.fromUnits(key_limit) };
}

export interface ReservationRow extends BudgetColumns {
  readonly id: string;
  readonly account_id: string;
  readonly owner_id: string;
  readonly amount: bigint;
  readonly state: string;
  readonly facts: string;
  readonly progress: string | null;
  readonly created_at: bigint;
  readonly expires_at: bigint;
}

export function reservationFromRow(row: ReservationRow): Reservation {
  return {
    id: row.id as ReservationId,
    accountId: row.account_id as AccountId,
    ownerId: row.owner_id as ProcessId,
    amount: ServiceTokens.fromUnits(row.amount),
    state: row.state as ReservationState,
    facts: decodeFacts(row.facts),
    budget: budgetFromRow(row),
    progress: decodeProgress(row.progress),
    createdAt: instant(Number(row.created_at)),
    expiresAt: instant(Number(row.expires_at)),
  };
}
