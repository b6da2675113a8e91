import { type UsageReport, withLateSettlement } from '@tollgate/core';
import { LATE_SETTLEMENT_COLUMNS, PURCHASE_COLUMNS } from '../schema/column-lists.js';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import { lateSettlementFromRow, usageRecordFromRow, type UsageRecordRow, withHold } from './usage-rows.js';

/** Adds to each usage record its late settlement, its purchase and its reservation, if any. */
export function* usageReports(queries: Queries, rows: readonly UsageRecordRow[]): Script<readonly UsageReport[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.reservation_id);
  const late = yield* rowsOf(queries.selectFrom('late_settlements').select(LATE_SETTLEMENT_COLUMNS).where('reservation_id', 'in', ids));
  const holds = yield* rowsOf(queries.selectFrom('reservations').select(['id', 'amount', 'created_at']).where('id', 'in', ids));
  const purchases = yield* rowsOf(queries.selectFrom('purchase_requests').select(PURCHASE_COLUMNS).where('request_id', 'in', rows.map((row) => row.request_id)));
  const purchaseByRequest = new Map(purchases.map((row) => [row.request_id, row]));
  const lateByReservation = new Map(late.map((row) => [row.reservation_id, row]));
  const holdsById = new Map(holds.map((row) => [row.id, row]));
  return rows.map((row) => {
    const purchase = purchaseByRequest.get(row.request_id);
    const record = usageRecordFromRow(row, purchase);
    const settledLate = lateByReservation.get(row.reservation_id);
    return withHold(settledLate === undefined ? record : withLateSettlement(record, lateSettlementFromRow(settledLate, purchase)), holdsById.get(row.reservation_id));
  });
}
