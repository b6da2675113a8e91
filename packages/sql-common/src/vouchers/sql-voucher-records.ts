import {
  type AuditedAct, type AuditedBy, type Instant, type Redemption, type RedemptionOutcome, type StoredVoucher, type VoucherBatch, type VoucherBatchId, type VoucherBatchPage, type VoucherPage,
  type VoucherRecords, VOUCHERS_PER_STEP, type VoucherUsePage,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { redeemVoucher } from './redeem-voucher.js';
import { batchFromRow, batchToRow, useFromRow, VOUCHER_BATCH_COLUMNS, VOUCHER_USE_COLUMNS } from './voucher-rows.js';

const BATCH_CURSOR = /^(\d{1,15}) (vbatch_[A-Za-z0-9_-]{1,60})$/;
const USE_CURSOR = /^\d{1,15}$/;

/** Writing scripts run one after another, so no batch can change between their reads and their writes. */
export class SqlVoucherRecords implements VoucherRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async begin(batch: VoucherBatch): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.insertInto('voucher_batches').values(batchToRow(batch))));
  }

  async add(id: VoucherBatchId, vouchers: readonly StoredVoucher[]): Promise<void> {
    await this.runner.write(() => this.insert(id, vouchers));
  }

  publish(id: VoucherBatchId, by: AuditedBy): Promise<void> {
    return this.runner.write(() => this.makePublic(id, by));
  }

  /** Deletes a batch in steps. The row of the batch is the last, so that another process can continue after a crash. */
  async discard(id: VoucherBatchId): Promise<void> {
    while (await this.runner.write(() => this.discardSome(id)) === VOUCHERS_PER_STEP);
    await this.runner.write(() => changesOf(this.queries.deleteFrom('voucher_batches').where('id', '=', id).where('published_at', 'is', null)));
  }

  async unpublished(before: Instant): Promise<readonly VoucherBatchId[]> {
    const left = this.queries.selectFrom('voucher_batches').select('id').where('published_at', 'is', null).where('created_at', '<', BigInt(before));
    return (await this.runner.read(() => rowsOf(left))).map(({ id }) => id as VoucherBatchId);
  }

  async list({ limit, cursor }: VoucherPage): Promise<VoucherBatchPage | null> {
    const [, at, id] = BATCH_CURSOR.exec(cursor ?? '') ?? [];
    if (cursor !== null && (at === undefined || id === undefined)) return null;
    const newest = this.published().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit + 1);
    const older = at === undefined || id === undefined ? newest : newest.where((row) => row(row.refTuple('created_at', 'id'), '<', row.tuple(BigInt(at), id)));
    const batches = (await this.runner.read(() => rowsOf(older))).map(batchFromRow);
    const shown = batches.slice(0, limit);
    const last = batches.length > limit ? shown.at(-1) : undefined;
    return { batches: shown, nextCursor: last === undefined ? null : `${last.createdAt} ${last.id}` };
  }

  find(id: VoucherBatchId): Promise<VoucherBatch | null> {
    return this.runner.read(() => this.named(id));
  }

  async uses(id: VoucherBatchId, { limit, cursor }: VoucherPage): Promise<VoucherUsePage | null> {
    if (cursor !== null && !USE_CURSOR.test(cursor)) return null;
    const newest = this.queries.selectFrom('voucher_uses').innerJoin('vouchers', 'vouchers.id', 'voucher_uses.voucher_id').select([...VOUCHER_USE_COLUMNS, 'vouchers.hint'])
      .where('voucher_uses.batch_id', '=', id).orderBy('voucher_uses.number', 'desc').limit(limit + 1);
    const older = cursor === null ? newest : newest.where('voucher_uses.number', '<', BigInt(cursor));
    const uses = (await this.runner.read(() => rowsOf(older))).map(useFromRow);
    const shown = uses.slice(0, limit);
    return { uses: shown, nextCursor: uses.length > limit ? `${shown.at(-1)?.number}` : null };
  }

  revoke(id: VoucherBatchId, by: AuditedBy): Promise<VoucherBatch | null> {
    return this.runner.write(() => this.end(id, by));
  }

  redeem(redemption: Redemption, by: AuditedBy): Promise<RedemptionOutcome> {
    return this.runner.write(() => redeemVoucher(this.queries, redemption, by));
  }

  private published() {
    return this.queries.selectFrom('voucher_batches').select(VOUCHER_BATCH_COLUMNS).where('published_at', 'is not', null);
  }

  private* named(id: VoucherBatchId): Script<VoucherBatch | null> {
    const row = yield* firstOf(this.published().where('id', '=', id));
    return row === null ? null : batchFromRow(row);
  }

  private* insert(id: VoucherBatchId, vouchers: readonly StoredVoucher[]): Script<void> {
    const batch = yield* firstOf(this.queries.selectFrom('voucher_batches').select('uses_per_voucher').where('id', '=', id).where('published_at', 'is', null));
    if (batch === null) return;
    yield* changesOf(this.queries.insertInto('vouchers').values(vouchers.map(({ id: voucherId, hash, hint }) =>
      ({ id: voucherId, batch_id: id, code_hash: hash, hint, uses: 0n, most_uses: batch.uses_per_voucher }))));
  }

  private* makePublic(id: VoucherBatchId, by: AuditedBy): Script<void> {
    const published = yield* changesOf(this.queries.updateTable('voucher_batches').set({ published_at: by.at }).where('id', '=', id).where('published_at', 'is', null));
    const batch = published === 0 ? null : yield* this.named(id);
    if (batch === null) return;
    const { amount, vouchers, usesPerVoucher, expiresAt, creditExpiresAfterDays, name } = batch;
    const details = { svcTokens: amount.toString(), codes: vouchers, usesPerCode: usesPerVoucher, expiresAt, creditExpiresAfterDays };
    yield* this.audit('voucher-batch.created', { id, details, texts: { name } }, by);
  }

  private* discardSome(id: VoucherBatchId): Script<number> {
    const unpublished = this.queries.selectFrom('voucher_batches').select('id').where('id', '=', id).where('published_at', 'is', null);
    const some = this.queries.selectFrom('vouchers').select('id').where('batch_id', 'in', unpublished).limit(VOUCHERS_PER_STEP);
    return yield* changesOf(this.queries.deleteFrom('vouchers').where('id', 'in', some));
  }

  private* end(id: VoucherBatchId, by: AuditedBy): Script<VoucherBatch | null> {
    const revoked = yield* changesOf(this.queries.updateTable('voucher_batches').set({ revoked_at: by.at }).where('id', '=', id)
      .where('published_at', 'is not', null).where('revoked_at', 'is', null));
    const batch = revoked === 0 ? null : yield* this.named(id);
    if (batch === null) return null;
    yield* this.audit('voucher-batch.revoked', { id, details: { uses: batch.uses } }, by);
    return batch;
  }

  private audit(action: `voucher-batch.${'created' | 'revoked'}`, { id, details, texts = {} }: Pick<AuditedAct, 'details' | 'texts'> & { readonly id: VoucherBatchId }, by: AuditedBy): Script<void> {
    return appendAuditEntry(this.queries, { ...by, action, subject: id, accountId: null, details, texts });
  }
}
