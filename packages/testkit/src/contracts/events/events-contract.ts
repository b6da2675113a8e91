import { type AccountId, type ApiKeyId, type EventId, instant, later, type MoneyAct, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, anEnding } from '../../builders/builders.js';
import {
  creationOf, deleteAccount, numberedKey, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver,
} from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import { accountEvents, type EventsSubject, readAll, readPage } from './events-subject.js';
import { crossingsContract } from './crossings-contract.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

function act(amount: string, reference: string): Omit<MoneyAct, 'kind'> {
  return { accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: 'a reason', actor: SYSTEM_ACTOR, at: STORE_NOON };
}

/** Tests what every database guarantees about events. */
export function eventsContract(name: string, make: () => Promise<EventsSubject>): void {
  describe(`Events contract: ${name}`, () => {
    let store: EventsSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
    });
    /**
     * Checks after each test that the events of each account are numbered without gaps in the order of the feed, also if the first ones were pruned,
     * and that the books balance.
     */
    afterEach(async () => {
      const all = await readAll(store.events);
      const numbersOf = (id: AccountId) => all.filter(({ accountId }) => accountId === id).map(({ accountSequence }) => accountSequence);
      const { differences } = await store.ledgerAudit.verify();
      await driver.close();
      expect(differences).toEqual([]);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      for (const id of [STORE_ALICE, STORE_BOB]) expect(numbersOf(id)).toEqual(numbersOf(id).map((_, index) => (numbersOf(id)[0] ?? 0) + index));
    });

    const start = (): { readonly store: EventsSubject; readonly driver: StoreDriver } => ({ store, driver });
    actsContract(start);
    moneyContract(start);
    crossingsContract(start);
    feedContract(start);
  });
}

export type StartEvents = () => { readonly store: EventsSubject; readonly driver: StoreDriver };

/** Tests the events of changes to accounts, keys and the platform. */
function actsContract(start: StartEvents): void {
  it('reports acts on an account with ids and field names only', async () => {
    const { store } = start();
    await store.accounts.change(STORE_ALICE, { name: 'Another', planId: 'pro' as PlanId }, BY);
    const alice = anAccount({ id: STORE_ALICE });
    const suspended = { ...alice, status: 'suspended' } as const;
    await store.accounts.moveStanding(STORE_ALICE, { from: alice, to: suspended, action: 'account.suspended', reason: 'a reason' }, BY);
    await store.accounts.moveStanding(STORE_ALICE, { from: alice, to: suspended, action: 'account.suspended' }, BY);
    await store.accounts.moveStanding(STORE_ALICE, { from: suspended, to: alice, action: 'account.reactivated' }, BY);
    expect(await accountEvents(store.events, STORE_ALICE)).toEqual([
      ['account.created', { plan_id: alice.planId }], ['account.changed', { changed: ['plan_id', 'name'] }],
      ['account.standing_changed', { act: 'suspended' }], ['account.standing_changed', { act: 'reactivated' }],
    ]);
  });

  it('reports the deletion of an account with the forfeited amount and its keys, but does not report the playground key', async () => {
    const { store, driver } = start();
    await driver.credit('3');
    await store.keys.create(creationOf(numberedKey(1)));
    const playground = await store.keys.createPlaygroundKey({ id: 'key_play' as ApiKeyId, accountId: STORE_ALICE, createdAt: STORE_NOON }, SYSTEM_ACTOR);
    await store.keys.setBlocked(STORE_ALICE, playground?.id ?? numberedKey(1).id, true, BY);
    await store.keys.setBlocked(STORE_ALICE, playground?.id ?? numberedKey(1).id, false, BY);
    const before = (await accountEvents(store.events, STORE_ALICE)).length;
    await deleteAccount(store, STORE_ALICE);
    expect((await accountEvents(store.events, STORE_ALICE)).slice(before + 1)).toEqual([
      ['balance.booked', { kind: 'forfeiture', amount: '-3', balance: '0', reference: `deletion of ${STORE_ALICE}`, request_id: null }],
      ['key.revoked', { key_id: 'key_1' }], ['account.deleted', { forfeited: '3' }],
    ]);
  });

  it('reports each act on a key once, and a rotation as one event', async () => {
    const { store } = start();
    const [first, second] = [numberedKey(1), numberedKey(2)];
    await store.keys.create(creationOf(first));
    await store.keys.change(STORE_ALICE, first.id, { name: 'Another' }, BY);
    await store.keys.rotate({ accountId: STORE_ALICE, revokedId: first.id, replacement: second, maximumPerHour: 5, actor: SYSTEM_ACTOR });
    await store.keys.setBlocked(STORE_ALICE, second.id, true, { ...BY, reason: 'a reason' });
    await store.keys.setBlocked(STORE_ALICE, second.id, true, BY);
    await store.keys.setBlocked(STORE_ALICE, second.id, false, BY);
    await store.keys.revoke(STORE_ALICE, second.id, BY);
    await store.keys.revoke(STORE_ALICE, second.id, BY);
    expect(await accountEvents(store.events, STORE_ALICE, 'key.')).toEqual([
      ['key.created', { key_id: 'key_1' }], ['key.changed', { key_id: 'key_1', act: 'changed' }], ['key.rotated', { key_id: 'key_2', replaces: 'key_1' }],
      ['key.blocked', { key_id: 'key_2' }], ['key.changed', { key_id: 'key_2', act: 'unblocked' }], ['key.revoked', { key_id: 'key_2' }],
    ]);
  });

  it('reports the end of an expired block of a key or account, but not of a playground key', async () => {
    const { store } = start();
    await store.keys.create(creationOf(numberedKey(1)));
    await store.keys.createPlaygroundKey({ id: 'key_play' as ApiKeyId, accountId: STORE_BOB, createdAt: STORE_NOON }, SYSTEM_ACTOR);
    const expiring = { ...BY, expiresAt: later(STORE_NOON, 1) };
    await store.keys.setBlocked(STORE_ALICE, numberedKey(1).id, true, expiring);
    await store.keys.setBlocked(STORE_BOB, 'key_play' as ApiKeyId, true, expiring);
    expect(await store.controls.endExpiredBlocks({ actor: SYSTEM_ACTOR, at: later(STORE_NOON, 1) })).toBe(2);
    expect(await accountEvents(store.events, STORE_ALICE, 'key.')).toEqual([
      ['key.created', { key_id: 'key_1' }], ['key.blocked', { key_id: 'key_1' }], ['key.changed', { key_id: 'key_1', act: 'unblocked' }],
    ]);
    expect(await accountEvents(store.events, STORE_BOB, 'key.')).toEqual([]);
  });

  it('reports maintenance to operators, in events without an account', async () => {
    const { store } = start();
    const maintenance = { startsAt: STORE_NOON, endsAt: instant(STORE_NOON + 60_000), message: 'a message', setBy: null, setAt: null };
    await store.controls.setMaintenance(maintenance, BY);
    await store.controls.setMaintenance(maintenance, BY);
    await store.controls.setMaintenance(null, BY);
    const ofPlatform = (await readAll(store.events)).filter(({ accountId }) => accountId === null);
    expect(ofPlatform.map(({ type, data, accountSequence, at }) => [type, data, accountSequence, at])).toEqual([
      ['maintenance.started', { starts_at: '2026-11-18T12:00:00.000Z', ends_at: '2026-11-18T12:01:00.000Z' }, null, STORE_NOON],
      ['maintenance.ended', {}, null, STORE_NOON],
    ]);
  });

  it('stores no event for a change that is refused', async () => {
    const { store } = start();
    const before = await readAll(store.events);
    await store.accounts.create(anAccount({ id: 'acct_third' as AccountId }), SYSTEM_ACTOR);
    await store.accounts.change('acct_none' as AccountId, { name: 'x' }, BY);
    expect(await readAll(store.events)).toEqual(before);
  });
}

/** Tests the events of bookings. */
function moneyContract(start: StartEvents): void {
  it('reports every money act once, with the balance after it, and no charge of a request', async () => {
    const { store: { ledger, events }, driver } = start();
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    const acts: readonly MoneyAct[] = [
      { ...act('2', 'b'), kind: 'signup-credit' }, { ...act('3', 'c'), kind: 'refund', requestId: requestId(1) },
      { ...act('4', 'd'), kind: 'correction', direction: 'raise' }, { ...act('5.5', 'e'), kind: 'correction', direction: 'lower' },
    ];
    for (const each of [...acts, ...acts]) await ledger.book(each);
    await ledger.book({ ...act('1000', 'f'), kind: 'correction', direction: 'lower' });
    expect(await accountEvents(events, STORE_ALICE, 'balance.')).toEqual([
      ['balance.booked', { kind: 'top-up', amount: '100', balance: '100', reference: 'credit of 100', request_id: null }],
      ['balance.booked', { kind: 'signup-credit', amount: '2', balance: '92', reference: 'b', request_id: null }],
      ['balance.booked', { kind: 'refund', amount: '3', balance: '95', reference: 'c', request_id: 'req_1' }],
      ['balance.booked', { kind: 'correction', amount: '4', balance: '99', reference: 'd', request_id: null }],
      ['balance.booked', { kind: 'correction', amount: '-5.5', balance: '93.5', reference: 'e', request_id: null }],
    ]);
  });
}

function feedContract(start: StartEvents): void {
  it('continues after a cursor, and filters by type and account', async () => {
    const { store: { events }, driver } = start();
    for (const amount of ['1', '2', '3']) await driver.credit(amount);
    const first = await readPage(events, { limit: 2 });
    expect([first.events.map(({ accountId }) => accountId), first.hasMore]).toEqual([[STORE_ALICE, STORE_BOB], true]);
    const rest = await readPage(events, { after: first.nextCursor });
    expect([rest.events.map(({ type }) => type), rest.hasMore]).toEqual([Array(3).fill('balance.booked'), false]);
    const none = await readPage(events, { after: rest.nextCursor });
    expect([none.events, none.hasMore, none.nextCursor]).toEqual([[], false, rest.nextCursor]);
    const created = await readPage(events, { types: ['account.created'], limit: 1, accountId: STORE_BOB });
    expect([created.events.map(({ accountId }) => accountId), created.hasMore]).toEqual([[STORE_BOB], true]);
    expect((await readPage(events, { after: created.nextCursor, types: ['account.created'] }))).toMatchObject({ events: [], hasMore: false, nextCursor: rest.nextCursor });
    expect(await events.find(rest.events[0]?.id ?? '' as EventId)).toEqual(rest.events[0]);
    expect(await events.find('evt_none' as EventId)).toBeNull();
  });

  it('refuses a text that is not a cursor, and a cursor of another feed', async () => {
    const { store: { events } } = start();
    for (const after of ['', 'abc', 'MSBldnRf', '1', '💥']) expect(await events.read({ after, limit: 1, types: null, accountId: null })).toEqual({ outcome: 'malformed' });
    const cursor = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
    for (const position of ['1', '999999999999999999', '0']) {
      expect(await events.read({ after: cursor(`${position} evt_${'0'.repeat(32)}`), limit: 1, types: null, accountId: null })).toEqual({ outcome: 'lost' });
    }
    const { events: [first] } = await readPage(events);
    expect(await events.read({ after: cursor(`2 ${first?.id ?? ''}`), limit: 1, types: null, accountId: null })).toEqual({ outcome: 'lost' });
  });

  it('prunes old events but never the newest, and refuses a cursor that names a pruned event', async () => {
    const { store: { events }, driver } = start();
    const first = await readPage(events, { limit: 1 });
    await driver.credit('1');
    await readPage(events);
    expect(await events.prune(STORE_NOON)).toBe(2);
    expect(await events.prune(later(STORE_NOON, 1))).toBe(0);
    const { events: left, nextCursor } = await readPage(events);
    expect(left.map(({ type }) => type)).toEqual(['balance.booked']);
    expect(await events.read({ after: first.nextCursor, limit: 1, types: null, accountId: null })).toEqual({ outcome: 'lost' });
    await driver.serve(1, anEnding(1));
    expect((await readPage(events, { after: nextCursor })).events.map(({ type }) => type)).toEqual(['balance.low', 'balance.low', 'balance.exhausted']);
  });
}
