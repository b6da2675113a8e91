import {
  type AccountId, type ApiKeyId, chargeOf, type RequestFacts, type RequestId, ServiceTokens, type TokenRate, type UsageRecord, type UsageReport, type WireFormatName,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { flagFromColumn, instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { LateSettlementTable, ReservationTable, UsageRecordTable } from '../schema/database-schema.js';
import { chargedPartsFromRow, endingFromRow } from './ending-row.js';

export type UsageRecordRow = Selectable<UsageRecordTable>;
export type LateSettlementRow = Selectable<LateSettlementTable>;

/** What was known of the request when its reservation was opened. */
export function factsFromRow(row: UsageRecordRow): RequestFacts {
  return {
    requestId: row.request_id as RequestId,
    accountId: row.account_id as AccountId,
    keyId: row.key_id as ApiKeyId | null,
    format: row.format as WireFormatName | null,
    streamed: flagFromColumn(row.streamed),
    requestedModel: row.requested_model,
    attribution: row.attribution,
    usdPerServiceToken: row.usd_rate as TokenRate,
    startedAt: instantFromColumn(row.started_at),
  };
}

/** The record as it was written when its reservation ended. */
export function usageRecordFromRow(row: UsageRecordRow): UsageRecord {
  const { charged, writeOff } = chargedPartsFromRow(row);
  const facts = factsFromRow(row);
  return { ...facts, ...endingFromRow(row), charge: chargeOf(charged, facts.usdPerServiceToken), writeOff, settledAt: instantOrNull(row.settled_at) };
}

/**
 * The record as readers see it once its owner has come back: what really was used, and both charges as one.
 * It keeps its place in time, so that pages and days stay as they were.
 */
export function withLateSettlement(record: UsageRecord, late: LateSettlementRow): UsageRecord {
  const { charged, writeOff } = chargedPartsFromRow(late);
  return {
    ...record,
    ...endingFromRow(late),
    endedAt: record.endedAt,
    charge: chargeOf(record.charge.amount.plus(charged), record.usdPerServiceToken),
    writeOff: record.writeOff.plus(writeOff),
    settledAt: instantOrNull(late.settled_at),
  };
}

export type HoldRow = Pick<Selectable<ReservationTable>, 'amount' | 'created_at'>;

/** The record with what its reservation held: a reservation that has ended stays as it was. */
export function withHold(record: UsageRecord, hold: HoldRow | undefined): UsageReport {
  if (hold === undefined) return { ...record, reserved: null, admittedAt: null };
  return { ...record, reserved: ServiceTokens.fromUnits(hold.amount), admittedAt: instantFromColumn(hold.created_at) };
}
