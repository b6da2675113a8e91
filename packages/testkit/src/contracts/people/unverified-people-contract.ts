import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type AuditedBy, later, type PersonId, ServiceTokens, type StandingFacts, SYSTEM_ACTOR, UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/core';
import { anAccount, anApiKey } from '../../builders.js';
import { changeStanding, STORE_ALICE, STORE_NOON } from '../store-subject.js';
import { aStoredMail } from '../mail-contract.js';
import { ALICE_EMAIL, type MakePeople, PeopleDriver } from './people-subject.js';

const MANY = 100;
const NOON: AuditedBy = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const LAST: AuditedBy = { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS - 1) };
const DUE: AuditedBy = { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS) };

/** The fate of people who never verify their address. */
export function unverifiedPeopleContract(name: string, make: MakePeople): void {
  describe(`PersonRecords contract, of people who never verify: ${name}`, () => {
    let driver: PeopleDriver;
    beforeEach(async () => {
      driver = new PeopleDriver(await make());
    });
    afterEach(async () => {
      expect((await driver.store.auditTrail.verifyAuditTrail()).fault).toBeNull();
      await driver.subject.close?.();
    });

    /** Signs up, and tells which account was made with the person. */
    async function signUp(): Promise<{ readonly id: PersonId; readonly accountId: AccountId }> {
      const id = await driver.signUp();
      const accountId = await driver.accountOf(id);
      if (accountId === null) throw new Error('the sign-up made no account');
      return { id, accountId };
    }

    async function statusOf(id: AccountId): Promise<string | undefined> {
      return (await driver.store.accounts.findById(id))?.status;
    }

    it('removes them at the deadline with all their data, and frees the address', async () => {
      const { directory, store } = driver;
      const { id, accountId } = await signUp();
      const token = await driver.token(id, 'verify-email', DUE.at);
      await store.mail.store(aStoredMail(1, { to: ALICE_EMAIL }), MANY);
      expect(await store.people.discardUnverified(MANY, LAST)).toBe(0);
      expect(await directory.find(id)).not.toBeNull();
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await directory.find(id)).toBeNull();
      expect(await directory.isTokenLive(token, 'verify-email', STORE_NOON)).toBe(false);
      expect(await store.mail.list({ limit: MANY, after: null })).toEqual([]);
      expect(await store.accounts.findById(accountId)).toMatchObject({ status: 'deleted', name: '', email: `erased:${accountId}` });
      expect(await store.accounts.findByEmail(ALICE_EMAIL)).toBeNull();
      expect((await driver.start()).accountId).not.toBe(accountId);
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(0);
    });

    it('keeps verified people at any date', async () => {
      const { id } = await driver.start();
      expect(await driver.store.people.discardUnverified(MANY, { ...DUE, at: later(DUE.at, UNVERIFIED_KEPT_MILLISECONDS) })).toBe(0);
      expect(await driver.directory.find(id)).not.toBeNull();
    });

    it('removes a limited number at a time, once over several gateways', async () => {
      for (let number = 0; number < 5; number += 1) await driver.signUp(`person${number}@example.test`);
      expect(await driver.store.people.discardUnverified(2, DUE)).toBe(2);
      const rest = await Promise.all([driver, driver.other()].map(({ store }) => store.people.discardUnverified(MANY, DUE)));
      expect(rest.toSorted((first, second) => first - second)).toEqual([0, 3]);
    });

    it('keeps the account that operators created with the address', async () => {
      const { store } = driver;
      await store.accounts.create(anAccount({ id: STORE_ALICE, email: ALICE_EMAIL, emailVerified: false }), SYSTEM_ACTOR);
      await driver.signUp();
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await statusOf(STORE_ALICE)).toBe('active');
      expect((await driver.start()).accountId).toBe(STORE_ALICE);
    });

    it('keeps an account with bookings, even at a balance of zero, for the next person who verifies', async () => {
      const { store } = driver;
      const { accountId } = await signUp();
      const one = { accountId, amount: ServiceTokens.parse('1'), reason: null, ...NOON };
      await store.ledger.book({ ...one, kind: 'top-up', reference: 'up' });
      await store.ledger.book({ ...one, kind: 'correction', direction: 'lower', reference: 'down' });
      expect(await store.people.discardUnverified(MANY, DUE)).toBe(1);
      expect(await statusOf(accountId)).toBe('active');
      expect((await driver.start()).accountId).toBe(accountId);
    });

    it('keeps an account with a key', async () => {
      const { store } = driver;
      const { accountId } = await signUp();
      await store.keys.create({ key: anApiKey({ accountId }), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      await store.people.discardUnverified(MANY, DUE);
      expect(await statusOf(accountId)).toBe('active');
    });

    it.each<Partial<StandingFacts>>([{ blocked: true }, { status: 'suspended' }, { emailVerified: true }])('keeps an account that operators set to %j', async (standing) => {
      const { store } = driver;
      const { accountId } = await signUp();
      await changeStanding(store.accounts, accountId, standing, NOON);
      await store.people.discardUnverified(MANY, DUE);
      expect(await statusOf(accountId)).toBe(standing.status ?? 'active');
    });

    it('counts the deadline of invited people from the last invitation', async () => {
      const again = later(STORE_NOON, 1);
      const id = await driver.signUp();
      await driver.directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: again });
      expect(await driver.store.people.discardUnverified(MANY, DUE)).toBe(0);
      expect(await driver.store.people.discardUnverified(MANY, { ...DUE, at: later(again, UNVERIFIED_KEPT_MILLISECONDS) })).toBe(1);
      expect(await driver.directory.find(id)).toBeNull();
    });

    it('happens at "not me" too', async () => {
      const { id, accountId } = await signUp();
      expect(await driver.directory.disown(await driver.token(id, 'verify-email'), STORE_NOON)).toBe(true);
      expect(await statusOf(accountId)).toBe('deleted');
    });
  });
}
