import type { UsageReport } from '../billing/usage-record.js';
import { invariant } from '../primitives/invariant.js';
import { type Instant, later } from '../primitives/time.js';
import type { UsageFilters, UsageScope } from './usage-filters.js';
import type { UsageReader } from './usage-reader.js';

export const RECORDS_PER_EXPORT_STEP = 1_000;

export interface UsageExportQuery extends UsageFilters {
  readonly accountId: UsageScope;
  /** Start of the export; requests that end later are excluded. */
  readonly at: Instant;
}

/** Exclusive end of the export, which includes requests that ended at `at`. */
function endOfExport({ to, at }: UsageExportQuery): Instant {
  const end = later(at, 1);
  return to === null || to > end ? end : to;
}

/**
 * Yields records newest first, in steps of at most `RECORDS_PER_EXPORT_STEP`; a step may be empty. Holds only one step in memory. If it throws, the
 * export is incomplete.
 */
export async function* exportUsage(usage: Pick<UsageReader, 'list'>, query: UsageExportQuery): AsyncGenerator<readonly UsageReport[], void, undefined> {
  const { at: _at, ...filters } = query;
  const listed = { ...filters, to: endOfExport(query), limit: RECORDS_PER_EXPORT_STEP };
  let cursor: string | null = null;
  do {
    const page = await usage.list({ ...listed, cursor });
    invariant(page !== null, 'the cursor of a page belongs to the same query');
    yield page.records;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
