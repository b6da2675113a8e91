import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { Sha256Hasher } from '@tollgate/adapters-node';
import {
  type Account, ApiKeySecret, Authenticator, instant, KeyManagement, parseTokenRate, PAY_AS_YOU_GO_PLAN, ServiceTokens, STANDARD_PLANS, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount, changeStanding } from '@tollgate/testkit';

const HOUR = 3_600_000;

describe('Authenticator', () => {
  let store: MemoryStore;
  let clock: ManualClock;
  let authenticator: Authenticator;
  let management: KeyManagement;
  let catalogue: StaticCatalogue;

  beforeEach(() => {
    store = createMemoryStore();
    clock = new ManualClock();
    catalogue = new StaticCatalogue({ models: [], plans: STANDARD_PLANS, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO });
    const hasher = new Sha256Hasher();
    authenticator = new Authenticator({ keys: store.keys, catalogue, hasher, clock });
    management = new KeyManagement({ keys: store.keys, ids: new SequentialIds(), hasher, clock });
  });

  async function issue(differences: Partial<Account> = {}) {
    const account = anAccount(differences);
    await store.accounts.create(account, SYSTEM_ACTOR);
    const expiresAt = instant(clock.now() + HOUR);
    const created = await management.create({ accountId: account.id, plan: PAY_AS_YOU_GO_PLAN, name: null, expiresAt, actor: SYSTEM_ACTOR });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return { account, key: created.issued.key, credential: created.issued.secret.reveal() };
  }

  async function refusal(credential: string | null): Promise<string> {
    return authenticator.authenticate(credential).then(() => 'none', (thrown: unknown) => (thrown as { code: string }).code);
  }

  it('returns the caller with its plan and key', async () => {
    const { account, key, credential } = await issue({ planId: 'pro' as Account['planId'] });
    const caller = await authenticator.authenticate(credential);
    expect([caller.account, caller.plan.id, caller.keyId]).toEqual([account, 'pro', key.id]);
  });

  it.each<readonly [credential: string | null, code: string]>([
    [null, 'missing_api_key'],
    ['', 'invalid_api_key'],
    ['sk-short', 'invalid_api_key'],
    [`sk-${'0'.repeat(47)}9`, 'invalid_api_key'],
  ])('refuses %j as %s', async (credential, code) => {
    await issue();
    expect(await refusal(credential)).toBe(code);
  });

  it('refuses a key for the first reason in the order of the specification, and accepts it once no reason is left', async () => {
    const { account, key, credential } = await issue({ emailVerified: false, status: 'suspended', blocked: true });
    const by = { actor: SYSTEM_ACTOR, at: clock.now() };
    const replacement = await management.rotate({ accountId: account.id, keyId: key.id, actor: SYSTEM_ACTOR });
    if (replacement.outcome !== 'rotated') throw new Error(replacement.outcome);
    const next = replacement.issued;
    for (const blocked of [key, next.key]) await store.keys.setBlocked(account.id, blocked.id, true, by);
    const seen: string[] = [];
    seen.push(await refusal(credential));
    seen.push(await refusal(next.secret.reveal()));
    await store.keys.setBlocked(account.id, next.key.id, false, by);
    seen.push(await refusal(next.secret.reveal()));
    await changeStanding(store.accounts, account.id, { blocked: false }, by);
    seen.push(await refusal(next.secret.reveal()));
    await changeStanding(store.accounts, account.id, { status: 'pending-deletion' }, by);
    seen.push(await refusal(next.secret.reveal()));
    await changeStanding(store.accounts, account.id, { status: 'active' }, by);
    seen.push(await refusal(next.secret.reveal()));
    await changeStanding(store.accounts, account.id, { emailVerified: true }, by);
    seen.push(await refusal(next.secret.reveal()));
    clock.advance(HOUR);
    seen.push(await refusal(next.secret.reveal()));
    expect(seen).toEqual([
      'invalid_api_key', 'api_key_blocked', 'account_blocked', 'account_inactive', 'account_inactive', 'email_not_verified', 'none', 'invalid_api_key',
    ]);
  });

  it('gives the same refusal for an unknown, a revoked and an expired key', async () => {
    const { account, key, credential } = await issue();
    const texts = new Set<string>();
    const note = async (text: string): Promise<void> => {
      await authenticator.authenticate(text).catch((thrown: unknown) => texts.add((thrown as Error).message));
    };
    await note(`sk-${'0'.repeat(48)}`);
    await management.revoke(account.id, key.id, SYSTEM_ACTOR);
    await note(credential);
    clock.advance(HOUR);
    await note(credential);
    expect(texts.size).toBe(1);
  });

  it('uses the plan pay-as-you-go for an account whose plan is no longer in the catalogue', async () => {
    const { credential } = await issue({ planId: 'long-gone' as Account['planId'] });
    expect((await authenticator.authenticate(credential)).plan).toBe(catalogue.current().plan(PAY_AS_YOU_GO_PLAN.id));
  });

  it('accepts a key only in its exact spelling', async () => {
    const { credential } = await issue();
    expect(ApiKeySecret.parse(credential)).not.toBeNull();
    expect(await refusal(`${credential} `)).toBe('invalid_api_key');
    expect(await refusal(credential)).toBe('none');
  });
});
