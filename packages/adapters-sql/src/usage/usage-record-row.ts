import {
  type AccountId, type ApiKeyId, chargeOf, type Ending, type RequestFacts, type RequestId, type ReservationId, type TokenRate, type UsageRecord,
  type WireFormatName,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn } from '../schema/column-values.js';
import type { LateSettlementTable, UsageRecordTable } from '../schema/database-schema.js';
import { storableText, storableTextOrNull } from '../text/storable-text.js';
import { chargedPartsFromRow, endingFromRow, endingToRow, type ChargedParts } from './ending-row.js';

export type UsageRecordRow = Selectable<UsageRecordTable>;
export type LateSettlementRow = Selectable<LateSettlementTable>;

/** One ended reservation: everything its record is made of. */
export interface EndedReservation {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly parts: ChargedParts;
}

export function usageRecordToRow({ id, facts, ending, parts }: EndedReservation): Record<keyof Omit<UsageRecordRow, 'seq'>, bigint | number | string | null> {
  return {
    ...endingToRow(ending, parts),
    request_id: facts.requestId,
    reservation_id: id,
    account_id: facts.accountId,
    key_id: facts.keyId,
    format: facts.format,
    streamed: flagToColumn(facts.streamed),
    requested_model: storableText(facts.requestedModel),
    attribution: storableTextOrNull(facts.attribution),
    usd_rate: facts.usdPerServiceToken,
    started_at: facts.startedAt,
  };
}

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
  return { ...facts, ...endingFromRow(row), charge: chargeOf(charged, facts.usdPerServiceToken), writeOff };
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
  };
}
