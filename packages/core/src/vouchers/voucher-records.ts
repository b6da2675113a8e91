import type { Balance } from '../billing/balance.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { TokenHash } from '../primitives/hashes.js';
import type { Instant } from '../primitives/time.js';
import type { StoredVoucher, VoucherBatch, VoucherBatchId, VoucherUse } from './voucher.js';

/** Maximum vouchers that one transaction stores or discards; SQLite runs the transaction on the event loop. */
export const VOUCHERS_PER_STEP = 50;

export interface VoucherPage {
  readonly limit: number;
  /** Cursor of an earlier page. */
  readonly cursor: string | null;
}

export interface VoucherBatchPage {
  readonly batches: readonly VoucherBatch[];
  readonly nextCursor: string | null;
}

export interface VoucherUsePage {
  readonly uses: readonly VoucherUse[];
  readonly nextCursor: string | null;
}

export interface Redemption {
  readonly accountId: AccountId;
  /** `null` for a text that is no code, which counts as a wrong try. */
  readonly hash: TokenHash | null;
  /** Keyed hashes of the owner's mailbox, one per key of the installation's secret; distinct, at least one. */
  readonly mailboxHashes: readonly string[];
}

export type RedemptionOutcome =
  /** `repeated`: the account redeemed the voucher earlier, and nothing is booked. */
  | { readonly outcome: 'redeemed' | 'repeated'; readonly use: VoucherUse; readonly balance: Balance }
  | { readonly outcome: 'refused' | 'account-inactive' }
  | { readonly outcome: 'too-many-tries'; readonly until: Instant };

/** Audits publications, revocations and uses in the same transaction. */
export interface VoucherRecords {
  /** Begins a batch. Until it is published, it is in no list and its codes are refused. */
  begin(batch: VoucherBatch): Promise<void>;
  /** Adds at most `VOUCHERS_PER_STEP` vouchers. */
  add(id: VoucherBatchId, vouchers: readonly StoredVoucher[]): Promise<void>;
  /** Throws `KeyClaimed`, without effect, if another request has the key that the actor claims. */
  publish(id: VoucherBatchId, by: AuditedBy): Promise<void>;
  /** Removes the batch unless it is published. */
  discard(id: VoucherBatchId): Promise<void>;
  /** Batches begun before this time whose codes were never published. */
  unpublished(before: Instant): Promise<readonly VoucherBatchId[]>;
  /** Newest first. `null` for an invalid cursor. */
  list(page: VoucherPage): Promise<VoucherBatchPage | null>;
  find(id: VoucherBatchId): Promise<VoucherBatch | null>;
  /** Newest first. `null` for an invalid cursor. */
  uses(id: VoucherBatchId, page: VoucherPage): Promise<VoucherUsePage | null>;
  /** Codes with uses left are refused from then on. `null` if there is no such batch or it is already revoked. */
  revoke(id: VoucherBatchId, by: AuditedBy): Promise<VoucherBatch | null>;
  /** Counts the use and books its credit in one transaction; concurrent redemptions never exceed the voucher's uses. */
  redeem(redemption: Redemption, by: AuditedBy): Promise<RedemptionOutcome>;
}
