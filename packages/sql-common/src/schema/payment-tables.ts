import type { ColumnType } from 'kysely';
import type { NullableWhole, Sequence, Whole } from './column-types.js';

/** `amount` and `refunded` are in the smallest unit of the currency, `tokens` and `uncovered` in micro-tokens. */
export interface PaymentTable {
  id: string;
  account_id: string;
  provider: string;
  reference: string | null;
  origin: string;
  state: string;
  problem: string | null;
  amount: Whole;
  currency: string;
  tokens: Whole;
  /** Number of days between the booking and the expiry of the credit; `null` if it does not expire. */
  credit_expires_after_days: ColumnType<bigint | null, bigint | number | null | undefined, never>;
  package_id: string | null;
  /** 0 or 1. */
  saves_method: Whole;
  booked_at: NullableWhole;
  refunded: Whole;
  uncovered: Whole;
  customer: string | null;
  method: string | null;
  invoice_url: string | null;
  url: string | null;
  created_at: Whole;
  changed_at: Whole;
  checked_at: NullableWhole;
  /** Time at which the provider is asked if no notification arrives before; `null` if it is not asked again. */
  next_check_at: NullableWhole;
}

/** Refund or dispute that the provider reported. `claimed` and `uncovered` are in micro-tokens. */
export interface PaymentAdjustmentTable {
  seq: Sequence;
  payment_id: string;
  kind: string;
  id: string;
  amount: Whole;
  status: string;
  claimed: Whole;
  uncovered: Whole;
  at: Whole;
}

export interface PaymentRefundTable {
  id: string;
  payment_id: string;
  amount: Whole;
  state: string;
  reference: string | null;
  requested_at: Whole;
}

/** `details` is JSON. */
export interface SimulatedCheckoutTable {
  reference: string;
  details: string;
}

export interface PaymentTables {
  payments: PaymentTable;
  payment_adjustments: PaymentAdjustmentTable;
  payment_refunds: PaymentRefundTable;
  simulated_checkouts: SimulatedCheckoutTable;
}
