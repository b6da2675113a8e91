import { type Instant, rfc3339, type VoucherBatch, voucherBatchState, type VoucherCode, type VoucherUse } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';
import { BYTE_ORDER_MARK, csvCell } from './usage-export.js';

/** The batch as operators see it, without its codes. */
export function encodeVoucherBatch(batch: VoucherBatch, now: Instant) {
  return {
    id: batch.id,
    object: 'voucher_batch' as const,
    name: batch.name,
    note: batch.note,
    status: voucherBatchState(batch, now),
    svc_tokens: batch.amount.toString(),
    code_count: batch.vouchers,
    uses_per_code: batch.usesPerVoucher,
    uses: batch.uses,
    expires_at: timeOrNull(batch.expiresAt),
    credit_expires_after_days: batch.creditExpiresAfterDays,
    created_at: rfc3339(batch.createdAt),
    revoked_at: timeOrNull(batch.revokedAt),
  };
}

/** A redemption of a voucher as operators see it. */
export function encodeVoucherUse(use: VoucherUse) {
  return {
    object: 'voucher_use' as const,
    number: use.number,
    voucher_id: use.voucherId,
    hint: use.hint,
    account_id: use.accountId,
    svc_tokens: use.amount.toString(),
    redeemed_at: rfc3339(use.at),
    credit_expires_at: timeOrNull(use.creditExpiresAt),
  };
}

const CODE_COLUMNS = ['code', 'svc_tokens', 'uses', 'expires_at', 'batch'] as const;

/** The codes of a batch as CSV: RFC 4180 in UTF-8, after a byte order mark if asked for, with a header row. */
export function voucherCodesCsv({ amount, usesPerVoucher, expiresAt, name }: VoucherBatch, codes: readonly VoucherCode[], { bom }: { readonly bom: boolean }): string {
  const terms = [amount.toString(), usesPerVoucher, timeOrNull(expiresAt), name].map(csvCell).join(',');
  const lines = [CODE_COLUMNS.join(','), ...codes.map((code) => `${code.reveal()},${terms}`)];
  return `${bom ? BYTE_ORDER_MARK : ''}${lines.join('\r\n')}\r\n`;
}
