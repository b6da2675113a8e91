import {
  type AccountId, type ApiKeyId, chargeOf, type Ending, type EndReason, invariant, isAlwaysStored, type LateSettlement, type ModelSlug, perCount, perRate, type Price, type PriceListId, type Purchase, type RequestFacts, type RequestId,
  type ServedModel, ServiceTokens, TOKEN_COUNTS, TOKEN_RATES, tokenCount, type TokenRate, type Usage, type UsageRecord, type UsageReport, type UsageSource, utcDayOf, type WireFormatName,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { type CountColumn, countColumn, type RateColumn, rateColumn } from '../schema/token-columns.js';
import type { PurchaseRequestTable } from '../schema/purchase-tables.js';
import type { EndingColumns, LateSettlementTable, ReservationTable, UsageRecordTable } from '../schema/database-schema.js';

export interface ChargedParts {
  readonly charged: ServiceTokens;
  readonly writeOff: ServiceTokens;
}

const NO_RATE = '0' as TokenRate;

type EndingRow = Selectable<EndingColumns>;

type EndingFacts = Omit<EndingRow, 'charge' | 'write_off' | 'settled_at'>;
type PlainNumbers<Row> = { readonly [Column in keyof Row]: Row[Column] extends bigint ? number : Row[Column] extends bigint | null ? number | null : Row[Column] };

/** Columns of an ending, without charge and settlement time, as JSON values. */
export function endingToColumns(ending: Ending): PlainNumbers<EndingFacts> {
  const { service, usage } = ending;
  return {
    end_reason: ending.reason,
    served_by: service?.servedBy ?? null,
    upstream_id: service?.upstreamId ?? null,
    omitted: service?.omitted?.join(',') ?? null,
    fallback_used: flagToColumn(service?.fallbackUsed ?? false),
    ...rateColumnsOf(service?.price ?? null),
    price_list: service?.priceVersion?.list ?? null,
    price_version: service?.priceVersion?.version ?? null,
    ...countColumnsOf(usage),
    usage_source: usage.source,
    reasoning_withheld: flagToColumn(usage.reasoningWithheld),
    first_output_at: ending.firstOutputAt,
    ended_at: ending.endedAt,
    day: utcDayOf(ending.endedAt),
  };
}

function rateColumnsOf(price: Price | null): Readonly<Record<RateColumn, TokenRate | null>> {
  return Object.fromEntries(TOKEN_RATES.map((rate) => [rateColumn(rate), price?.[rate.field] ?? null])) as Record<RateColumn, TokenRate | null>;
}

function countColumnsOf(usage: Usage): Readonly<Record<CountColumn, number>> {
  return Object.fromEntries(TOKEN_COUNTS.map((count): readonly [CountColumn, number] => [countColumn(count), usage[count.field]])) as Record<CountColumn, number>;
}

function usageFromRow(row: EndingRow): Usage {
  return {
    ...perCount((count) => tokenCount(Number(row[countColumn(count)]))),
    source: row.usage_source as UsageSource,
    reasoningWithheld: flagFromColumn(row.reasoning_withheld),
  };
}

function servedModelFromRow(row: EndingRow): ServedModel | null {
  if (row.served_by === null) return null;
  invariant(TOKEN_RATES.every((rate) => row[rateColumn(rate)] !== null || !isAlwaysStored(rate)), 'a record of a served request has the rates of every release');
  return {
    servedBy: row.served_by as ModelSlug,
    upstreamId: row.upstream_id,
    fallbackUsed: flagFromColumn(row.fallback_used),
    ...(row.omitted === null ? {} : { omitted: row.omitted.split(',') }),
    // The column of a token class is `null` in records that are older than the class.
    price: perRate((rate) => (row[rateColumn(rate)] ?? NO_RATE) as TokenRate),
    priceVersion: row.price_list === null ? null : { list: row.price_list as PriceListId, version: row.price_version ?? '' },
  };
}

function endingFromRow(row: EndingRow): Ending {
  return {
    reason: row.end_reason as EndReason,
    service: servedModelFromRow(row),
    usage: usageFromRow(row),
    firstOutputAt: instantOrNull(row.first_output_at),
    endedAt: instantFromColumn(row.ended_at),
  };
}

function chargedPartsFromRow(row: Pick<EndingRow, 'charge' | 'write_off'>): ChargedParts {
  return { charged: ServiceTokens.fromUnits(row.charge), writeOff: ServiceTokens.fromUnits(row.write_off) };
}

export type UsageRecordRow = Selectable<UsageRecordTable>;
export type LateSettlementRow = Selectable<LateSettlementTable>;

/** Facts of a request, which are known when its reservation is made. */
function factsFromRow(row: UsageRecordRow): RequestFacts {
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

export type PurchaseRow = Pick<Selectable<PurchaseRequestTable>, 'purchase_id' | 'covered' | 'covered_late'>;

/** The usage record as written when the reservation ended. @param purchase is `null` or `undefined` if the request shares no idempotency key. */
export function usageRecordFromRow(row: UsageRecordRow, purchase: PurchaseRow | null | undefined): UsageRecord {
  const { charged, writeOff } = chargedPartsFromRow(row);
  const facts = factsFromRow(row);
  return { ...facts, ...endingFromRow(row), charge: chargeOf(charged, facts.usdPerServiceToken), writeOff, purchase: purchaseFromRow(purchase), settledAt: instantFromColumn(row.settled_at) };
}

function purchaseFromRow(row: PurchaseRow | null | undefined): Purchase | null {
  return row === null || row === undefined ? null : { firstRequestId: row.purchase_id as RequestId, covered: ServiceTokens.fromUnits(row.covered) };
}

export function lateSettlementFromRow(row: LateSettlementRow, purchase: PurchaseRow | null | undefined): LateSettlement {
  return { ending: endingFromRow(row), ...chargedPartsFromRow(row), covered: ServiceTokens.fromUnits(purchase?.covered_late ?? 0n), settledAt: instantFromColumn(row.settled_at) };
}

export type HoldRow = Pick<Selectable<ReservationTable>, 'amount' | 'created_at'>;

/** Adds the reservation, which cannot change any more. */
export function withHold(record: UsageRecord, hold: HoldRow | undefined): UsageReport {
  if (hold === undefined) return { ...record, reserved: null, admittedAt: null };
  return { ...record, reserved: ServiceTokens.fromUnits(hold.amount), admittedAt: instantFromColumn(hold.created_at) };
}
