import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type Account, type AccountId, type AccountSearchQuery, type ApiKeyId, type FoundAccount, type FoundPosition, type KeyHash, later, MILLISECONDS_PER_DAY, NO_ACCOUNT_FILTER,
  type OperatorLookups, type PlanId, ServiceTokens, SYSTEM_ACTOR, type UtcDay,
} from '@tollgate/core';
import { anAccount, anApiKey, anEnding } from '../../builders/builders.js';
import { STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from '../store-subject.js';

interface AccountSearchSubject extends StoreSubject {
  readonly lookups: OperatorLookups;
}

const ACCOUNTS: readonly Account[] = [
  { id: 'acct_zoe' as AccountId, email: 'Zoe@M\u00fcnchen.example', name: 'Zo\u00eb 100%_[x]', externalId: 'Shop/4711', planId: 'pro' as PlanId },
  { id: 'acct_sue' as AccountId, email: 'sue@rocket.example', name: 'ROCKET', status: 'suspended' as const },
  { id: 'acct_blocked' as AccountId, email: 'ben@rocket.example', name: 'Ben', blocked: true, emailVerified: false },
  { id: 'acct_new' as AccountId, email: 'new@example.test', name: 'New', emailVerified: false },
].map((given, number) => anAccount({ createdAt: later(STORE_NOON, number + 1), ...given }));

export function accountSearchContract(name: string, make: () => AccountSearchSubject | Promise<AccountSearchSubject>): void {
  describe(`Search of accounts contract: ${name}`, () => {
    let store: AccountSearchSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      store = await make();
      driver = await StoreDriver.start(() => store);
      for (const account of ACCOUNTS) await store.accounts.create(account, SYSTEM_ACTOR);
    });
    afterEach(() => driver.close());

    const search = (query: Partial<AccountSearchQuery>) => store.lookups.searchAccounts({ ...NO_ACCOUNT_FILTER, order: 'created', descending: false, limit: 50, after: null, ...query });
    const idsOf = async (query: Partial<AccountSearchQuery>): Promise<readonly AccountId[]> => (await search(query)).found.map(({ account: { id } }) => id);
    const byText = (text: string) => idsOf({ text });

    it('finds accounts by parts of names, addresses and external ids, in any letter case', async () => {
      expect(await byText('rocket')).toEqual(['acct_sue', 'acct_blocked']);
      expect(await byText('ZO\u00cb')).toEqual(['acct_zoe']);
      expect([await byText('m\u00dcnchen'), await byText('P/47'), await byText('0%_[X]')]).toEqual([['acct_zoe'], ['acct_zoe'], ['acct_zoe']]);
      for (const text of ['%', '_', '[x]', ']']) expect(await byText(text)).toEqual(['acct_zoe']);
      for (const text of ['*', '?', '.*', 'r.cket', '[rx]ocket', '\\', "'", 'rockets', '\0']) expect(await byText(text)).toEqual([]);
    });

    it('finds accounts by whole ids, and by the last four characters of a key, even a revoked one', async () => {
      const add = async (accountId: AccountId, ending: string, number: number): Promise<ApiKeyId> => {
        const id = `key_${number}` as ApiKeyId;
        const key = anApiKey({ id, accountId, hint: `sk-Ab\u2026${ending}`, hash: String(number).padStart(64, '0') as KeyHash });
        await store.keys.create({ key, maximumActive: 99, maximumPerHour: 99, actor: SYSTEM_ACTOR });
        return id;
      };
      const id = await add(STORE_BOB, 'wXyZ', 1);
      await add(STORE_ALICE, 'wXyZ', 2);
      await add(STORE_ALICE, 'wXyz', 3);
      await store.keys.revoke(STORE_BOB, id, { actor: SYSTEM_ACTOR, at: STORE_NOON });
      await store.keys.createPlaygroundKey({ id: 'key_play' as ApiKeyId, accountId: STORE_BOB, createdAt: STORE_NOON }, SYSTEM_ACTOR);
      expect([await byText(id), await byText('key_play'), await byText(STORE_BOB), await byText('acct_bo')]).toEqual([[STORE_BOB], [STORE_BOB], [STORE_BOB], []]);
      for (const text of ['wXyZ', 'sk-Ab\u2026wXyZ']) expect((await byText(text)).toSorted()).toEqual([STORE_ALICE, STORE_BOB]);
      for (const text of ['XyZ', '\u2026wXyZ', 'key_none', 'person_none']) expect(await byText(text)).toEqual([]);
    });

    it('filters by plan, status and standing, each alone or together with a search text', async () => {
      expect(await idsOf({ planId: 'pro' as PlanId })).toEqual(['acct_zoe']);
      expect(await idsOf({ standing: 'blocked' })).toEqual(['acct_blocked']);
      expect(await idsOf({ standing: 'suspended' })).toEqual(['acct_sue']);
      expect(await idsOf({ standing: 'email-unverified' })).toEqual(['acct_new']);
      expect(await idsOf({ standing: 'good' })).toEqual([STORE_ALICE, STORE_BOB, 'acct_zoe']);
      expect([await idsOf({ status: 'suspended', text: 'rocket' }), await idsOf({ standing: 'good', text: 'rocket' }), await idsOf({ standing: 'deleted' })]).toEqual([['acct_sue'], [], []]);
    });

    it('filters by the available balance and by the day of the last request, even a free one, and returns both values', async () => {
      await driver.credit('10');
      await driver.credit('9', STORE_BOB);
      await driver.reserve(1, '4');
      await driver.serve(2, anEnding(0, { endedAt: later(STORE_NOON, MILLISECONDS_PER_DAY) }), { accountId: STORE_BOB });
      const day = '2026-11-19' as UtcDay;
      const next = '2026-11-20' as UtcDay;
      const below = (amount: string) => idsOf({ availableBelow: ServiceTokens.parse(amount), text: 'acct_alice' });
      expect([await below('6'), await below('6.000001')]).toEqual([[], [STORE_ALICE]]);
      expect([await idsOf({ usedSince: day }), await idsOf({ usedSince: next })]).toEqual([[STORE_BOB], []]);
      expect([(await idsOf({ unusedSince: day })).includes(STORE_BOB), (await idsOf({ unusedSince: next })).includes(STORE_BOB)]).toEqual([false, true]);
      const [alice, bob] = [await search({ text: STORE_ALICE }), await search({ text: STORE_BOB })].map(({ found }): FoundAccount | undefined => found[0]);
      expect([alice?.balance.reserved.toString(), alice?.lastUsedOn, alice?.account]).toEqual(['4', null, await store.accounts.findById(STORE_ALICE)]);
      expect(bob?.lastUsedOn).toBe(day);
    });

    it.each(['created', 'email', 'available', 'last_used'] as const)('pages in the order of %s, ascending and descending, and returns each account once', async (order) => {
      await driver.credit('10');
      await driver.credit('10', STORE_BOB);
      await driver.serve(1, anEnding(1), { accountId: STORE_BOB });
      const read = async (descending: boolean): Promise<readonly AccountId[]> => {
        const ids: AccountId[] = [];
        let after: FoundPosition | null = null;
        do {
          const { found, next } = await search({ order, descending, limit: 2, after });
          ids.push(...found.map(({ account }) => account.id));
          after = next;
        } while (after !== null && ids.length < 20);
        return ids;
      };
      const ascending = await read(false);
      expect(new Set(ascending).size).toBe(6);
      expect(await read(true)).toEqual(ascending.toReversed());
      const firstAndLast = { created: ['acct_alice', 'acct_new'], email: ['acct_alice', 'acct_zoe'], available: [ascending[0], STORE_ALICE], last_used: [ascending[0], STORE_BOB] }[order];
      expect([ascending[0], ascending.at(-1)]).toEqual(firstAndLast);
    });
  });
}
