import { type AccountId, type ApiKeyId, invariant, type ModelSlug } from '../primitives.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, later } from '../time.js';
import type { EndReason, UsageRecord, UsageReport } from '../billing/usage-record.js';
import type { UsageReader } from '../ports/usage-reader.js';

/** In place of an account id: the records of all accounts, for operators. A symbol, so that no text of a client is ever taken for it. */
export const ALL_ACCOUNTS: unique symbol = Symbol('all accounts');

/** Whose records are read. */
export type UsageScope = AccountId | typeof ALL_ACCOUNTS;

/** Which records are read; `null` filters nothing. A record is judged as readers see it, its late settlement included. */
export interface UsageFilters {
  /** Included, as all times here by the instant the request ended. */
  readonly from: Instant | null;
  /** Not included. */
  readonly to: Instant | null;
  /** The model that served. */
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
  readonly attribution: string | null;
  readonly endReason: EndReason | null;
  /** The smallest charge, included. */
  readonly leastCharge: ServiceTokens | null;
}

export const NO_USAGE_FILTERS: UsageFilters = {
  from: null, to: null, model: null, keyId: null, attribution: null, endReason: null, leastCharge: null,
};

/** Whether a record passes every filter. */
export function passesUsageFilters(record: UsageRecord, filters: UsageFilters): boolean {
  const { from, to, model, keyId, attribution, endReason, leastCharge } = filters;
  return (from === null || record.endedAt >= from)
    && (to === null || record.endedAt < to)
    && (model === null || record.service?.servedBy === model)
    && (keyId === null || record.keyId === keyId)
    && (attribution === null || record.attribution === attribution)
    && (endReason === null || record.reason === endReason)
    && (leastCharge === null || !record.charge.amount.isLessThan(leastCharge));
}

/** Records read in one step of an export. */
export const RECORDS_PER_EXPORT_STEP = 1_000;

export interface UsageExportQuery extends UsageFilters {
  readonly accountId: UsageScope;
  /** When the export began. Records of requests that ended later are not in it. */
  readonly at: Instant;
}

/** The end of the period of an export that began at an instant: what ended at that instant is still in it. */
function endOfExport({ to, at }: UsageExportQuery): Instant {
  const end = later(at, 1);
  return to === null || to > end ? end : to;
}

/**
 * All records of a query, newest first, in steps of at most `RECORDS_PER_EXPORT_STEP`; a step may be empty. Reads a step when the one before has
 * been taken, so that an export of any size holds one step in memory. Throws what the reader throws; the export is then incomplete.
 */
export async function* exportUsage(usage: Pick<UsageReader, 'list'>, query: UsageExportQuery): AsyncGenerator<readonly UsageReport[], void, undefined> {
  const { at: _at, ...filters } = query;
  const listed = { ...filters, to: endOfExport(query), limit: RECORDS_PER_EXPORT_STEP };
  let cursor: string | null = null;
  do {
    const page = await usage.list({ ...listed, cursor });
    invariant(page !== null, 'a cursor of the page before is one of the same query');
    yield page.records;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
