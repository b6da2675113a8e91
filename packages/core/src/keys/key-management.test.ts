import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore, SequentialIds } from '@tollgate/adapters-memory';
import { Sha256Hasher } from '@tollgate/adapters-node';
import {
  type Account, type ApiKeyId, apiKeyState, GATEWAY_ORIGIN, type Instant, KeyManagement, later, type Plan, STANDARD_PLANS, SYSTEM_ACTOR,
} from '@tollgate/core';
import { Catalogue, type ModelSlug, parseTokenRate, resolveKeyModels, ServiceTokens } from '../index.js';
import { aModel, anAccount, refusalOf } from '@tollgate/testkit';

const MINUTE = 60_000;
const OTHER = anAccount({ id: 'acct_bob' as Account['id'], email: 'bob@example.test' });

describe('KeyManagement', () => {
  const account = anAccount();
  const planNamed = (id: string): Plan => STANDARD_PLANS.find((plan) => plan.id === id) ?? (() => { throw new Error(id); })();
  let store: MemoryStore;
  let clock: ManualClock;
  let management: KeyManagement;

  beforeEach(async () => {
    store = createMemoryStore();
    clock = new ManualClock();
    management = new KeyManagement({ keys: store.keys, ids: new SequentialIds(), hasher: new Sha256Hasher(), clock });
    await store.accounts.create(account, SYSTEM_ACTOR);
    await store.accounts.create(OTHER, SYSTEM_ACTOR);
  });

  function create(plan: Plan, expiresAt: Instant | null = null) {
    return management.create({ accountId: account.id, plan, name: 'laptop', expiresAt, actor: SYSTEM_ACTOR });
  }

  async function created(plan: Plan, expiresAt: Instant | null = null) {
    const outcome = await create(plan, expiresAt);
    if (outcome.outcome !== 'created') throw new Error(outcome.outcome);
    return outcome.issued;
  }

  async function states(): Promise<readonly string[]> {
    return (await management.list(account.id)).map((key) => apiKeyState(key, clock.now()));
  }

  it('returns the secret once and stores its hash and hint', async () => {
    const { key, secret } = await created(planNamed('starter'));
    expect(key).toMatchObject({ accountId: account.id, name: 'laptop', hint: secret.hint(), hash: new Sha256Hasher().hash(secret), revokedAt: null });
    expect(JSON.stringify([key, await management.list(account.id)])).not.toContain(secret.reveal().slice(5, 40));
  });

  it.each([['pay-as-you-go', 5], ['starter', 5]])('on the plan %s allows %d active keys, also under concurrent calls', async (plan, maximum) => {
    const outcomes = await Promise.all(Array.from({ length: maximum + 3 }, () => create(planNamed(plan))));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: maximum }, () => 'created'), ...Array.from({ length: 3 }, () => 'quota-exceeded')]);
  });

  it('does not count revoked and expired keys against the plan’s maximum', async () => {
    const plan = planNamed('starter');
    const first = await created(plan);
    await created(plan, later(clock.now(), MINUTE));
    for (let more = 0; more < 3; more += 1) await created(plan);
    expect((await create(plan)).outcome).toBe('quota-exceeded');
    await management.revoke(account.id, first.key.id, SYSTEM_ACTOR);
    expect((await create(plan)).outcome).toBe('created');
    expect((await create(plan)).outcome).toBe('quota-exceeded');
    clock.advance(MINUTE);
    expect((await create(plan)).outcome).toBe('created');
  });

  it('allows 20 new keys in an hour, and the next one when the first is an hour old', async () => {
    const plan = planNamed('business');
    for (let made = 0; made < 20; made += 1) {
      await created(plan);
      clock.advance(MINUTE);
    }
    const retryAt = later(clock.now(), 40 * MINUTE);
    expect(await create(plan)).toEqual({ outcome: 'too-many-per-hour', retryAt });
    clock.advance(40 * MINUTE - 1);
    expect((await create(plan)).outcome).toBe('too-many-per-hour');
    clock.advance(1);
    expect((await create(plan)).outcome).toBe('created');
    expect((await create(plan)).outcome).toBe('too-many-per-hour');
  });

  it.each([[0, 'expiry-in-the-past'], [-1, 'expiry-in-the-past'], [1, 'created']])('answers the creation of a key that expires %d ms from now with %s', async (distance, outcome) => {
    expect((await create(planNamed('starter'), later(clock.now(), distance))).outcome).toBe(outcome);
  });

  it('rotates atomically: the old key is revoked, the new one has its name and expiry, and the number of active keys stays the same', async () => {
    const plan = planNamed('starter');
    const expiresAt = later(clock.now(), MINUTE);
    const { key } = await created(plan, expiresAt);
    for (let more = 0; more < 4; more += 1) await created(plan);
    const rotated = await management.rotate({ accountId: account.id, keyId: key.id, actor: SYSTEM_ACTOR });
    expect(rotated.outcome === 'rotated' && [rotated.issued.key.name, rotated.issued.key.expiresAt, rotated.issued.key.id !== key.id]).toEqual(['laptop', expiresAt, true]);
    expect((await states()).filter((state) => state === 'active')).toHaveLength(5);
    expect((await states()).filter((state) => state === 'revoked')).toHaveLength(1);
  });

  it('rotates a key once under concurrent requests', async () => {
    const { key } = await created(planNamed('starter'));
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => management.rotate({ accountId: account.id, keyId: key.id, actor: SYSTEM_ACTOR })));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['not-active', 'not-active', 'rotated']);
    expect((await states()).toSorted()).toEqual(['active', 'revoked']);
  });

  it('neither rotates nor revokes a key of another account, an unknown key or a revoked one', async () => {
    const { key } = await created(planNamed('starter'));
    expect((await management.rotate({ accountId: OTHER.id, keyId: key.id, actor: SYSTEM_ACTOR })).outcome).toBe('no-such-key');
    expect((await management.rotate({ accountId: account.id, keyId: 'key_99' as ApiKeyId, actor: SYSTEM_ACTOR })).outcome).toBe('no-such-key');
    expect(await management.revoke(OTHER.id, key.id, SYSTEM_ACTOR)).toBe(false);
    expect(await management.revoke(account.id, key.id, SYSTEM_ACTOR)).toBe(true);
    expect(await management.revoke(account.id, key.id, SYSTEM_ACTOR)).toBe(false);
    expect((await management.rotate({ accountId: account.id, keyId: key.id, actor: SYSTEM_ACTOR })).outcome).toBe('not-active');
    expect(await states()).toEqual(['revoked']);
  });

  it('audits a rotation as a revocation and a creation, each with the actor of the rotation', async () => {
    const owner = { kind: 'owner', id: account.id, origin: GATEWAY_ORIGIN } as const;
    const { key } = await created(planNamed('starter'));
    const before = store.audit.entries.length;
    await management.rotate({ accountId: account.id, keyId: key.id, actor: owner });
    expect(store.audit.entries.slice(before).map(({ action, actor }) => [action, actor])).toEqual([['key.revoked', owner], ['key.created', owner]]);
  });
});

const CATALOGUE = new Catalogue({
  models: [aModel({ slug: 'small' as ModelSlug, aliases: ['tiny', 'mini-*'] }), aModel({ slug: 'large' as ModelSlug })],
  plans: [],
  usdPerServiceToken: parseTokenRate('1'),
  minimumReservation: ServiceTokens.ZERO,
});

describe('the models of a key', () => {
  it.each<readonly [names: readonly string[] | null, slugs: readonly string[] | null]>([
    [null, null],
    [['small', 'large'], ['small', 'large']],
    [['tiny', 'mini-2', 'small'], ['small']],
  ])('with the names %j are %j', (names, slugs) => {
    expect(resolveKeyModels(names, CATALOGUE)).toEqual(slugs === null ? null : new Set(slugs));
  });

  it.each([
    [['small', 'gone'], 'There is no model gone.'],
    [[], 'A key needs at least one model.'],
  ])('with the names %j are refused, naming the field', (names, message) => {
    expect(refusalOf(() => resolveKeyModels(names, CATALOGUE))).toEqual({ code: 'invalid_request', message, param: 'models' });
  });
});
