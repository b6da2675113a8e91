import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import {
  AccountDeletion, type AccountId, clientAt, GATEWAY_ORIGIN, later, MILLISECONDS_PER_DAY, NO_AUDIT_FILTERS, type PersonId, type StandingFacts, SYSTEM_ACTOR,
} from '@tollgate/core';
import { MAIL_RANKS, Mailer, OwnDeletion } from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';
import { anAccount, changeStanding } from '@tollgate/testkit';

const ACCOUNT = anAccount();
const OWNER = { id: 'person_alice' as PersonId, accountId: ACCOUNT.id, email: ACCOUNT.email, language: null };
const ORIGIN = clientAt('203.0.113.9');

describe('OwnDeletion', () => {
  let store: SqlStore;
  let clock: ManualClock;
  let own: OwnDeletion;

  beforeEach(async () => {
    clock = new ManualClock();
    store = await storeInMemory(clock);
    const deletions = new AccountDeletion({ accounts: store.accounts, erasure: store.erasure, clock });
    const mailer = new Mailer({ outbox: store.mail, ids: new SequentialIds(), clock, onStored: () => undefined });
    own = new OwnDeletion({ deletions, mailer, site: () => ({ baseUrl: 'https://api.example.test', product: 'Tollgate' }), graceMilliseconds: MILLISECONDS_PER_DAY });
    await store.accounts.create(ACCOUNT, SYSTEM_ACTOR);
  });

  async function sent(): Promise<readonly string[]> {
    const mails = await store.mail.claim({ at: clock.now(), leaseExpiresAt: later(clock.now(), 1), most: 9, ranks: MAIL_RANKS });
    return mails.map(({ to, reference }) => `${to} ${reference}`);
  }

  async function become(differences: Partial<StandingFacts>): Promise<void> {
    await changeStanding(store.accounts, ACCOUNT.id, differences, { actor: SYSTEM_ACTOR, at: clock.now() });
  }

  it('schedules the deletion as the owner’s act, mails its date once, and cancels it', async () => {
    const dueAt = later(clock.now(), MILLISECONDS_PER_DAY);
    expect(await own.schedule(OWNER, ORIGIN)).toMatchObject({ outcome: 'changed', account: { status: 'pending-deletion', deletion: { dueAt } } });
    clock.advance(1000);
    expect(await own.schedule(OWNER, ORIGIN)).toMatchObject({ outcome: 'unchanged' });
    expect(await sent()).toEqual([`alice@example.test deletion-scheduled/${ACCOUNT.id}/${dueAt}`]);
    expect(await own.cancel(OWNER, ORIGIN)).toMatchObject({ outcome: 'changed', account: { status: 'active', deletion: null } });
    const page = await store.auditTrail.list({ ...NO_AUDIT_FILTERS, actorKind: 'owner', limit: 10, cursor: null });
    expect(page?.records.map(({ action, actor, origin }) => [action, actor.id, origin])).toEqual([
      ['account.deletion-cancelled', OWNER.id, ORIGIN], ['account.deletion-requested', OWNER.id, ORIGIN],
    ]);
  });

  it.each([
    ['suspended', { status: 'suspended' }, 'account_inactive'], ['blocked', { blocked: true }, 'account_blocked'],
    ['suspended and about to be deleted', { status: 'pending-deletion', deletion: { dueAt: later(ACCOUNT.createdAt, 1), returnsTo: 'suspended' } }, 'account_inactive'],
  ] as const)('is refused while the account is %s, and mails nothing', async (_, facts, code) => {
    await become(facts);
    expect([await own.schedule(OWNER, ORIGIN), await own.cancel(OWNER, ORIGIN)]).toMatchObject([{ outcome: 'refused', code }, { outcome: 'refused', code }]);
    expect([await sent(), await store.accounts.findById(ACCOUNT.id)]).toMatchObject([[], facts]);
  });

  it('is refused to the last operator and to a person without an account', async () => {
    const account = anAccount({ id: 'acct_olga' as AccountId, email: 'olga@example.test' });
    const olga = { id: 'person_olga' as PersonId, accountId: null, email: account.email, emailVerified: true, name: 'Olga', role: 'owner', factors: [], language: null, createdAt: clock.now() } as const;
    const by = { actor: SYSTEM_ACTOR, at: clock.now() };
    await store.people.register({ person: olga, passwordHash: null, account }, by);
    await store.people.setRole(olga.id, 'operator', by);
    expect(await own.schedule({ ...olga, accountId: account.id }, GATEWAY_ORIGIN)).toEqual({ outcome: 'last-operator' });
    expect(await own.schedule(olga, GATEWAY_ORIGIN)).toEqual({ outcome: 'no-such-account' });
    expect([await sent(), (await store.accounts.findById(account.id))?.status]).toEqual([[], 'active']);
  });
});
