import type { Whole } from './column-types.js';

/**
 * Requests served under one idempotency key. `covered`: the part of the record's cost charged to the others; `covered_late`: of the late
 * settlement.
 */
export interface PurchaseRequestTable {
  request_id: string;
  /** First request of the purchase. */
  purchase_id: string;
  covered: Whole;
  covered_late: Whole;
}
