import type { MoneyAct } from '../billing/money-act.js';
import { voucherReferenceOf } from '../billing/reserved-references.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { Brand } from '../primitives/brand.js';
import type { TokenHash } from '../primitives/hashes.js';
import { type Instant, later, MILLISECONDS_PER_DAY } from '../primitives/time.js';

/** `vbatch_<id>` */
export type VoucherBatchId = Brand<string, 'VoucherBatchId'>;
/** `voucher_<id>`: the id of the batch and the number of the voucher in it. Differs from the code. */
export type VoucherId = Brand<string, 'VoucherId'>;

export const MAX_VOUCHERS_PER_BATCH = 10_000;
export const MAX_VOUCHER_USES = 1_000_000;
/** Longest life of codes, and of the credit that they give. */
export const MAX_VOUCHER_DAYS = 3_650;
export const MAX_VOUCHER_NOTE_CHARACTERS = 500;

/** Terms that all vouchers of a batch share. */
export interface VoucherTerms {
  readonly name: string;
  /** For operators; `null` for none. */
  readonly note: string | null;
  /** Credited by each use; greater than zero. */
  readonly amount: ServiceTokens;
  /** How many accounts may redeem one code. */
  readonly usesPerVoucher: number;
  /** Expiry of the codes; `null` for never. */
  readonly expiresAt: Instant | null;
  /** Days from the use to the expiry of the credit; `null` for never. */
  readonly creditExpiresAfterDays: number | null;
}

export interface VoucherBatch extends VoucherTerms {
  readonly id: VoucherBatchId;
  readonly vouchers: number;
  /** Uses of all vouchers of the batch so far. */
  readonly uses: number;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

export type VoucherBatchState = 'active' | 'used-up' | 'expired' | 'revoked';

export function voucherBatchState({ revokedAt, uses, vouchers, usesPerVoucher, expiresAt }: VoucherBatch, at: Instant): VoucherBatchState {
  if (revokedAt !== null) return 'revoked';
  if (uses >= vouchers * usesPerVoucher) return 'used-up';
  return expiresAt !== null && at >= expiresAt ? 'expired' : 'active';
}

/** A voucher as it is stored: with the hash and the hint of its code, not with the code. */
export interface StoredVoucher {
  readonly id: VoucherId;
  readonly hash: TokenHash;
  readonly hint: string;
}

/** `number`: from 1, in the order of the batch. */
export function voucherIdOf(batch: VoucherBatchId, number: number): VoucherId {
  return `voucher_${batch.slice(batch.indexOf('_') + 1)}-${number}` as VoucherId;
}

export interface VoucherUse {
  /** From 1, in the order of the uses of the batch. */
  readonly number: number;
  readonly voucherId: VoucherId;
  readonly hint: string;
  readonly accountId: AccountId;
  readonly amount: ServiceTokens;
  readonly at: Instant;
  /** `null` for a credit that does not expire. */
  readonly creditExpiresAt: Instant | null;
}

export function creditExpiryOf({ creditExpiresAfterDays: days }: Pick<VoucherTerms, 'creditExpiresAfterDays'>, at: Instant): Instant | null {
  return days === null ? null : later(at, days * MILLISECONDS_PER_DAY);
}

export function voucherActOf(use: VoucherUse, { actor, at }: AuditedBy): MoneyAct {
  return { kind: 'voucher', expiresAt: use.creditExpiresAt, accountId: use.accountId, amount: use.amount, reference: voucherReferenceOf(use.voucherId, use.accountId), reason: null, actor, at };
}
