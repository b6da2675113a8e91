import { SequentialIds } from '@tollgate/adapters-memory';
import { RandomSecretTokens } from '@tollgate/adapters-node';
import { type AccountId, later, MILLISECONDS_PER_DAY, type Payment, type PaymentId, type ReportedPayment, ServiceTokens, SYSTEM_ACTOR, Vouchers } from '@tollgate/core';
import { anEnding, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';
import type { Corruption } from './request-books-contract.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const PAID: ReportedPayment = { status: 'paid', amount: 1000n, currency: 'USD', refunds: [], failedRefunds: [], requestedRefunds: [], disputes: [], invoiceUrl: null, customer: null, method: null };

/** Makes a payment of 10 USD for 100 service tokens. Returns a function that reports a change of it. */
async function pay({ payments }: SqlStore, id: string, accountId: AccountId = STORE_ALICE): Promise<(change: Partial<ReportedPayment>) => Promise<unknown>> {
  const payment: Payment = {
    id: id as PaymentId, accountId, provider: 'scripted', reference: null, origin: 'checkout', state: 'open', problem: null, amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'),
    packageId: null, savesMethod: false, bookedAt: null, refunded: 0n, uncovered: ServiceTokens.ZERO, customer: null, method: null, invoiceUrl: null, url: null, createdAt: STORE_NOON,
    changedAt: STORE_NOON, checkedAt: null,
  };
  await payments.open(payment, BY);
  const report = (change: Partial<ReportedPayment>) => payments.apply(payment.id, { ...PAID, ...change }, { at: STORE_NOON, suspends: false });
  await report({});
  return report;
}

/** Lets a credit of 4 service tokens expire unused. This stores a snapshot and the figures of the expiry. */
async function expireSome({ ledger, credits }: SqlStore): Promise<void> {
  const expiresAt = later(STORE_NOON, 1000);
  await ledger.book({ kind: 'top-up', accountId: STORE_ALICE, amount: ServiceTokens.parse('4'), reference: 'soon', reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON, expiresAt });
  for (const at of [STORE_NOON, expiresAt, later(expiresAt, MILLISECONDS_PER_DAY)]) await credits.expire(STORE_ALICE, at);
}

/**
 * Alice has a payment that was refunded in part, a disputed one, one whose dispute was won and whose refund failed, a voucher, and an expired credit.
 * Bob has a refund that his balance covered only in part.
 */
export async function startWithCredits(store: SqlStore): Promise<StoreDriver> {
  const driver = await StoreDriver.start(() => store);
  await (await pay(store, 'pay_1'))({ refunds: [{ id: 're_1', amount: 300n }] });
  await (await pay(store, 'pay_2'))({ disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
  const third = await pay(store, 'pay_3');
  for (const status of ['open', 'won'] as const) await third({ disputes: [{ id: 'd', amount: 1000n, status }] });
  const vouchers = new Vouchers({ records: store.vouchers, codes: new SequentialIds(), tokens: new RandomSecretTokens() });
  const { codes: [code] } = await vouchers.create({ name: 'Spring', note: null, amount: ServiceTokens.parse('5'), vouchers: 1, usesPerVoucher: 3, expiresAt: null, creditExpiresAfterDays: null }, BY);
  await vouchers.redeem({ accountId: STORE_ALICE, code: code?.reveal() ?? '', mailboxHashes: ['hash'] }, BY);
  await expireSome(store);
  const ofBob = await pay(store, 'pay_4', STORE_BOB);
  await driver.serve(1, anEnding(60), { accountId: STORE_BOB });
  await ofBob({ refunds: [{ id: 're_2', amount: 1000n }] });
  await third({ refunds: [{ id: 're_3', amount: 500n }] });
  await third({ failedRefunds: ['re_3'] });
  return driver;
}

const ENTRY = 'DELETE FROM ledger_entries WHERE reference =';

/** Damages to the store of `startWithCredits`, each with the violated invariant and the reported figures. */
export const CREDIT_CORRUPTIONS: readonly Corruption[] = [
  ['a payment without its entry', 'I15', `${ENTRY} 'scripted:pay_1'`, '100', '0'],
  ['an entry of a payment that was not booked', 'I15', "UPDATE payments SET booked_at = NULL WHERE id = 'pay_1'", '0', '100'],
  ['an entry of another amount than its payment', 'I15', "UPDATE ledger_entries SET amount = amount + 1 WHERE reference = 'scripted:pay_1'", '100', '100.000001'],
  ['a payment that was booked on another account', 'I15', "UPDATE ledger_entries SET credit_account = 'acct_bob' WHERE reference = 'scripted:pay_1'", '100', '0'],
  ['a payment that was booked as another kind', 'I15', "UPDATE ledger_entries SET kind = 'voucher' WHERE reference = 'scripted:pay_1'", '0', '100'],
  ['a refund that took nothing', 'I15', `${ENTRY} 'scripted:pay_1:refund:re_1'`, '-30', '0'],
  ['an entry without its refund', 'I15', "DELETE FROM payment_adjustments WHERE payment_id = 'pay_1'", '0', '-30'],
  ['a refund that took more than it was covered', 'I15', "UPDATE payment_adjustments SET uncovered = uncovered + 1 WHERE id = 're_2'", '-39.999999', '-40'],
  ['a dispute that took more', 'I15', "UPDATE ledger_entries SET amount = amount + 1 WHERE reference = 'scripted:pay_2:dispute:d'", '-100', '-100.000001'],
  ['a won dispute that returned nothing', 'I15', `${ENTRY} 'scripted:pay_3:dispute:d:won'`, '0', '-100'],
  ['a failed refund that returned nothing', 'I15', `${ENTRY} 'scripted:pay_3:refund:re_3:failed'`, '0', '-50'],
  ['a failed refund that counts as refunded', 'I16', "UPDATE payments SET refunded = 500 WHERE id = 'pay_3'", '0 refunded in the smallest unit', '500 refunded in the smallest unit'],
  ['a use of a voucher without its entry', 'I15', "DELETE FROM ledger_entries WHERE kind = 'voucher'", '5', '0'],
  ['an entry without its use of a voucher', 'I15', 'DELETE FROM voucher_uses', '0', '5'],
  ['less uncovered of a payment than of its refunds', 'I16', 'UPDATE payments SET uncovered = 0', '60', '0'],
  ['less refunded of a payment than its refunds', 'I16', "UPDATE payments SET refunded = 0 WHERE id = 'pay_1'", '300 refunded in the smallest unit', '0 refunded in the smallest unit'],
  ['a voucher that does not count its use', 'I16', 'UPDATE vouchers SET uses = 0', '1 uses', '0 uses'],
  ['a batch that counts a use too many', 'I16', 'UPDATE voucher_batches SET uses = 2', '1 uses', '2 uses'],
  ['a vanished event', 'I17', `DELETE FROM events WHERE type = 'balance.booked' AND data LIKE '%"kind":"voucher"%'`, '12 events of bookings', '11 events of bookings'],
  ['an event of another amount', 'I17', `UPDATE events SET data = replace(data, '"amount":"5"', '"amount":"6"') WHERE type = 'balance.booked'`, 'voucher of 5', 'voucher of 6'],
  ['an expiry of another amount', 'I18', "UPDATE ledger_entries SET amount = amount - 1 WHERE kind = 'expiry'", 'expiry of 4 by expiry:9:9', 'expiry of 3.999999'],
  ['an expiry of a credit that expires later', 'I18', "UPDATE ledger_entries SET expires_at = expires_at + 86400000 WHERE reference = 'soon'", 'credit 9 until 2026-11-19T12:00:01.000Z with 4 left after entry 9', 'credit 9 until 2026-11-18T12:00:01.000Z with 4 left'],
  ['an expiry that has no figures', 'I18', 'DELETE FROM credit_expiries', 'figures of 4 left for expiry:9:9', 'no figures'],
  ['other figures of an expiry', 'I18', 'UPDATE credit_expiries SET left_before = left_before + 1', 'figures of 4 left for expiry:9:9', '4.000001 left'],
  ['figures of an expiry that is not booked', 'I18', "UPDATE credit_expiries SET reference = 'expiry:1:1'", 'the entry expiry:1:1', 'no entry'],
  ['a snapshot of another amount', 'I18', `UPDATE credit_snapshots SET credits = replace(credits, '"left":"70"', '"left":"71"')`, 'credit 1 with 70 left after entry 9', 'credit 1 with 71 left'],
  ['an event without its entry', 'I17', "DELETE FROM ledger_entries WHERE kind = 'voucher'", 'no entry', 'voucher of 5'],
];

/** Statements that delete the oldest events, as the gateway does when their retention has ended. */
export const DELETE_FIRST_EVENTS = ['UPDATE events SET position = seq', 'DELETE FROM events WHERE seq < (SELECT max(seq) - 2 FROM events)'];
