import { budgetAt, type EventType, type JsonObject, MAX_BALANCE, type MoneyAct, parseAlertThresholds, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding, anUnservedEnding } from '../../builders/builders.js';
import { creationOf, numberedKey, OTHER_OWNER, progressOf, requestId, reservationId, STORE_ALICE, STORE_BOB, STORE_NOON } from '../store-subject.js';
import { expect, it } from '../test-runner.js';
import type { StartEvents } from './events-contract.js';
import { accountEvents, readAll, tokens } from './events-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const MINIMUM = ServiceTokens.parse('1');

function low(threshold: string, balance: string, number: number | null): readonly [EventType, JsonObject] {
  return ['balance.low', { threshold, balance, request_id: number === null ? null : requestId(number) }];
}

function exhausted(balance: string, number: number | null, threshold = '1'): readonly [EventType, JsonObject] {
  return ['balance.exhausted', { threshold, balance, request_id: number === null ? null : requestId(number) }];
}

/** Tests crossings of thresholds by every kind of booking that lowers a balance. */
export function crossingsContract(start: StartEvents): void {
  const crossings = async (): Promise<readonly (readonly [EventType, JsonObject])[]> =>
    (await accountEvents(start().store.events, STORE_ALICE)).filter(([type]) => type === 'balance.low' || type === 'balance.exhausted');

  function correct(amount: string, reference: string, direction: 'raise' | 'lower' = 'lower') {
    const act: MoneyAct = { kind: 'correction', direction, accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: null, ...BY };
    return start().store.ledger.book(act);
  }

  it('reports once that the balance falls below a threshold, by a settlement, correction, sweep or late settlement', async () => {
    const { store, driver } = start();
    await driver.credit('100');
    await driver.serve(1, anEnding(80));
    expect(await crossings()).toEqual([]);
    await correct('0.000001', 'a');
    await correct('5', 'b');
    await driver.reserve(2, '14', { owner: OTHER_OWNER });
    await store.ledger.checkpoint({ ownerId: OTHER_OWNER, progress: new Map([[reservationId(2), progressOf(10)]]), at: STORE_NOON, leaseExpiresAt: STORE_NOON });
    expect(await crossings()).toEqual([low('20', '19.999999', null)]);
    await store.ledger.sweep(STORE_NOON);
    await driver.settle(2, anEnding(14));
    await driver.settle(2, anEnding(14));
    expect(await crossings()).toEqual([low('20', '19.999999', null), low('5', '4.999999', 2), exhausted('0.999999', 2)]);
  });

  it('ignores reservations, and reports a threshold again only after the balance has been at or above it', async () => {
    const { driver } = start();
    await driver.credit('10');
    await driver.reserve(1, '10');
    await driver.settle(1, anUnservedEnding());
    expect(await crossings()).toEqual([]);
    await driver.serve(2, anEnding(9));
    await correct('0.999999', 'to 1.999999', 'raise');
    await driver.serve(3, anEnding(1));
    await correct('1.000001', 'to 2', 'raise');
    await driver.serve(4, anEnding(1));
    expect(await crossings()).toEqual([low('2', '1', 2), exhausted('0.999999', 3), low('2', '1', 4)]);
  });

  it('reports the thresholds that one booking crosses, highest first, and an exhausted balance last', async () => {
    const { driver } = start();
    await driver.credit('100');
    await driver.serve(1, anEnding(100));
    expect(await crossings()).toEqual([low('20', '0', 1), low('5', '0', 1), exhausted('0', 1)]);
  });

  it('compares balances with shares of the last credit, or with thresholds that the owner has chosen', async () => {
    const { store, driver } = start();
    await driver.credit('100');
    await driver.serve(1, anEnding(70));
    await driver.credit('10');
    await driver.serve(2, anEnding(25));
    expect(await crossings()).toEqual([]);
    expect(await store.alerts.choose(STORE_ALICE, tokens('12', '3', '14.5'), BY)).toBe(true);
    expect(await store.alerts.find(STORE_ALICE)).toEqual({ chosen: tokens('14.5', '12', '3'), low: tokens('14.5', '12', '3'), exhaustedBelow: MINIMUM });
    await driver.serve(3, anEnding(4));
    expect(await crossings()).toEqual([low('14.5', '11', 3), low('12', '11', 3)]);
    await store.alerts.choose(STORE_ALICE, [], BY);
    await driver.serve(4, anEnding(9));
    expect((await crossings()).slice(2)).toEqual([]);
    await store.alerts.choose(STORE_ALICE, null, BY);
    expect(await store.alerts.find(STORE_ALICE)).toEqual({ chosen: null, low: tokens('2', '0.5'), exhaustedBelow: MINIMUM });
    expect(await accountEvents(store.events, STORE_ALICE, 'account.')).toEqual([
      ['account.created', { plan_id: 'pay-as-you-go' }], ...[1, 2, 3].map(() => ['account.changed', { changed: ['alert_thresholds'] }]),
    ]);
    expect(await store.alerts.choose('acct_none' as typeof STORE_ALICE, null, BY)).toBe(false);
  });

  it('compares balances with the thresholds that an operator has set for the account', async () => {
    const { store, driver } = start();
    await driver.credit('100');
    await store.accounts.change(STORE_ALICE, { alertThresholds: tokens('30', '60') }, BY);
    expect(await store.alerts.find(STORE_ALICE)).toMatchObject({ chosen: tokens('60', '30'), low: tokens('60', '30') });
    await driver.serve(1, anEnding(50));
    expect(await crossings()).toEqual([low('60', '50', 1)]);
    await store.accounts.change(STORE_ALICE, { name: 'Another' }, BY);
    expect(await store.alerts.find(STORE_ALICE)).toMatchObject({ chosen: tokens('60', '30') });
    await store.accounts.change(STORE_ALICE, { alertThresholds: null }, BY);
    expect(await store.alerts.find(STORE_ALICE)).toMatchObject({ chosen: null, low: tokens('20', '5') });
  });

  it('applies changed default thresholds to all accounts', async () => {
    const { store, driver } = start();
    await driver.credit('100');
    const policy = { thresholds: parseAlertThresholds('50%,7.5') ?? [], minimumReservation: ServiceTokens.parse('2') };
    await store.alerts.applyPolicy(policy);
    await store.alerts.applyPolicy(policy);
    expect(await store.alerts.find(STORE_ALICE)).toEqual({ chosen: null, low: tokens('50', '7.5'), exhaustedBelow: policy.minimumReservation });
    expect(await store.alerts.find(STORE_BOB)).toEqual({ chosen: null, low: tokens('7.5'), exhaustedBelow: policy.minimumReservation });
    await driver.serve(1, anEnding(99));
    expect(await crossings()).toEqual([low('50', '1', 1), low('7.5', '1', 1), exhausted('1', 1, '2')]);
    await store.alerts.applyPolicy({ thresholds: [], minimumReservation: ServiceTokens.ZERO });
    expect(await store.alerts.find(STORE_ALICE)).toEqual({ chosen: null, low: [], exhaustedBelow: ServiceTokens.fromUnits(1n) });
  });

  it('reports each of three crossed thresholds once under 200 simultaneous requests', async () => {
    const { store, driver } = start();
    await driver.credit('250');
    await store.alerts.choose(STORE_ALICE, tokens('200', '150', '100'), BY);
    await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '1')));
    await Promise.all(Array.from({ length: 200 }, (_, number) => driver.settle(number, anEnding(1))));
    expect((await crossings()).map(([type, data]) => [type, data['threshold'], data['balance']])).toEqual([
      ['balance.low', '200', '199'], ['balance.low', '150', '149'], ['balance.low', '100', '99'],
    ]);
  });

  it('states amounts of any size exactly', async () => {
    const { store, driver } = start();
    await store.ledger.book({ kind: 'top-up', accountId: STORE_ALICE, amount: MAX_BALANCE, reference: 'all', reason: null, ...BY });
    await store.alerts.choose(STORE_ALICE, [MAX_BALANCE], BY);
    await driver.serve(1, anEnding(10));
    expect(await crossings()).toEqual([low('1000000000000', '999999999990', 1)]);
  });

  it('reports once per period that a key’s limit leaves less than the smallest reservation', async () => {
    const { store, driver } = start();
    await driver.credit('1000');
    await store.keys.create(creationOf(numberedKey(1)));
    const budget = budgetAt({ lineage: numberedKey(1).id, amount: ServiceTokens.parse('10'), period: 'day' }, STORE_NOON);
    const serve = async (number: number, charge: number): Promise<void> => {
      await driver.reserve(number, '1', { budget, facts: { keyId: numberedKey(1).id } });
      await driver.settle(number, anEnding(charge));
    };
    await store.alerts.applyPolicy({ thresholds: [], minimumReservation: ServiceTokens.parse('3') });
    await serve(1, 7);
    expect((await readAll(store.events)).map(({ type }) => type)).not.toContain('key.limit_reached');
    await serve(2, 1);
    await serve(3, 1);
    await serve(4, 5);
    expect((await accountEvents(store.events, STORE_ALICE, 'key.')).slice(1)).toEqual([
      ['key.limit_reached', { key_id: 'key_1', period: '2026-11-18', limit: '10', spent: '8', request_id: 'req_2' }],
    ]);
  });
}
