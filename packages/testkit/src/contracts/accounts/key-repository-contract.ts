import { afterEach, describe, expect, it } from '../test-runner.js';
import { type ApiKey, type ApiKeyId, type Instant, later, MILLISECONDS_PER_HOUR, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, anEnding } from '../../builders/builders.js';
import { keyChangesContract, playgroundKeyContract } from './key-changes-contract.js';
import { changeStanding, creationOf, keyHashOf, type MakeStore, numberedKey, STORE_ALICE, STORE_BOB, STORE_NOON, type StartStore, StoreDriver } from '../store-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

export function keyRepositoryContract(name: string, make: MakeStore): void {
  describe(`KeyRepository contract: ${name}`, () => {
    let driver: StoreDriver | null = null;
    const start: StartStore = async () => {
      driver = await StoreDriver.start(make);
      return driver;
    };
    afterEach(async () => {
      await driver?.close();
      driver = null;
    });

    lookUpContract(start);
    creationContract(start);
    revocationContract(start);
    keyChangesContract(start);
    playgroundKeyContract(start);
  });
}

function lookUpContract(start: StartStore): void {
  it('finds a key and its account by the hash of the key, and nothing by another hash', async () => {
    const { store: { keys } } = await start();
    const key = numberedKey(1, { name: 'laptop', expiresAt: later(STORE_NOON, 60_000) });
    await keys.create(creationOf(key));
    expect(await keys.findByHash(keyHashOf(1))).toEqual({ key, account: anAccount() });
    expect(await keys.findByHash(keyHashOf(2))).toBeNull();
  });

  it('shows every change of a key or its account on the next look-up', async () => {
    const { store: { keys, accounts } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    expect((await keys.findByHash(keyHashOf(1)))?.key.blocked).toBe(false);
    await keys.setBlocked(STORE_ALICE, numberedKey(1).id, true, BY);
    expect((await keys.findByHash(keyHashOf(1)))?.key.blocked).toBe(true);
    await keys.revoke(STORE_ALICE, numberedKey(1).id, BY);
    expect((await keys.findByHash(keyHashOf(1)))?.key.revokedAt).toBe(STORE_NOON);
    await changeStanding(accounts, STORE_ALICE, { status: 'suspended' }, BY);
    expect((await keys.findByHash(keyHashOf(1)))?.account.status).toBe('suspended');
  });

  it('lists the keys of one account, including revoked ones, newest first', async () => {
    const { store: { keys } } = await start();
    for (const number of [1, 2, 3]) await keys.create(creationOf(numberedKey(number)));
    await keys.create(creationOf(numberedKey(4, { accountId: STORE_BOB })));
    await keys.revoke(STORE_ALICE, numberedKey(2).id, BY);
    expect((await keys.listByAccount(STORE_ALICE)).map(({ id }) => id)).toEqual(['key_3', 'key_2', 'key_1']);
  });

  it('pages through keys, even those created at the same time', async () => {
    const { store: { keys } } = await start();
    for (const number of [1, 2, 3, 4, 5]) await keys.create(creationOf(numberedKey(number, { createdAt: STORE_NOON })));
    await keys.create(creationOf(numberedKey(6, { accountId: STORE_BOB })));
    const [first, second, third] = [[], ['key_4'], ['key_2']].map(([after = null]) => keys.page(STORE_ALICE, { limit: 2, after: after as ApiKeyId | null }));
    expect([(await first)?.keys.map(({ id }) => id), (await first)?.next]).toEqual([['key_5', 'key_4'], 'key_4']);
    expect([(await second)?.keys.map(({ id }) => id), (await second)?.next]).toEqual([['key_3', 'key_2'], 'key_2']);
    expect([(await third)?.keys.map(({ id }) => id), (await third)?.next]).toEqual([['key_1'], null]);
    expect(await keys.page(STORE_ALICE, { limit: 2, after: 'key_6' as ApiKeyId })).toBeNull();
  });

  it('counts the active keys of one account', async () => {
    const { store: { keys } } = await start();
    for (const number of [1, 2, 3]) await keys.create(creationOf(numberedKey(number, number === 3 ? { expiresAt: later(STORE_NOON, 10) } : {})));
    await keys.create(creationOf(numberedKey(4, { accountId: STORE_BOB })));
    await keys.revoke(STORE_ALICE, numberedKey(2).id, BY);
    expect(await keys.countActive(STORE_ALICE, later(STORE_NOON, 9))).toBe(2);
    expect(await keys.countActive(STORE_ALICE, later(STORE_NOON, 10))).toBe(1);
  });

  it('neither shows nor changes a key of another account', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    expect(await keys.findById(STORE_ALICE, numberedKey(1).id)).toEqual(numberedKey(1));
    expect(await keys.findById(STORE_BOB, numberedKey(1).id)).toBeNull();
    expect(await keys.revoke(STORE_BOB, numberedKey(1).id, BY)).toBe(false);
    expect(await keys.setBlocked(STORE_BOB, numberedKey(1).id, true, BY)).toBe(false);
    expect(await keys.rotate({ accountId: STORE_BOB, revokedId: numberedKey(1).id, replacement: numberedKey(2, { accountId: STORE_BOB }), maximumPerHour: 60, actor: SYSTEM_ACTOR }))
      .toBe('not-active');
    expect(await keys.findById(STORE_ALICE, numberedKey(1).id)).toEqual(numberedKey(1));
  });
}

function creationContract(start: StartStore): void {
  it('enforces the maximum number of active keys under concurrent creation', async () => {
    const { store: { keys } } = await start();
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((number) => keys.create(creationOf(numberedKey(number), { maximumActive: 3 }))));
    expect(outcomes).toEqual(['created', 'created', 'created', 'quota-exceeded', 'quota-exceeded']);
    expect(await keys.listByAccount(STORE_ALICE)).toHaveLength(3);
  });

  it('counts blocked keys as active, but neither revoked nor expired ones', async () => {
    const { store: { keys } } = await start();
    const limits = { maximumActive: 1 };
    await keys.create(creationOf(numberedKey(1, { expiresAt: later(STORE_NOON, 2) }), limits));
    expect(await keys.create(creationOf(numberedKey(2), limits))).toBe('created');
    await keys.revoke(STORE_ALICE, numberedKey(2).id, BY);
    expect(await keys.create(creationOf(numberedKey(3), limits))).toBe('created');
    await keys.setBlocked(STORE_ALICE, numberedKey(3).id, true, BY);
    expect(await keys.create(creationOf(numberedKey(4), limits))).toBe('quota-exceeded');
  });

  it('enforces the limit of creations per hour, and counts keys that have been revoked since', async () => {
    const { store: { keys } } = await start();
    const limits = { maximumPerHour: 2 };
    const at = (milliseconds: number): Partial<ApiKey> & { readonly createdAt: Instant } => ({ createdAt: later(STORE_NOON, milliseconds) });
    expect(await keys.create(creationOf(numberedKey(1, at(0)), limits))).toBe('created');
    expect(await keys.create(creationOf(numberedKey(2, at(1000)), limits))).toBe('created');
    await keys.revoke(STORE_ALICE, numberedKey(1).id, BY);
    expect(await keys.create(creationOf(numberedKey(3, at(MILLISECONDS_PER_HOUR - 1)), limits))).toBe('too-many-per-hour');
    expect(await keys.create(creationOf(numberedKey(4, at(MILLISECONDS_PER_HOUR)), limits))).toBe('created');
  });

  it('enforces the limits of each account separately', async () => {
    const { store: { keys } } = await start();
    const limits = { maximumActive: 1, maximumPerHour: 1 };
    await keys.create(creationOf(numberedKey(1), limits));
    expect(await keys.create(creationOf(numberedKey(2, { accountId: STORE_BOB }), limits))).toBe('created');
  });
}

function revocationContract(start: StartStore): void {
  it('revokes a key once and permanently', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    expect(await keys.revoke(STORE_ALICE, numberedKey(1).id, BY)).toBe(true);
    expect(await keys.revoke(STORE_ALICE, numberedKey(1).id, { ...BY, at: later(STORE_NOON, 1) })).toBe(false);
    expect((await keys.findById(STORE_ALICE, numberedKey(1).id))?.revokedAt).toBe(STORE_NOON);
  });

  it('blocks and unblocks a key', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    for (const blocked of [true, false]) {
      expect(await keys.setBlocked(STORE_ALICE, numberedKey(1).id, blocked, BY)).toBe(true);
      expect((await keys.findById(STORE_ALICE, numberedKey(1).id))?.blocked).toBe(blocked);
    }
  });

  it('settles a running request whose key was revoked meanwhile', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.store.keys.create(creationOf(numberedKey(1)));
    await driver.reserve(1, '5', { facts: { keyId: numberedKey(1).id } });
    await driver.store.keys.revoke(STORE_ALICE, numberedKey(1).id, BY);
    await driver.settle(1, anEnding(2));
    expect(await driver.balance()).toBe('8/0/8');
  });
}
