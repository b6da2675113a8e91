import { type AccountId, ServiceTokens, type VoucherBatch, type VoucherBatchId, type VoucherId, type VoucherUse } from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { columnsOf } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import type { VoucherBatchTable, VoucherUseTable } from '../schema/voucher-tables.js';

export const VOUCHER_BATCH_COLUMNS = columnsOf<VoucherBatchTable>({
  id: true, name: true, note: true, amount: true, vouchers: true, uses_per_voucher: true, uses: true, expires_at: true, credit_expires_after_days: true, created_at: true,
  published_at: true, revoked_at: true,
});

export function batchFromRow(row: Selectable<VoucherBatchTable>): VoucherBatch {
  return {
    id: row.id as VoucherBatchId, name: row.name, note: row.note, amount: ServiceTokens.fromUnits(row.amount), vouchers: Number(row.vouchers),
    usesPerVoucher: Number(row.uses_per_voucher), uses: Number(row.uses), expiresAt: instantOrNull(row.expires_at),
    creditExpiresAfterDays: row.credit_expires_after_days === null ? null : Number(row.credit_expires_after_days), createdAt: instantFromColumn(row.created_at),
    revokedAt: instantOrNull(row.revoked_at),
  };
}

/** Row of a new batch, which is unpublished. */
export function batchToRow(batch: VoucherBatch): Insertable<VoucherBatchTable> {
  return {
    id: batch.id, name: storableText(batch.name), note: storableTextOrNull(batch.note), amount: batch.amount.toUnits(), vouchers: batch.vouchers,
    uses_per_voucher: batch.usesPerVoucher, uses: batch.uses, expires_at: batch.expiresAt, credit_expires_after_days: batch.creditExpiresAfterDays,
    created_at: batch.createdAt, published_at: null, revoked_at: batch.revokedAt,
  };
}

/** Columns of a use, except the hint of its voucher. */
export const VOUCHER_USE_COLUMNS = [
  'voucher_uses.number', 'voucher_uses.voucher_id', 'voucher_uses.account_id', 'voucher_uses.amount', 'voucher_uses.at', 'voucher_uses.credit_expires_at',
] as const;

type UseRow = Omit<Selectable<VoucherUseTable>, 'batch_id'> & { readonly hint: string };

export function useFromRow(row: UseRow): VoucherUse {
  return {
    number: Number(row.number), voucherId: row.voucher_id as VoucherId, hint: row.hint, accountId: row.account_id as AccountId, amount: ServiceTokens.fromUnits(row.amount),
    at: instantFromColumn(row.at), creditExpiresAt: instantOrNull(row.credit_expires_at),
  };
}
