import {
  type AccountId, instant, type ProcessId, type Reservation, type ReservationId, type ReservationState, ServiceTokens,
} from '@tollgate/core';
import { budgetFromRow, type BudgetColumns } from '../keys/key-spending-row.js';
import { decodeFacts, decodeProgress } from './reservation-json.js';

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
