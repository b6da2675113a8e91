import { type IncidentLimit, instant, type ModelSlug, type RecordedIncidentLimit, type RecordedMaintenance, tokenCount } from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { IncidentLimitTable } from '../schema/platform-tables.js';

function numberOrNull(column: bigint | null): number | null {
  return column === null ? null : Number(column);
}

export function incidentLimitFromRow(row: Selectable<IncidentLimitTable>): IncidentLimit {
  const tokensPerMinute = numberOrNull(row.tokens_per_minute);
  return {
    model: row.model as ModelSlug,
    setAt: instantFromColumn(row.set_at),
    requestsPerMinute: numberOrNull(row.requests_per_minute),
    tokensPerMinute: tokensPerMinute === null ? null : tokenCount(tokensPerMinute),
    concurrentRequests: numberOrNull(row.concurrent_requests),
    expiresAt: instantOrNull(row.expires_at),
  };
}

export function recordedLimitFromRow(row: Selectable<IncidentLimitTable>): RecordedIncidentLimit {
  return { ...incidentLimitFromRow(row), setBy: row.set_by };
}

export function incidentLimitToRow(limit: IncidentLimit, setBy: string): Insertable<IncidentLimitTable> {
  return {
    model: limit.model,
    set_at: limit.setAt,
    requests_per_minute: limit.requestsPerMinute,
    tokens_per_minute: limit.tokensPerMinute,
    concurrent_requests: limit.concurrentRequests,
    expires_at: limit.expiresAt,
    set_by: setBy,
  };
}

/** Name of the maintenance setting, which has no row while maintenance is off. */
export const MAINTENANCE_SETTING = 'maintenance';

interface StoredMaintenance {
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly message: string | null;
  readonly setBy: string | null;
  readonly setAt: number;
}

export function maintenanceFromSetting(value: string): RecordedMaintenance {
  const { startsAt, endsAt, message, setBy, setAt } = JSON.parse(value) as StoredMaintenance;
  return { startsAt: instant(startsAt), endsAt: endsAt === null ? null : instant(endsAt), message, setBy, setAt: instant(setAt) };
}

export function maintenanceToSetting({ startsAt, endsAt, message, setBy, setAt }: RecordedMaintenance): string {
  return JSON.stringify({ startsAt, endsAt, message, setBy, setAt } satisfies StoredMaintenance);
}
