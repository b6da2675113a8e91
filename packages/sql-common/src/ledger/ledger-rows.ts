import {
  type AccountId, type Balance, COUNTER_ACCOUNTS, type EndReason, instant, type ProcessId, type RequestFacts, type Reservation, type ReservationId,
  type ReservationProgress, type ReservationState, REVENUE, ServiceTokens, WRITE_OFFS,
} from '@tollgate/core';
import { type BudgetColumns, budgetFromRow } from '../keys/key-rows.js';
import { storableText, storableTextOrNull } from '../schema/column-values.js';

export { REVENUE, WRITE_OFFS };

/** Every other side of customers' transfers. */
export const SYSTEM_ACCOUNTS = [...Object.values(COUNTER_ACCOUNTS), WRITE_OFFS] as const;

/** Why the sweeper ends reservations; a record that says so may be followed by one late settlement. */
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

/** The facts with what clients named freely as it is going to be recorded, for a database that looks into the JSON itself. */
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
