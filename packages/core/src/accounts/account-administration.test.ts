import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { AccountAdministration, type AccountId, later, parseTokenRate, PAY_AS_YOU_GO, type PlanId, ServiceTokens, STANDARD_PLANS, SYSTEM_ACTOR } from '@tollgate/core';

describe('AccountAdministration', () => {
  let store: MemoryStore;
  let administration: AccountAdministration;
  let clock: ManualClock;

  beforeEach(() => {
    store = createMemoryStore();
    clock = new ManualClock();
    const catalogue = new StaticCatalogue({ models: [], plans: STANDARD_PLANS, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO });
    administration = new AccountAdministration({ accounts: store.accounts, ledger: store.ledger, catalogue, ids: new SequentialIds(), clock });
  });

  function create(email: string, planId: PlanId = PAY_AS_YOU_GO) {
    return administration.create({ email, name: 'Alice', planId, emailVerified: true, actor: SYSTEM_ACTOR });
  }

  it.each([
    ['alice@example.test', 'created'], ['a@b', 'created'], ['"a@b"@c.test', 'email-malformed'], [`${'a'.repeat(64)}@example.tt`, 'created'],
    [`${'a'.repeat(65)}@example.tt`, 'email-malformed'], ['', 'email-malformed'], ['alice', 'email-malformed'], ['@example.test', 'email-malformed'],
    ['alice@', 'email-malformed'], ['al ice@example.test', 'email-malformed'], ['alice@example.test\u0000', 'email-malformed'], ['a\n@b', 'email-malformed'],
  ])('answers the creation of an account with the address %j with %s', async (email, outcome) => {
    expect((await create(email)).outcome).toBe(outcome);
  });

  it('accepts only account names of 1 to 200 characters', async () => {
    for (const name of ['', ' ', 'x'.repeat(201)]) {
      await expect(administration.create({ email: 'bob@example.test', name, planId: PAY_AS_YOU_GO, emailVerified: true, actor: SYSTEM_ACTOR })).rejects.toThrow('1 to 200 characters');
    }
    const created = await create('alice@example.test');
    const id = created.outcome === 'created' ? created.account.id : 'none' as AccountId;
    await expect(administration.change(id, { name: 'x'.repeat(201) }, SYSTEM_ACTOR)).rejects.toThrow('1 to 200 characters');
    expect(await administration.change(id, { name: 'x'.repeat(200) }, SYSTEM_ACTOR)).toMatchObject({ outcome: 'changed' });
  });

  it('allows one account per e-mail address, ignoring its letter case', async () => {
    await create('alice@example.test');
    expect((await create('Alice@Example.test')).outcome).toBe('email-taken');
  });

  it('refuses a plan that is not on offer', async () => {
    expect((await create('alice@example.test', 'nowhere' as PlanId)).outcome).toBe('no-such-plan');
    const created = await create('alice@example.test');
    const id = created.outcome === 'created' ? created.account.id : 'none' as AccountId;
    expect((await administration.change(id, { planId: 'nowhere' as PlanId }, SYSTEM_ACTOR)).outcome).toBe('no-such-plan');
    expect(await administration.change(id, { planId: 'pro' as PlanId }, SYSTEM_ACTOR)).toMatchObject({ outcome: 'changed', account: { planId: 'pro', name: 'Alice' } });
    expect((await administration.change('acct_99' as AccountId, { name: 'Nobody' }, SYSTEM_ACTOR)).outcome).toBe('no-such-account');
  });

  it('books a credit once per reference, and refuses amounts that are not positive', async () => {
    const created = await create('alice@example.test');
    const accountId = created.outcome === 'created' ? created.account.id : 'none' as AccountId;
    const credit = (units: bigint, reference: string) =>
      administration.credit({ accountId, amount: ServiceTokens.fromUnits(units), reference, actor: SYSTEM_ACTOR });
    expect((await credit(5n, 'r1')).outcome).toBe('credited');
    expect((await credit(5n, 'r1')).outcome).toBe('repeated');
    expect((await credit(6n, 'r1')).outcome).toBe('reference-used-for-another-amount');
    await expect(credit(0n, 'r2')).rejects.toThrow('more than zero');
    await expect(credit(-1n, 'r3')).rejects.toThrow('more than zero');
    expect((await store.ledger.balanceOf(accountId))?.posted.toString()).toBe('0.000005');
  });

  it('reports a repeated credit as repeated even after its expiry, and refuses a new credit that has already expired', async () => {
    const created = await create('alice@example.test');
    const accountId = created.outcome === 'created' ? created.account.id : 'none' as AccountId;
    const expiresAt = later(clock.now(), 1);
    const command = { accountId, amount: ServiceTokens.parse('1'), reference: 'r', expiresAt, actor: SYSTEM_ACTOR };
    expect(await administration.credit(command)).toMatchObject({ outcome: 'credited' });
    clock.advance(1);
    expect(await administration.credit(command)).toMatchObject({ outcome: 'repeated' });
    expect(await administration.book({ ...command, kind: 'top-up', reason: null })).toMatchObject({ outcome: 'repeated' });
    await expect(administration.credit({ ...command, reference: 'new' })).rejects.toThrow('expires_at: must be in the future');
  });
});
