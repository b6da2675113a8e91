import {
  type AccountId, type ApiKeyId, type EndReason, instant, type KeyBudget, type ProcessId, type RequestFacts, type Reservation, type ReservationId,
  type ReservationProgress, type ReservationState, ServiceTokens, withEveryClass,
} from '@tollgate/core';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';

/** End reason of swept reservations, which may be followed by one late settlement. */
export const SWEPT: EndReason = 'crashed';

// Facts and progress consist of texts, numbers, booleans and null, which JSON restores exactly. JSON also escapes the characters that databases do
// not accept in texts.

export function encodeFacts(facts: RequestFacts): string {
  return JSON.stringify(facts);
}

/** Replaces texts of the client that cannot be stored, for a database that reads the JSON itself. */
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
  return column === null ? null : withEveryClass(JSON.parse(column) as ReservationProgress);
}

export interface BudgetColumns {
  readonly key_lineage: string | null;
  readonly key_period: string | null;
  readonly key_limit: bigint | null;
}

/** Returns `null` if the key had no limit. */
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
