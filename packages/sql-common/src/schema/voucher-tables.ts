import type { NullableWhole, Whole } from './column-types.js';

export interface VoucherBatchTable {
  id: string;
  name: string;
  note: string | null;
  /** Micro-tokens that one use credits. */
  amount: Whole;
  vouchers: Whole;
  uses_per_voucher: Whole;
  /** Number of uses of all vouchers of the batch. */
  uses: Whole;
  expires_at: NullableWhole;
  credit_expires_after_days: NullableWhole;
  created_at: Whole;
  /** `null` until all vouchers of the batch are stored. */
  published_at: NullableWhole;
  revoked_at: NullableWhole;
}

export interface VoucherTable {
  id: string;
  batch_id: string;
  code_hash: string;
  /** First characters of the code. */
  hint: string;
  uses: Whole;
  most_uses: Whole;
}

export interface VoucherUseTable {
  account_id: string;
  voucher_id: string;
  batch_id: string;
  /** Number of the voucher in its batch, from 1. */
  number: Whole;
  amount: Whole;
  at: Whole;
  credit_expires_at: NullableWhole;
}

/** Keyed hashes of mailboxes that redeemed a voucher. */
export interface VoucherMailboxTable { voucher_id: string; mailbox_hash: string }

/** Number of wrong codes that an account tried since the first one of its window. */
export interface WrongVoucherTable { account_id: string; tries: Whole; since: Whole }

export interface VoucherTables {
  voucher_batches: VoucherBatchTable;
  vouchers: VoucherTable;
  voucher_uses: VoucherUseTable;
  voucher_mailboxes: VoucherMailboxTable;
  wrong_vouchers: WrongVoucherTable;
}
