import {
  type BookedRequest, type ChargeLine, costOfMillion, explainCharge, explainLateSettlement, type JsonObject, type LateSettlement,
  type Reservation, rfc3339, type TokenRate, type UsageRecord,
} from '@tollgate/core';
import { encodeChargeExplanation, encodeOperatorUsageRecord, encodeRefund, encodeRequestEntry } from '@tollgate/wire-kit';

/** All that the books contain about one request. Amounts are decimal strings; missing parts are `null`. */
export function encodeBookedRequest({ reservation, record, late, entries, refunds }: BookedRequest): JsonObject {
  const facts = record ?? reservation?.facts;
  return {
    request_id: facts?.requestId ?? null,
    account_id: facts?.accountId ?? null,
    key_id: facts?.keyId ?? null,
    reservation: reservation === null ? null : encodeReservation(reservation),
    usage: record === null ? null : encodeOperatorUsageRecord({ ...record, reserved: reservation?.amount ?? null, admittedAt: reservation?.createdAt ?? null }),
    charge: record === null ? null : encodeCharge(record),
    late: record === null || late === null ? null : encodeLate(record, late),
    entries: entries.map(encodeRequestEntry),
    refunds: refunds.map(encodeRefund),
  };
}

function encodeReservation({ id, state, amount, ownerId, createdAt, expiresAt }: Reservation): JsonObject {
  return { id, state, set_aside: amount.toString(), owner: ownerId, created_at: rfc3339(createdAt), expires_at: rfc3339(expiresAt) };
}

/** A charge step by step, as its record states it, with prices per million tokens. */
export function encodeCharge(record: UsageRecord): JsonObject {
  return { ...encodeChargeExplanation(record), lines: encodeLines(explainCharge(record).lines, record.usdPerServiceToken) };
}

function encodeLines(lines: readonly ChargeLine[], usdPerServiceToken: TokenRate): readonly JsonObject[] {
  return lines.map(({ tokenClass, count, rate, amount }) => {
    const { svcTokens, usd } = costOfMillion(rate, usdPerServiceToken);
    return { token_class: tokenClass, tokens: count, rate, per_million: svcTokens, usd_per_million: usd, amount };
  });
}

/** Encodes a late settlement: the actual usage of the request, and what was charged in addition to its record. */
function encodeLate(record: UsageRecord, late: LateSettlement): JsonObject {
  const { ending, charged, writeOff } = late;
  const { lines, computed, coveredBefore, chargedInAll } = explainLateSettlement(record, late);
  return {
    end_reason: ending.reason,
    usage_source: ending.usage.source,
    ended_at: rfc3339(ending.endedAt),
    lines: encodeLines(lines, record.usdPerServiceToken),
    computed: computed.toString(),
    covered_before: coveredBefore.toString(),
    written_off: writeOff.toString(),
    debited: charged.toString(),
    debited_in_all: chargedInAll.amount.toString(),
  };
}
