import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { type Account, type Actor, clientAt, parseTokenRate, PlaygroundAccess, ServiceTokens, STANDARD_PLANS, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount } from '@tollgate/testkit';

const OWNER: Actor = { kind: 'owner', id: 'person_ann', origin: clientAt('203.0.113.9') };

describe('PlaygroundAccess', () => {
  let store: MemoryStore;
  let clock: ManualClock;
  let access: PlaygroundAccess;

  beforeEach(async () => {
    store = createMemoryStore();
    clock = new ManualClock();
    const catalogue = new StaticCatalogue({ models: [], plans: STANDARD_PLANS, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO });
    access = new PlaygroundAccess({ keys: store.keys, catalogue, ids: new SequentialIds(), clock });
    await store.accounts.create(anAccount(), SYSTEM_ACTOR);
  });

  function codeFor(account: Account): Promise<string> {
    return access.callerOf(account, OWNER).then(() => 'none', (thrown: unknown) => (thrown as { code: string }).code);
  }

  it('creates one key per account, with the account’s plan and no limits, and audits this as an act of the owner', async () => {
    const account = anAccount({ planId: 'pro' as Account['planId'] });
    const callers = await Promise.all(Array.from({ length: 50 }, () => access.callerOf(account, OWNER)));
    expect(callers[0]).toMatchObject({ account, plan: { id: 'pro' }, keyModels: null, keyLimit: null });
    expect(new Set(callers.map(({ keyId }) => keyId))).toEqual(new Set([(await store.keys.findPlaygroundKey(account.id))?.id]));
    const made = store.audit.entries.filter(({ action }) => action === 'key.created');
    expect(made.map(({ actor: { kind, id }, subject }) => [kind, id, subject])).toEqual([['owner', OWNER.id, callers[0]?.keyId]]);
  });

  it('refuses an account for the first reason in the order of the specification, and creates no key', async () => {
    const refused: readonly (readonly [string, Partial<Account>])[] = [
      ['account_blocked', { blocked: true, status: 'suspended', emailVerified: false }], ['account_inactive', { status: 'suspended', emailVerified: false }],
      ['account_inactive', { status: 'deleted' }], ['email_not_verified', { emailVerified: false }],
    ];
    for (const [code, differences] of refused) expect([code, await codeFor(anAccount(differences))]).toEqual([code, code]);
    const { id } = anAccount();
    expect(await store.keys.findPlaygroundKey(id)).toBeNull();
    const { keyId } = await access.callerOf(anAccount(), OWNER);
    await store.keys.setBlocked(id, keyId, true, { actor: SYSTEM_ACTOR, at: clock.now() });
    expect(await codeFor(anAccount({ blocked: true }))).toBe('api_key_blocked');
    await store.keys.setBlocked(id, keyId, false, { actor: SYSTEM_ACTOR, at: clock.now() });
    expect((await access.callerOf(anAccount(), OWNER)).keyId).toBe(keyId);
  });

  it('refuses an account that is deleted concurrently', async () => {
    expect(await codeFor(anAccount({ id: 'acct_gone' as Account['id'] }))).toBe('account_inactive');
  });
});
