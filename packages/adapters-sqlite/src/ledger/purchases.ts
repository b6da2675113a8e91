import { REVERSAL_PREFIX, ServiceTokens } from '@tollgate/core';
import type { PurchaseRow } from '@tollgate/sql-common';
import type { SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';

/** Statements about the requests that share an idempotency key. The caller provides the transaction. */
export interface PurchaseStatements {
  readonly find: SqliteStatement<[requestId: string], PurchaseRow>;
  readonly paid: SqliteStatement<[purchaseId: string], { readonly paid: bigint }>;
  readonly insert: SqliteStatement<[requestId: string, purchaseId: string]>;
  readonly cover: SqliteStatement<[covered: bigint, requestId: string]>;
  readonly coverLate: SqliteStatement<[covered: bigint, requestId: string]>;
}

export function preparePurchases(connection: SqliteConnection): PurchaseStatements {
  return {
    find: connection.prepare('SELECT purchase_id, covered, covered_late FROM purchase_requests WHERE request_id = ?'),
    paid: connection.prepare(`
      SELECT coalesce(sum(u.charge + coalesce(l.charge, 0) - coalesce((
        SELECT sum(e.amount) FROM ledger_entries e WHERE e.reference = '${REVERSAL_PREFIX}' || u.request_id AND e.kind = 'refund' AND e.request_id = u.request_id
      ), 0)), 0) AS paid FROM purchase_requests p JOIN usage_records u ON u.request_id = p.request_id
      LEFT JOIN late_settlements l ON l.reservation_id = u.reservation_id WHERE p.purchase_id = ?`),
    insert: connection.prepare('INSERT INTO purchase_requests (request_id, purchase_id) VALUES (?, ?) ON CONFLICT (request_id) DO NOTHING'),
    cover: connection.prepare('UPDATE purchase_requests SET covered = ? WHERE request_id = ?'),
    coverLate: connection.prepare('UPDATE purchase_requests SET covered_late = ? WHERE request_id = ?'),
  };
}

/** Service tokens paid for a purchase so far: charges less reversals. */
export function paidBy({ paid }: PurchaseStatements, purchaseId: string): ServiceTokens {
  return ServiceTokens.fromUnits(paid.get(purchaseId)?.paid ?? 0n);
}
