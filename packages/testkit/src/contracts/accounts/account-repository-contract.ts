import { afterEach, describe, expect, it } from '../test-runner.js';
import { type Account, type AccountId, type AccountStatus, instant, type PlanId, type PriceListId, SYSTEM_ACTOR, type UpdatePosition } from '@tollgate/core';
import { anAccount } from '../../builders/builders.js';
import { type MakeStore, STORE_NOON, type StoreSubject } from '../store-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

function numbered(number: number): Account {
  return anAccount({ id: `acct_${number}` as AccountId, email: `owner${number}@example.test`, createdAt: instant(1000 - number) });
}

export function accountRepositoryContract(name: string, make: MakeStore): void {
  describe(`AccountRepository contract: ${name}`, () => {
    let store: StoreSubject | null = null;
    const start = async (): Promise<StoreSubject> => {
      store = await make();
      return store;
    };
    afterEach(async () => {
      await store?.close?.();
      store = null;
    });

    it('finds an account as it was created, by id and by address', async () => {
      const { accounts } = await start();
      const account = anAccount({ name: 'Zoë 東京', email: 'Zoe@Example.test', emailVerified: false, blocked: true, status: 'suspended' });
      expect(await accounts.create(account, SYSTEM_ACTOR)).toBe('created');
      expect(await accounts.findById(account.id)).toEqual(account);
      expect(await accounts.findByEmail('zoe@example.TEST')).toEqual(account);
    });

    it('refuses an external id that is in use, and returns external ids and metadata unchanged', async () => {
      const { accounts } = await start();
      const account = anAccount({ externalId: 'customer 7/ä', metadata: { tier: 'gold', '\u{1f600}': '', constructor: 'x' } });
      expect(await accounts.create(account, SYSTEM_ACTOR)).toBe('created');
      expect(await accounts.findById(account.id)).toEqual(account);
      expect(await accounts.findByExternalId('customer 7/ä')).toEqual(account);
      expect(await accounts.findByExternalId('customer 7')).toBeNull();
      const others = [{ ...numbered(1), externalId: 'customer 7/ä' }, { ...numbered(2), externalId: 'b' }, numbered(3), numbered(4)];
      expect(await Promise.all(others.map((other) => accounts.create(other, SYSTEM_ACTOR)))).toEqual(['external-id-taken', 'created', 'created', 'created']);
      expect(await accounts.change(numbered(2).id, { externalId: 'customer 7/ä' }, BY)).toBe('external-id-taken');
      expect(await accounts.change(account.id, { externalId: 'customer 7/ä', metadata: { tier: 'silver' } }, BY)).toEqual({ ...account, metadata: { tier: 'silver' } });
      expect(await accounts.change(account.id, { externalId: null, metadata: {} }, BY)).toEqual({ ...account, externalId: null, metadata: {} });
      expect(await accounts.change(numbered(2).id, { externalId: 'customer 7/ä' }, BY)).toMatchObject({ externalId: 'customer 7/ä' });
    });

    it('lists accounts of one status', async () => {
      const { accounts } = await start();
      for (const number of [1, 2, 3, 4]) await accounts.create({ ...numbered(number), status: number % 2 === 0 ? 'suspended' : 'active' }, SYSTEM_ACTOR);
      const first = await accounts.list({ limit: 1, after: null, status: 'suspended' });
      expect([first.accounts[0]?.id, first.next]).toEqual(['acct_4', 'acct_4']);
      const second = await accounts.list({ limit: 1, after: first.next, status: 'suspended' });
      expect([second.accounts[0]?.id, second.next]).toEqual(['acct_2', null]);
    });

    it('lists each account once in the order of the last changes, and again after a further change', async () => {
      const { accounts } = await start();
      const [one, two, three] = [numbered(1), numbered(2), numbered(3)];
      for (const account of [one, two, three]) await accounts.create({ ...account, createdAt: instant(1000) }, SYSTEM_ACTOR);
      const pageAfter = async (after: UpdatePosition, status: AccountStatus | null = null) => {
        const page = await accounts.listUpdated({ limit: 2, after, status });
        return { ids: page.accounts.map(({ id }) => id), next: page.next };
      };
      expect(await pageAfter({ at: instant(1000), id: null })).toEqual({ ids: [], next: null });
      const first = await pageAfter({ at: instant(999), id: null });
      expect(first).toEqual({ ids: [one.id, two.id], next: { at: instant(1000), id: two.id } });
      if (first.next === null) throw new Error('there is no next page');
      expect(await pageAfter(first.next)).toEqual({ ids: [three.id], next: null });
      const later = (seconds: number) => ({ actor: SYSTEM_ACTOR, at: instant(1000 + seconds) });
      await accounts.change(one.id, { name: 'One' }, later(2));
      await accounts.moveStanding(two.id, { from: two, to: { ...two, status: 'suspended' }, action: 'account.suspended' }, later(1));
      expect(await pageAfter({ at: instant(1000), id: null })).toEqual({ ids: [two.id, one.id], next: null });
      expect(await pageAfter({ at: instant(1000), id: null }, 'suspended')).toEqual({ ids: [two.id], next: null });
      await accounts.moveStanding(two.id, { from: { ...two, status: 'suspended' }, to: two, action: 'account.reactivated' }, later(3));
      expect(await pageAfter({ at: instant(1002), id: null })).toEqual({ ids: [two.id], next: null });
    });

    it('finds no account by an unknown id or address', async () => {
      const { accounts } = await start();
      expect(await accounts.findById('acct_nobody' as AccountId)).toBeNull();
      expect(await accounts.findByEmail('nobody@example.test')).toBeNull();
    });

    it('creates only one of several concurrent accounts with the same address in different letter case', async () => {
      const { accounts } = await start();
      const outcomes = await Promise.all(['a@example.test', 'A@example.test', 'a@EXAMPLE.test'].map((email, number) => (
        accounts.create(anAccount({ id: `acct_${number}` as AccountId, email }), SYSTEM_ACTOR))));
      expect(outcomes).toEqual(['created', 'email-taken', 'email-taken']);
      expect((await accounts.list({ limit: 10, after: null })).accounts).toHaveLength(1);
    });

    it('lists accounts, the oldest first, page by page', async () => {
      const { accounts } = await start();
      for (const number of [1, 2, 3, 4, 5]) await accounts.create(numbered(number), SYSTEM_ACTOR);
      const first = await accounts.list({ limit: 2, after: null });
      const second = await accounts.list({ limit: 2, after: first.next });
      const third = await accounts.list({ limit: 2, after: second.next });
      expect([first, second, third].map((page) => page.accounts.map(({ id }) => id))).toEqual([['acct_5', 'acct_4'], ['acct_3', 'acct_2'], ['acct_1']]);
      expect(third.next).toBeNull();
    });

    it('returns no next position with the last page, even if that page is full', async () => {
      const { accounts } = await start();
      for (const number of [1, 2]) await accounts.create(numbered(number), SYSTEM_ACTOR);
      expect((await accounts.list({ limit: 2, after: null })).next).toBeNull();
    });

    it.each([
      ['plan', { planId: 'pro' as PlanId }],
      ['name', { name: 'Zoë 東京' }],
      ['price list', { priceList: 'partners' as PriceListId }],
      ['everything', { planId: 'pro' as PlanId, priceList: 'partners' as PriceListId, name: 'Zoë 東京' }],
      ['nothing', {}],
    ] as const)('changes %s and leaves the other fields as they were', async (_, change) => {
      const { accounts } = await start();
      await accounts.create(anAccount(), SYSTEM_ACTOR);
      const expected = { ...anAccount(), ...change };
      expect(await accounts.change(anAccount().id, change, BY)).toEqual(expected);
      expect(await accounts.findById(anAccount().id)).toEqual(expected);
    });

    it('returns null for a change of an account that does not exist', async () => {
      const { accounts } = await start();
      expect(await accounts.change('acct_nobody' as AccountId, { name: 'Nobody' }, BY)).toBeNull();
    });

    it.each([
      ['a suspension', { status: 'suspended' }],
      ['a verification', { emailVerified: false }],
      ['a block', { blocked: true }],
      ['a pending deletion', { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'suspended' } }],
    ] as const)('carries out one of five concurrent changes from the same state to %s, and later the opposite change', async (_, differences) => {
      const { accounts } = await start();
      const [from, to] = [anAccount(), anAccount(differences)];
      await accounts.create(from, SYSTEM_ACTOR);
      const moves = Array.from({ length: 5 }, () => accounts.moveStanding(from.id, { from, to, action: 'account.changed' }, BY));
      expect((await Promise.all(moves)).filter((isMoved) => isMoved)).toHaveLength(1);
      expect(await accounts.findById(from.id)).toEqual(to);
      expect(await accounts.moveStanding(from.id, { from: to, to: from, action: 'account.changed' }, BY)).toBe(true);
      expect(await accounts.findById(from.id)).toEqual(from);
    });

    it('keeps the reason of a suspension while the suspension lasts, also during a pending deletion', async () => {
      const { accounts } = await start();
      const states = {
        active: anAccount(), suspended: anAccount({ status: 'suspended' }), pending: anAccount({ status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'suspended' } }),
      } as const;
      const { id } = states.active;
      await accounts.create(states.active, SYSTEM_ACTOR);
      const move = async (from: keyof typeof states, to: keyof typeof states, reason?: string): Promise<string | null> => {
        expect(await accounts.moveStanding(id, { from: states[from], to: states[to], action: 'account.changed', ...reason === undefined ? {} : { reason } }, BY)).toBe(true);
        return accounts.suspensionReason(id);
      };
      expect(await move('active', 'suspended', 'abuse')).toBe('abuse');
      expect(await move('suspended', 'pending')).toBe('abuse');
      expect(await move('pending', 'suspended')).toBe('abuse');
      expect(await move('suspended', 'active')).toBeNull();
      expect(await move('active', 'suspended')).toBeNull();
      expect(await accounts.suspensionReason('acct_nobody' as AccountId)).toBeNull();
    });

    it.each([
      ['date', { dueAt: instant(7), returnsTo: 'active' }],
      ['status after a cancellation', { dueAt: STORE_NOON, returnsTo: 'suspended' }],
    ] as const)('does not change the standing if the deletion has another %s than the caller assumed', async (_, deletion) => {
      const { accounts } = await start();
      const pending = anAccount({ status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } });
      await accounts.create(pending, SYSTEM_ACTOR);
      expect(await accounts.moveStanding(pending.id, { from: { ...pending, deletion }, to: anAccount(), action: 'account.changed' }, BY)).toBe(false);
      expect(await accounts.moveStanding('acct_nobody' as AccountId, { from: pending, to: anAccount(), action: 'account.changed' }, BY)).toBe(false);
      expect(await accounts.findById(pending.id)).toEqual(pending);
    });
  });
}
