import { type ApiKeyId, type BookedRequest, budgetAt, findDisagreements, instant, type RequestId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding, anUnservedEnding, type MakeStore, OWNER, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SqlStore } from '../store/sql-store.js';

const NEXT_DAY = instant(Date.UTC(2026, 10, 19));

const BUDGET = budgetAt({ lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('50'), period: 'day' }, STORE_NOON);

/**
 * Makes six requests: charged, written off, unserved, swept, late, and still running. The last two have a key with a limit; the charged one and the
 * late one name users.
 */
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

/** Fills a store, and does not close it. */
export type FillStore = (store: SqlStore) => Promise<unknown>;

export const oneOfEachKind: FillStore = (store) => startWithOneOfEachKind(() => store);

/** A statement that damages the books, the violated invariant, and the reported figures. */
export type Corruption = readonly [name: string, invariant: string, statement: string, expected: string, found: string];

/** Damage as by a broken disk. The tests apply it without the rules of the schema, which would prevent much of it. */
export const CORRUPTIONS: readonly Corruption[] = [
  ['a balance below zero', 'I1', "UPDATE accounts SET balance = -5000000 WHERE id = 'acct_bob'", '0', '-5'],
  ['a reserved amount below zero', 'I1', "UPDATE accounts SET reserved = -1 WHERE id = 'acct_bob'", '0', '-0.000001'],
  ['a reserved amount above the balance', 'I1', "UPDATE accounts SET reserved = balance + 1 WHERE id = 'acct_bob'", '0', '-0.000001'],
  ['a reserved amount that no reservation explains', 'I2', "UPDATE accounts SET reserved = reserved - 1000000 WHERE id = 'acct_alice'", '40', '39'],
  ['a reservation that holds more than was set aside', 'I2', "UPDATE reservations SET amount = amount + 1 WHERE id = 'rsv_5'", '40.000001', '40'],
  ['a balance that no entry explains', 'I3', "UPDATE accounts SET balance = balance + 1 WHERE id = 'acct_alice'", '40', '40.000001'],
  ['a changed top-up', 'I3', "UPDATE ledger_entries SET amount = amount + 1000000 WHERE kind = 'top-up'", '41', '40'],
  ['a vanished top-up', 'I3', "DELETE FROM ledger_entries WHERE kind = 'top-up'", '-60', '40'],
  ['money from nowhere', 'I4', "UPDATE accounts SET balance = balance + 2000000 WHERE id = 'acct_bob'", '0', '2'],
  ['a transfer with an unknown account', 'I4', "UPDATE ledger_entries SET debit_account = 'acct_ghost' WHERE kind = 'top-up'", '0', '100'],
  ['a vanished usage record', 'I5', "DELETE FROM usage_records WHERE request_id = 'req_2'", '1 usage records of one reservation', '0 usage records of one reservation'],
  ['a record of a request that still runs', 'I5', "UPDATE reservations SET state = 'held' WHERE id = 'rsv_2'", '0 usage records of one reservation', '1 usage records of one reservation'],
  ['a record of no reservation', 'I5', "DELETE FROM reservations WHERE id = 'rsv_2'", '1 reservations of one usage record', '0 reservations of one usage record'],
  ['a second charge', 'I5', "INSERT INTO ledger_entries (seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason) SELECT 99, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason FROM ledger_entries WHERE reservation_id = 'rsv_1'", '1 charge entries of one reservation', '2 charge entries of one reservation'],
  ['a second late charge', 'I5', "INSERT INTO ledger_entries (seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason) SELECT 99, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason FROM ledger_entries WHERE kind = 'late-charge'", '1 late-charge entries of one reservation', '2 late-charge entries of one reservation'],
  ['a roll-up that says more', 'I7', "UPDATE usage_daily SET charge = charge + 1 WHERE model = 'small'", '60', '60.000001'],
  ['a roll-up by user that says less', 'I7', "UPDATE usage_daily_users SET charge = charge - 1 WHERE attribution = 'ann'", '17', '16.999999'],
  ['a roll-up by user with other tokens', 'I7', "UPDATE usage_daily_users SET visible_output_tokens = visible_output_tokens + 1 WHERE attribution = 'ben'", '17 tokens', '18 tokens'],
  ['a vanished roll-up by user', 'I7', "DELETE FROM usage_daily_users WHERE attribution = 'ben'", '2 requests', '1 requests'],
  ['a vanished roll-up', 'I7', "DELETE FROM usage_daily WHERE day = '2026-11-19'", '1 requests', '0 requests'],
  ['a roll-up with other tokens', 'I7', "UPDATE usage_daily SET visible_output_tokens = visible_output_tokens + 1 WHERE model = 'small'", '1017 tokens', '1018 tokens'],
  ['an entry of another day', 'I7', "UPDATE ledger_entries SET day = '2026-11-19' WHERE reservation_id = 'rsv_1'", '60', '50'],
  ['an entry that charges more than the record says', 'I9', "UPDATE ledger_entries SET amount = amount + 1 WHERE reservation_id = 'rsv_1'", '10', '10.000001'],
  ['an entry that charges another account', 'I9', "UPDATE ledger_entries SET debit_account = 'acct_bob' WHERE reservation_id = 'rsv_1'", '10', '10'],
  ['an entry that pays another account', 'I9', "UPDATE ledger_entries SET credit_account = 'acct_bob' WHERE reservation_id = 'rsv_1'", '10', '10'],
  ['a vanished charge', 'I9', "DELETE FROM ledger_entries WHERE reservation_id = 'rsv_1'", '10', '0'],
  ['a vanished write-off', 'I9', "DELETE FROM ledger_entries WHERE kind = 'write-off'", '957', '0'],
  ['a refund above the charge', 'I11', "INSERT INTO ledger_entries (seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason) SELECT 99, 'refund', 'system:revenue', 'acct_alice', 10000001, request_id, NULL, 'r', at, day, NULL FROM ledger_entries WHERE reservation_id = 'rsv_1'", '10', '10.000001'],
  ['a refund of the request of another account', 'I11', "INSERT INTO ledger_entries (seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day, reason) SELECT 99, 'refund', 'system:revenue', 'acct_bob', 1000000, request_id, NULL, 'r', at, day, NULL FROM ledger_entries WHERE reservation_id = 'rsv_1'", '0', '1'],
  ['a purchase that was charged for each of its requests', 'I12', "INSERT INTO purchase_requests (request_id, purchase_id) VALUES ('req_1', 'req_1'), ('req_4', 'req_1')", '10', '17'],
  ['a vanished late settlement', 'I9', 'DELETE FROM late_settlements', '0', '7'],
  ['a limit with more reserved than its reservations hold', 'I10', 'UPDATE key_spending SET reserved = reserved + 1', '40', '40.000001'],
  ['a limit with less spent than its requests were charged', 'I10', 'UPDATE key_spending SET spent = spent - 1', '7', '6.999999'],
  ['vanished spending of a key', 'I10', 'DELETE FROM key_spending', '40', '0'],
  ['a record whose charge does not match its counts', 'I9', "UPDATE usage_records SET visible_output_tokens = 11 WHERE request_id = 'req_1'", '11', '10'],
];

/** A store whose data tests can change without the rules of the schema. */
export interface DamageableStore {
  readonly store: SqlStore;
  damage(statement: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

type Summary = readonly [state: string | null, recorded: string | null, late: string | null, entries: readonly string[]];

/** Expected summaries of the requests of `startWithOneOfEachKind`. */
const KINDS: readonly (readonly [id: string, ...Summary])[] = [
  ['req_1', 'settled', 'completed 10 + 0', null, ['charge acct_alice>system:revenue 10, 90 left']],
  ['req_2', 'released', 'provider_unavailable 0 + 0', null, []],
  ['req_3', 'expired', 'crashed 0 + 0', null, []],
  ['req_4', 'expired', 'crashed 0 + 0', 'completed 7 + 0', ['late-charge acct_alice>system:revenue 7, 83 left']],
  ['req_5', 'held', null, null, []],
  ['req_6', 'settled', 'completed 43 + 957', null, ['charge acct_alice>system:revenue 43, 40 left', 'write-off system:write-offs>system:revenue 957, 40 left']],
];

function summaryOf({ reservation, record, late, entries }: BookedRequest): Summary {
  return [
    reservation?.state ?? null,
    record === null ? null : `${record.reason} ${record.charge.amount.toString()} + ${record.writeOff.toString()}`,
    late === null ? null : `${late.ending.reason} ${late.charged.toString()} + ${late.writeOff.toString()}`,
    entries.map(({ kind, debit, credit, amount, balanceAfter }) => `${kind} ${debit}>${credit} ${amount.toString()}, ${balanceAfter.toString()} left`),
  ];
}

/** Damages, each with the comparison that reports it. */
const DAMAGES: readonly (readonly [name: string, id: string, statement: string, what: string, expected: string, found: string])[] = [
  ['a changed count', 'req_1', "UPDATE usage_records SET visible_output_tokens = 11 WHERE request_id = 'req_1'", 'tokens at their prices, charged, written off and covered by the purchase', '11', '10'],
  ['a changed price', 'req_1', "UPDATE usage_records SET price_output = '1.5' WHERE request_id = 'req_1'", 'tokens at their prices, charged, written off and covered by the purchase', '15', '10'],
  ['a changed charge', 'req_1', "UPDATE usage_records SET charge = 9000000 WHERE request_id = 'req_1'", 'charge in the ledger', '9', '10'],
  ['a changed entry', 'req_1', "UPDATE ledger_entries SET amount = amount + 1 WHERE reservation_id = 'rsv_1'", 'charge in the ledger', '10', '10.000001'],
  ['a vanished entry', 'req_1', "DELETE FROM ledger_entries WHERE reservation_id = 'rsv_1'", 'charge in the ledger', '10', '0'],
  ['another account as the payer', 'req_1', "UPDATE ledger_entries SET debit_account = 'acct_bob' WHERE reservation_id = 'rsv_1'", "sides of the ledger's charge", 'acct_alice to system:revenue', 'acct_bob to system:revenue'],
  ['a changed request', 'req_1', "UPDATE ledger_entries SET request_id = 'req_9' WHERE reservation_id = 'rsv_1'", "request of the ledger's charge", 'req_1', 'req_9'],
  ['a changed day', 'req_1', "UPDATE ledger_entries SET day = '2026-11-19' WHERE reservation_id = 'rsv_1'", "day of the ledger's charge", '2026-11-18', '2026-11-19'],
  ['a changed state', 'req_1', "UPDATE reservations SET state = 'held' WHERE id = 'rsv_1'", 'state of the reservation', 'settled', 'held'],
  ['a changed account', 'req_1', "UPDATE reservations SET account_id = 'acct_bob' WHERE id = 'rsv_1'", 'account of the reservation', 'acct_alice', 'acct_bob'],
  ['a vanished record', 'rsv_2', "DELETE FROM usage_records WHERE request_id = 'req_2'", 'state of a reservation without a usage record', 'held', 'released'],
  ['a vanished record that left an entry', 'req_1', "DELETE FROM usage_records WHERE request_id = 'req_1'", 'charge in the ledger', '0', '10'],
  ['a vanished write-off', 'req_6', "DELETE FROM ledger_entries WHERE kind = 'write-off'", 'write-off in the ledger', '957', '0'],
  ['a vanished late settlement', 'req_4', 'DELETE FROM late_settlements', 'late-charge in the ledger', '0', '7'],
  ['a late settlement of other counts', 'req_4', 'UPDATE late_settlements SET visible_output_tokens = 8', 'late settlement: tokens at their prices beyond the record, charged, written off and covered by the purchase', '8', '7'],
  ['a late settlement of a request that was not swept', 'req_4', "UPDATE usage_records SET end_reason = 'completed' WHERE request_id = 'req_4'", 'ending before a late settlement', 'crashed', 'completed'],
];

function showsRefunds(subject: () => DamageableStore, find: (id: string) => Promise<BookedRequest>): void {
  async function refund(id: string, amount: string, reference: string): Promise<void> {
    const act = { kind: 'refund', accountId: STORE_ALICE, requestId: id as RequestId, amount: ServiceTokens.parse(amount), reference, reason: 'a broken reply' } as const;
    expect(await subject().store.ledger.book({ ...act, actor: SYSTEM_ACTOR, at: STORE_NOON })).toMatchObject({ outcome: 'booked' });
  }

  it('include one or several refunds of a charge', async () => {
    await refund('req_1', '3', 'first');
    await refund('req_4', '7', 'late');
    await refund('req_1', '7', 'second');
    const booked = await find('req_1');
    expect(booked.refunds.map(({ debit, credit, amount, reference, reason, balanceAfter }) => [debit, credit, amount.toString(), reference, reason, balanceAfter.toString()])).toEqual([
      ['system:revenue', STORE_ALICE, '3', 'first', 'a broken reply', '43'], ['system:revenue', STORE_ALICE, '7', 'second', 'a broken reply', '57'],
    ]);
    for (const [id] of KINDS) expect(findDisagreements(await find(id))).toEqual([]);
  });

  it.each([
    ['beyond the charge', 'amount = 11000000', { what: 'refunds, at most the charge', expected: '10', found: '11' }],
    ['from another account', "debit_account = 'acct_bob'", { what: "sides of the ledger's refund", expected: 'system:revenue to acct_alice', found: 'acct_bob to acct_alice' }],
  ])('show a damaged refund, %s, as a disagreement of the request’s records', async (_, damage, disagreement) => {
    await refund('req_1', '10', 'all');
    await subject().damage(`UPDATE ledger_entries SET ${damage} WHERE kind = 'refund'`);
    expect(findDisagreements(await find('req_1'))).toEqual([disagreement]);
  });
}

/** @param make returns a store after `fill` has filled it. */
export function requestBooksContract(name: string, make: (fill: FillStore) => Promise<DamageableStore>): void {
  describe(`RequestBooks: ${name}`, () => {
    let subject: DamageableStore;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make(oneOfEachKind);
      driver = new StoreDriver(subject.store);
    });

    afterEach(async () => {
      await driver.close();
      await subject.remove();
    });

    async function find(id: string): Promise<BookedRequest> {
      const booked = await subject.store.books.find(id);
      if (booked === null) throw new Error(`the books contain no ${id}`);
      return booked;
    }

    it('contain all parts of a request, found by the id of the request or the reservation, and the parts agree', async () => {
      for (const [id, ...summary] of KINDS) {
        const booked = await find(id);
        expect([id, ...summaryOf(booked)]).toEqual([id, ...summary]);
        expect(findDisagreements(booked)).toEqual([]);
        expect(await find(id.replace('req', 'rsv'))).toEqual(booked);
      }
    });

    showsRefunds(() => subject, find);

    it('include extensions in the reserved amount', async () => {
      await driver.credit('5');
      await driver.store.ledger.extend(reservationId(5), ServiceTokens.parse('2.5'));
      expect((await find('req_5')).reservation?.amount.toString()).toBe('42.5');
    });

    it.each(['req_9', 'rsv_9', '', '%', "' or 1=1 --"])('contain no request %j', async (id) => {
      expect(await subject.store.books.find(id)).toBeNull();
    });

    it.each(DAMAGES)('show the disagreement after %s', async (...[, id, statement, what, expected, found]) => {
      await subject.damage(statement);
      expect(findDisagreements(await find(id))).toContainEqual({ what, expected, found });
    });
  });
}
