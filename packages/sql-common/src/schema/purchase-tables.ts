import type { Whole } from './column-types.js';

/**
 * Requests that share an idempotency key. `covered` is the part of a record's cost that is charged to the others; `covered_late` is that part of its
 * late settlement.
 */
export interface PurchaseRequestTable {
  request_id: string;
  /** First request of the purchase. */
  purchase_id: string;
  covered: Whole;
  covered_late: Whole;
}
