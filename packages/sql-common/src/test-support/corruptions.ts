import { type ApiKeyId, budgetAt, instant, ServiceTokens } from '@tollgate/core';
import { anEnding, anUnservedEnding, type MakeStore, OWNER, STORE_NOON, StoreDriver } from '@tollgate/testkit';

const NEXT_DAY = instant(Date.UTC(2026, 10, 19));

const BUDGET = budgetAt({ lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('50'), period: 'day' }, STORE_NOON);

/** One request of each kind; those that were settled late and still run are of a key with a limit: charged, written off, unserved, swept, settled late, still running; what was charged and settled late are of users. */
export async function startWithOneOfEachKind(make: MakeStore): Promise<StoreDriver> {
  const driver = await StoreDriver.start(make);
  await driver.credit('100');
  await driver.serve(1, anEnding(10), { attribution: 'ann' });
  await driver.serve(2, anUnservedEnding({ endedAt: NEXT_DAY }));
  await driver.reserve(3, '5');
  await driver.reserve(4, '5', { facts: { attribution: 'ben' }, budget: BUDGET });
  await driver.store.ledger.retire(OWNER);
  await driver.store.ledger.sweep(STORE_NOON);
  await driver.settle(4, anEnding(7));
  await driver.reserve(5, '40', { budget: BUDGET });
  await driver.serve(6, anEnding(1000));
  return driver;
}

/** A statement that damages those books in some way, the invariant that does not hold then, and the figures that show it. */
export type Corruption = readonly [name: string, invariant: string, statement: string, expected: string, found: string];

/** Written past every rule of the schema, as a broken disk or a hand in the database would. */
export const CORRUPTIONS: readonly Corruption[] = [
  ['a balance below zero', 'I1', "UPDATE accounts SET balance = -5000000 WHERE id = 'acct_bob'", '0', '-5'],
  ['a reserved amount below zero', 'I1', "UPDATE accounts SET reserved = -1 WHERE id = 'acct_bob'", '0', '-0.000001'],
  ['more reserved than there is', 'I1', "UPDATE accounts SET reserved = balance + 1 WHERE id = 'acct_bob'", '0', '-0.000001'],
  ['a reserved amount that no reservation explains', 'I2', "UPDATE accounts SET reserved = reserved - 1000000 WHERE id = 'acct_alice'", '40', '39'],
  ['a reservation that holds more than was set aside', 'I2', "UPDATE reservations SET amount = amount + 1 WHERE id = 'rsv_5'", '40.000001', '40'],
  ['a balance that no entry explains', 'I3', "UPDATE accounts SET balance = balance + 1 WHERE id = 'acct_alice'", '40', '40.000001'],
  ['a changed top-up', 'I3', "UPDATE ledger_entries SET amount = amount + 1000000 WHERE kind = 'top-up'", '41', '40'],
  ['a vanished top-up', 'I3', "DELETE FROM ledger_entries WHERE kind = 'top-up'", '-60', '40'],
  ['money from nowhere', 'I4', "UPDATE accounts SET balance = balance + 2000000 WHERE id = 'acct_bob'", '0', '2'],
  ['a transfer with somebody unknown', 'I4', "UPDATE ledger_entries SET debit_account = 'acct_ghost' WHERE kind = 'top-up'", '0', '100'],
  ['a vanished usage record', 'I5', "DELETE FROM usage_records WHERE request_id = 'req_2'", '1 usage records of one reservation', '0 usage records of one reservation'],
  ['a record of a request that still runs', 'I5', "UPDATE reservations SET state = 'held' WHERE id = 'rsv_2'", '0 usage records of one reservation', '1 usage records of one reservation'],
  ['a record of no reservation', 'I5', "DELETE FROM reservations WHERE id = 'rsv_2'", '1 reservations of one usage record', '0 reservations of one usage record'],
  ['a second charge', 'I5', "INSERT INTO ledger_entries SELECT 99, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason FROM ledger_entries WHERE reservation_id = 'rsv_1'", '1 charge entries of one reservation', '2 charge entries of one reservation'],
  ['a second late charge', 'I5', "INSERT INTO ledger_entries SELECT 99, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason FROM ledger_entries WHERE kind = 'late-charge'", '1 late-charge entries of one reservation', '2 late-charge entries of one reservation'],
  ['a roll-up that says more', 'I7', "UPDATE usage_daily SET charge = charge + 1 WHERE model = 'small'", '60', '60.000001'],
  ['a roll-up by user that says less', 'I7', "UPDATE usage_daily_users SET charge = charge - 1 WHERE attribution = 'ann'", '17', '16.999999'],
  ['a roll-up by user with other tokens', 'I7', "UPDATE usage_daily_users SET visible_output_tokens = visible_output_tokens + 1 WHERE attribution = 'ben'", '17 tokens', '18 tokens'],
  ['a vanished roll-up by user', 'I7', "DELETE FROM usage_daily_users WHERE attribution = 'ben'", '2 requests', '1 requests'],
  ['a vanished roll-up', 'I7', "DELETE FROM usage_daily WHERE day = '2026-11-19'", '1 requests', '0 requests'],
  ['a roll-up with other tokens', 'I7', "UPDATE usage_daily SET visible_output_tokens = visible_output_tokens + 1 WHERE model = 'small'", '1017 tokens', '1018 tokens'],
  ['an entry of another day', 'I7', "UPDATE ledger_entries SET day = '2026-11-19' WHERE reservation_id = 'rsv_1'", '60', '50'],
  ['an entry that charges more than the record says', 'I9', "UPDATE ledger_entries SET amount = amount + 1 WHERE reservation_id = 'rsv_1'", '10', '10.000001'],
  ['an entry that charges somebody else', 'I9', "UPDATE ledger_entries SET debit_account = 'acct_bob' WHERE reservation_id = 'rsv_1'", '10', '10'],
  ['an entry that pays somebody else', 'I9', "UPDATE ledger_entries SET credit_account = 'acct_bob' WHERE reservation_id = 'rsv_1'", '10', '10'],
  ['a vanished charge', 'I9', "DELETE FROM ledger_entries WHERE reservation_id = 'rsv_1'", '10', '0'],
  ['a vanished write-off', 'I9', "DELETE FROM ledger_entries WHERE kind = 'write-off'", '957', '0'],
  ['a refund above the charge', 'I11', "INSERT INTO ledger_entries SELECT 99, 'refund', 'system:revenue', 'acct_alice', 10000001, request_id, NULL, 'r', at, day, NULL FROM ledger_entries WHERE reservation_id = 'rsv_1'", '10', '10.000001'],
  ['a refund of the request of another account', 'I11', "INSERT INTO ledger_entries SELECT 99, 'refund', 'system:revenue', 'acct_bob', 1000000, request_id, NULL, 'r', at, day, NULL FROM ledger_entries WHERE reservation_id = 'rsv_1'", '0', '1'],
  ['a vanished late settlement', 'I9', 'DELETE FROM late_settlements', '0', '7'],
  ['more reserved of a limit than its reservations hold', 'I10', 'UPDATE key_spending SET reserved = reserved + 1', '40', '40.000001'],
  ['less spent of a limit than its requests were charged', 'I10', 'UPDATE key_spending SET spent = spent - 1', '7', '6.999999'],
  ['vanished spending of a key', 'I10', 'DELETE FROM key_spending', '40', '0'],
  ['a record whose counts do not cost what it says', 'I9', "UPDATE usage_records SET visible_output_tokens = 11 WHERE request_id = 'req_1'", '11', '10'],
];
