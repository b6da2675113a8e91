import { expect, it } from '../test-runner.js';
import {
  type AccountId, type ApiKey, type ApiKeyId, type KeyHash, later, MILLISECONDS_PER_HOUR, type ModelSlug, ServiceTokens, type SpendingLimit, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount, anEnding } from '../../builders/builders.js';
import { creationOf, keyHashOf, numberedKey, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, type StartStore } from '../store-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const SMALL_ONLY = new Set(['small' as ModelSlug]);

const TEN_A_MONTH: SpendingLimit = { amount: ServiceTokens.parse('10'), period: 'month' };

export function keyChangesContract(start: StartStore): void {
  rotationContract(start);
  changeContract(start);
}

function rotationContract(start: StartStore): void {
  const rotation = { accountId: STORE_ALICE, revokedId: numberedKey(1).id, replacement: numberedKey(2), maximumPerHour: 60, actor: SYSTEM_ACTOR };

  it('revokes the old key and issues the new one in one step, even if the account has its maximum of active keys', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1), { maximumActive: 1 }));
    expect(await keys.rotate(rotation)).toBe('rotated');
    expect((await keys.findByHash(keyHashOf(1)))?.key.revokedAt).toBe(numberedKey(2).createdAt);
    expect((await keys.findByHash(keyHashOf(2)))?.key).toEqual(numberedKey(2, { lineage: numberedKey(1).id }));
  });

  it.each([
    ['revoked', numberedKey(1, { revokedAt: STORE_NOON })],
    ['expired', numberedKey(1, { expiresAt: numberedKey(2).createdAt })],
  ])('does not rotate a key that is %s', async (_, key) => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(key));
    expect(await keys.rotate(rotation)).toBe('not-active');
    expect(await keys.findByHash(keyHashOf(2))).toBeNull();
  });

  it('copies name, expiry, models, limit and lineage to the new key as they are at the time of a rotation', async () => {
    const { store: { keys } } = await start();
    const terms = { name: 'laptop', expiresAt: later(STORE_NOON, 60_000), models: SMALL_ONLY, limit: TEN_A_MONTH };
    await keys.create(creationOf(numberedKey(1, { ...terms, models: null, limit: null })));
    await keys.change(STORE_ALICE, numberedKey(1).id, { models: SMALL_ONLY, limit: TEN_A_MONTH }, BY);
    expect(await keys.rotate(rotation)).toBe('rotated');
    expect((await keys.findByHash(keyHashOf(2)))?.key).toEqual(numberedKey(2, { ...terms, lineage: numberedKey(1).id }));
    expect(await keys.rotate({ ...rotation, revokedId: numberedKey(2).id, replacement: numberedKey(3) })).toBe('rotated');
    expect((await keys.findByHash(keyHashOf(3)))?.key).toEqual(numberedKey(3, { ...terms, lineage: numberedKey(1).id }));
  });

  it('does not count rotations towards the limit of creations per hour', async () => {
    const { store: { keys } } = await start();
    const limits = { maximumPerHour: 2 };
    await keys.create(creationOf(numberedKey(1), limits));
    expect(await keys.rotate(rotation)).toBe('rotated');
    expect(await keys.rotate({ ...rotation, revokedId: numberedKey(2).id, replacement: numberedKey(3) })).toBe('rotated');
    expect(await keys.create(creationOf(numberedKey(4), limits))).toBe('created');
    expect(await keys.create(creationOf(numberedKey(5), limits))).toBe('too-many-per-hour');
    expect(await keys.firstIssueAfter(STORE_ALICE, 'creation', numberedKey(1).createdAt)).toBe(numberedKey(4).createdAt);
    expect(await keys.firstIssueAfter(STORE_ALICE, 'creation', numberedKey(4).createdAt)).toBeNull();
    expect(await keys.rotate({ ...rotation, revokedId: numberedKey(4).id, replacement: numberedKey(6) })).toBe('rotated');
  });

  it('limits the rotations per hour of all keys of an account together, and does not count creations', async () => {
    const { store: { keys } } = await start();
    const issuedAt = (number: number, milliseconds: number): ApiKey => numberedKey(number, { createdAt: later(STORE_NOON, milliseconds) });
    const rotate = (from: number, replacement: ApiKey) => keys.rotate({ ...rotation, revokedId: numberedKey(from).id, replacement, maximumPerHour: 2 });
    await keys.create(creationOf(issuedAt(1, 0)));
    await keys.create(creationOf(issuedAt(2, 0)));
    expect(await rotate(1, issuedAt(3, 1000))).toBe('rotated');
    expect(await rotate(2, issuedAt(4, 2000))).toBe('rotated');
    expect(await keys.firstIssueAfter(STORE_ALICE, 'rotation', STORE_NOON)).toBe(later(STORE_NOON, 1000));
    expect(await rotate(3, issuedAt(5, MILLISECONDS_PER_HOUR + 999))).toBe('too-many-per-hour');
    expect((await keys.findByHash(keyHashOf(3)))?.key.revokedAt).toBeNull();
    expect(await rotate(1, issuedAt(5, MILLISECONDS_PER_HOUR + 999))).toBe('not-active');
    expect(await rotate(3, issuedAt(5, MILLISECONDS_PER_HOUR + 1000))).toBe('rotated');
    expect(await keys.create(creationOf(issuedAt(6, MILLISECONDS_PER_HOUR + 1000)))).toBe('created');
  });

  it('enforces the limit of rotations per hour under concurrent rotations of several keys', async () => {
    const { store: { keys } } = await start();
    for (const number of [1, 2, 3, 4]) await keys.create(creationOf(numberedKey(number)));
    const outcomes = await Promise.all([1, 2, 3, 4].map((number) => keys.rotate({ ...rotation, revokedId: numberedKey(number).id, replacement: numberedKey(10 + number), maximumPerHour: 2 })));
    expect(outcomes.toSorted()).toEqual(['rotated', 'rotated', 'too-many-per-hour', 'too-many-per-hour']);
  });

  it('refuses to rotate a blocked key until operators end the block', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    await keys.setBlocked(STORE_ALICE, numberedKey(1).id, true, BY);
    expect(await keys.rotate(rotation)).toBe('blocked');
    expect((await keys.listByAccount(STORE_ALICE)).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([[numberedKey(1).id, null]]);
    await keys.setBlocked(STORE_ALICE, numberedKey(1).id, false, BY);
    expect(await keys.rotate(rotation)).toBe('rotated');
  });

  it('rotates a key once under two concurrent rotations', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    const outcomes = await Promise.all([keys.rotate(rotation), keys.rotate({ ...rotation, replacement: numberedKey(3) })]);
    expect(outcomes).toEqual(['rotated', 'not-active']);
    expect(await keys.findByHash(keyHashOf(3))).toBeNull();
  });
}

function changeContract(start: StartStore): void {
  it('changes only the given fields, and shows the change on the next look-up', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1, { name: 'laptop' })));
    expect((await keys.findByHash(keyHashOf(1)))?.key.models).toBeNull();
    const bound = numberedKey(1, { name: 'laptop', models: SMALL_ONLY });
    expect(await keys.change(STORE_ALICE, bound.id, { models: SMALL_ONLY }, BY)).toEqual(bound);
    expect((await keys.findByHash(keyHashOf(1)))?.key).toEqual(bound);
    expect(await keys.change(STORE_ALICE, bound.id, { name: null }, BY)).toEqual({ ...bound, name: null });
    expect(await keys.change(STORE_ALICE, bound.id, { limit: TEN_A_MONTH }, BY)).toEqual({ ...bound, name: null, limit: TEN_A_MONTH });
    expect((await keys.findByHash(keyHashOf(1)))?.key.limit).toEqual(TEN_A_MONTH);
    expect(await keys.change(STORE_ALICE, bound.id, { models: null, limit: null }, BY)).toEqual(numberedKey(1));
    expect(await keys.listByAccount(STORE_ALICE)).toEqual([numberedKey(1)]);
  });

  it('changes no revoked key and no key of another account', async () => {
    const { store: { keys } } = await start();
    await keys.create(creationOf(numberedKey(1)));
    await keys.create(creationOf(numberedKey(2)));
    await keys.revoke(STORE_ALICE, numberedKey(2).id, BY);
    expect(await keys.change(STORE_ALICE, numberedKey(2).id, { name: 'late' }, BY)).toBeNull();
    expect((await keys.findById(STORE_ALICE, numberedKey(2).id))?.name).toBeNull();
    expect(await keys.change(STORE_BOB, numberedKey(1).id, { name: 'mine' }, BY)).toBeNull();
    expect(await keys.findById(STORE_ALICE, numberedKey(1).id)).toEqual(numberedKey(1));
  });
}

export function playgroundKeyContract(start: StartStore): void {
  const key = (number: number, accountId = STORE_ALICE) => ({ id: `key_play_${number}` as ApiKeyId, accountId, createdAt: later(STORE_NOON, number) });

  it('creates one playground key per account under concurrency, and none for an unknown or deleted account', async () => {
    const { store: { keys, accounts } } = await start();
    expect(await keys.findPlaygroundKey(STORE_ALICE)).toBeNull();
    const made = await Promise.all(Array.from({ length: 50 }, (_, number) => keys.createPlaygroundKey(key(number), SYSTEM_ACTOR)));
    const [first] = made;
    expect(first).toMatchObject({ accountId: STORE_ALICE, blocked: false });
    expect(new Set(made.map((found) => found?.id)).size).toBe(1);
    expect(await keys.createPlaygroundKey(key(99), SYSTEM_ACTOR)).toEqual(first);
    expect(await keys.findPlaygroundKey(STORE_ALICE)).toEqual(first);
    expect(await keys.findPlaygroundKey(STORE_BOB)).toBeNull();
    expect(await keys.createPlaygroundKey(key(100, STORE_BOB), SYSTEM_ACTOR)).toEqual({ ...key(100, STORE_BOB), blocked: false });
    expect(await keys.createPlaygroundKey(key(101, 'acct_nobody' as AccountId), SYSTEM_ACTOR)).toBeNull();
    const carol = 'acct_carol' as AccountId;
    await accounts.create(anAccount({ id: carol, email: 'carol@example.test', status: 'deleted' }), SYSTEM_ACTOR);
    expect(await keys.createPlaygroundKey(key(102, carol), SYSTEM_ACTOR)).toBeNull();
  });

  it('keeps the playground key out of lists and counts, and refuses to change, rotate or revoke it', async () => {
    const { store: { keys } } = await start();
    const { id } = key(1);
    await keys.createPlaygroundKey(key(1), SYSTEM_ACTOR);
    expect(await keys.create(creationOf(numberedKey(1), { maximumActive: 1, maximumPerHour: 1 }))).toBe('created');
    expect((await keys.listByAccount(STORE_ALICE)).map((listed) => listed.id)).toEqual([numberedKey(1).id]);
    expect((await keys.page(STORE_ALICE, { limit: 10, after: null }))?.keys).toHaveLength(1);
    expect(await keys.page(STORE_ALICE, { limit: 10, after: id })).toBeNull();
    expect(await keys.countActive(STORE_ALICE, STORE_NOON)).toBe(1);
    expect(await keys.firstIssueAfter(STORE_ALICE, 'creation', later(STORE_NOON, -1))).toBe(numberedKey(1).createdAt);
    expect(await keys.findById(STORE_ALICE, id)).toBeNull();
    for (const hash of ['', id]) expect(await keys.findByHash(hash as KeyHash)).toBeNull();
    expect(await keys.change(STORE_ALICE, id, { name: 'mine' }, BY)).toBeNull();
    expect(await keys.revoke(STORE_ALICE, id, BY)).toBe(false);
    expect(await keys.rotate({ accountId: STORE_ALICE, revokedId: id, replacement: numberedKey(2), maximumPerHour: 60, actor: SYSTEM_ACTOR })).toBe('not-active');
    expect(await keys.findPlaygroundKey(STORE_ALICE)).toEqual({ ...key(1), blocked: false });
  });

  it('blocks and unblocks a playground key only through its own account', async () => {
    const { store: { keys } } = await start();
    const { id } = key(1);
    await keys.createPlaygroundKey(key(1), SYSTEM_ACTOR);
    expect(await keys.accountOf(id)).toBe(STORE_ALICE);
    expect(await keys.setBlocked(STORE_BOB, id, true, BY)).toBe(false);
    expect(await keys.setBlocked(STORE_ALICE, 'key_play_2' as ApiKeyId, true, BY)).toBe(false);
    for (const blocked of [true, true, false, false]) {
      expect(await keys.setBlocked(STORE_ALICE, id, blocked, BY)).toBe(true);
      expect(await keys.findPlaygroundKey(STORE_ALICE)).toEqual({ ...key(1), blocked });
    }
  });

  it('books requests with the key of a playground like requests with any other key', async () => {
    const driver = await start();
    const { store: { keys, usage, ledgerAudit } } = driver;
    await driver.credit('10');
    const { id } = key(1);
    await keys.createPlaygroundKey(key(1), SYSTEM_ACTOR);
    await driver.serve(1, anEnding(2), { keyId: id });
    expect(await usage.find(STORE_ALICE, requestId(1))).toMatchObject({ keyId: id });
    expect([await driver.balance(), (await ledgerAudit.verify()).differences]).toEqual(['8/0/8', []]);
  });
}
