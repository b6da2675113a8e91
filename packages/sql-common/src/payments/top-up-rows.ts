import { type AutomaticTopUp, ServiceTokens, type TopUpSettings, type TopUpStop, type TopUpWait } from '@tollgate/core';
import type { Selectable } from 'kysely';
import { columnsOf } from '../schema/column-lists.js';
import { flagFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import type { AutomaticTopUpTable } from '../schema/top-up-tables.js';

export const TOP_UP_COLUMNS = columnsOf<AutomaticTopUpTable>({
  account_id: true, enabled: true, threshold: true, package_id: true, amount: true, currency: true, max_per_day: true, monthly_amount: true, due_at: true, waits_for: true, declines: true,
  stop_reason: true, stopped_at: true, tokens: true,
});

export function topUpFromRow(row: Selectable<AutomaticTopUpTable>): AutomaticTopUp {
  const stoppedAt = instantOrNull(row.stopped_at);
  return {
    settings: {
      threshold: ServiceTokens.fromUnits(row.threshold), packageId: row.package_id, tokens: ServiceTokens.fromUnits(row.tokens), amount: row.amount, currency: row.currency, maxPerDay: Number(row.max_per_day), monthlyAmount: row.monthly_amount,
    },
    isEnabled: flagFromColumn(row.enabled), declines: Number(row.declines), stopped: row.stop_reason === null || stoppedAt === null ? null : { reason: row.stop_reason as TopUpStop, at: stoppedAt },
    waitsFor: row.waits_for as TopUpWait | null, dueAt: instantOrNull(row.due_at),
  };
}

export function settingsToColumns({ threshold, packageId, tokens, amount, currency, maxPerDay, monthlyAmount }: TopUpSettings) {
  return { threshold: threshold.toUnits(), package_id: storableTextOrNull(packageId), tokens: tokens.toUnits(), amount, currency, max_per_day: BigInt(maxPerDay), monthly_amount: monthlyAmount };
}
