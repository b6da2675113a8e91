import {
  type AuditedBy, type Balance, creditExpiryOf, decideRedemption, invariant, type Redemption, type RedemptionDecision, type RedemptionOutcome, type VoucherBatch, type VoucherId, voucherActOf,
  type VoucherUse, type WrongVouchers,
} from '@tollgate/core';
import { ACCOUNT_COLUMNS, accountFromRow } from '../accounts/account-rows.js';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { instantFromColumn } from '../schema/column-values.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import { batchFromRow, useFromRow, VOUCHER_BATCH_COLUMNS, VOUCHER_USE_COLUMNS } from './voucher-rows.js';

interface FoundVoucher {
  readonly id: VoucherId;
  readonly hint: string;
  readonly uses: number;
  readonly batch: VoucherBatch;
}

/** Locks account, voucher and batch, in this order, so that what the decision reads does not change before the writes. */
export function* redeemVoucher(queries: Queries, redemption: Redemption, by: AuditedBy): Script<RedemptionOutcome> {
  const { accountId, hash, mailboxHashes } = redemption;
  const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select([...ACCOUNT_COLUMNS, 'balance', 'reserved']).where('id', '=', accountId)));
  const voucher = hash === null ? null : yield* lockVoucher(queries, hash);
  const decision = decideRedemption({
    account: account === null ? null : accountFromRow(account),
    wrong: yield* wrongTries(queries, redemption),
    voucher: voucher === null ? null : { ...voucher.batch, uses: voucher.uses, isRevoked: voucher.batch.revokedAt !== null },
    earlier: voucher === null ? null : yield* earlierUse(queries, voucher, redemption),
    isMailboxKnown: voucher !== null && (yield* isMailboxKnown(queries, voucher, mailboxHashes)),
  }, by.at);
  if (decision.outcome === 'redeem') {
    invariant(voucher !== null, 'only a voucher that was found is redeemed');
    return yield* countUse(queries, { voucher, redemption, decision }, by);
  }
  if (decision.outcome === 'repeated') {
    invariant(account !== null, 'an account that is missing is refused first');
    return { outcome: 'repeated', use: decision.use, balance: balanceFromRow(account) };
  }
  if (decision.outcome !== 'refused') return decision;
  yield* countWrongTry(queries, redemption, decision.wrong);
  return { outcome: 'refused' };
}

/** Locks a voucher and its batch. Returns `null` if the voucher does not exist or its batch is not published. */
function* lockVoucher(queries: Queries, hash: string): Script<FoundVoucher | null> {
  const voucher = yield* firstOf(locking(queries, queries.selectFrom('vouchers').select(['id', 'batch_id', 'hint', 'uses']).where('code_hash', '=', hash)));
  if (voucher === null) return null;
  const batch = yield* firstOf(locking(queries, queries.selectFrom('voucher_batches').select(VOUCHER_BATCH_COLUMNS).where('id', '=', voucher.batch_id).where('published_at', 'is not', null)));
  return batch === null ? null : { id: voucher.id as VoucherId, hint: voucher.hint, uses: Number(voucher.uses), batch: batchFromRow(batch) };
}

function* wrongTries(queries: Queries, { accountId }: Redemption): Script<WrongVouchers | null> {
  const row = yield* firstOf(queries.selectFrom('wrong_vouchers').select(['tries', 'since']).where('account_id', '=', accountId));
  return row === null ? null : { tries: Number(row.tries), since: instantFromColumn(row.since) };
}

function* countWrongTry(queries: Queries, { accountId }: Redemption, { tries, since }: WrongVouchers): Script<void> {
  yield* changesOf(queries.insertInto('wrong_vouchers').values({ account_id: accountId, tries, since })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ tries, since })));
}

function* earlierUse(queries: Queries, { id, hint }: FoundVoucher, { accountId }: Redemption): Script<VoucherUse | null> {
  const row = yield* firstOf(queries.selectFrom('voucher_uses').select(VOUCHER_USE_COLUMNS).where('account_id', '=', accountId).where('voucher_id', '=', id));
  return row === null ? null : useFromRow({ ...row, hint });
}

function* isMailboxKnown(queries: Queries, { id }: FoundVoucher, mailboxHashes: readonly string[]): Script<boolean> {
  return (yield* firstOf(queries.selectFrom('voucher_mailboxes').select('mailbox_hash').where('voucher_id', '=', id).where('mailbox_hash', 'in', mailboxHashes))) !== null;
}

interface DecidedUse {
  readonly voucher: FoundVoucher;
  readonly redemption: Redemption;
  readonly decision: Extract<RedemptionDecision, { readonly outcome: 'redeem' }>;
}

/** The only place where a use is counted. It is counted in the same transaction as its credit. */
function* countUse(queries: Queries, { voucher: { id, hint, batch }, redemption: { accountId, mailboxHashes }, decision: { amount } }: DecidedUse, by: AuditedBy): Script<RedemptionOutcome> {
  const counted = yield* changesOf(queries.updateTable('vouchers').set((row) => ({ uses: row('uses', '+', 1n) })).where('id', '=', id)
    .where((row) => row('uses', '<', row.ref('most_uses'))));
  invariant(counted === 1, 'the voucher was read under its lock');
  yield* changesOf(queries.updateTable('voucher_batches').set((row) => ({ uses: row('uses', '+', 1n) })).where('id', '=', batch.id));
  const use: VoucherUse = { number: batch.uses + 1, voucherId: id, hint, accountId, amount, at: by.at, creditExpiresAt: creditExpiryOf(batch, by.at) };
  yield* changesOf(queries.insertInto('voucher_uses').values({
    account_id: accountId, voucher_id: id, batch_id: batch.id, number: use.number, amount: amount.toUnits(), at: use.at, credit_expires_at: use.creditExpiresAt,
  }));
  yield* changesOf(queries.insertInto('voucher_mailboxes').values(mailboxHashes.map((hash) => ({ voucher_id: id, mailbox_hash: hash }))));
  return { outcome: 'redeemed', use, balance: yield* book(queries, use, by) };
}

function* book(queries: Queries, use: VoucherUse, by: AuditedBy): Script<Balance> {
  const booked = yield* bookMoneyAct(queries, voucherActOf(use, by));
  invariant(booked.outcome === 'booked', 'the reference of a use is its own, and the account was read under its lock');
  return booked.balance;
}
