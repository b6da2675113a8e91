import type { NullableWhole, Whole } from './column-types.js';

export interface VoucherBatchTable {
  id: string;
  name: string;
  note: string | null;
  /** Credited by one use, in micro-tokens. */
  amount: Whole;
  vouchers: Whole;
  uses_per_voucher: Whole;
  /** Uses of all vouchers of the batch. */
  uses: Whole;
  expires_at: NullableWhole;
  credit_expires_after_days: NullableWhole;
  created_at: Whole;
  /** `null` until all vouchers are stored. */
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

/** Keyed hashes of the mailboxes that redeemed a voucher. */
export interface VoucherMailboxTable { voucher_id: string; mailbox_hash: string }

/** Wrong tries of an account since the first one of its window. */
export interface WrongVoucherTable { account_id: string; tries: Whole; since: Whole }

export interface VoucherTables {
  voucher_batches: VoucherBatchTable;
  vouchers: VoucherTable;
  voucher_uses: VoucherUseTable;
  voucher_mailboxes: VoucherMailboxTable;
  wrong_vouchers: WrongVoucherTable;
}
