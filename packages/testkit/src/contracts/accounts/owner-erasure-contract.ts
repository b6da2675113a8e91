import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import {
  type Account, type AccountId, type Actor, type AuditQuery, clientAt, later, NO_AUDIT_FILTERS, type PersonId, type SessionId, SYSTEM_ACTOR, type TokenHash,
} from '@tollgate/core';
import { MAIL_RANKS, type MailOutbox, newAddressReference, type Person, type PersonRecords, type SessionRecords } from '@tollgate/identity';
import { anAccount, anApiKey } from '../../builders/builders.js';
import { aStoredMail } from '../mail-outbox-contract.js';
import { changeStanding, STORE_NOON } from '../store-subject.js';
import type { ErasureSubject } from './account-erasure-contract.js';

interface OwnerSubject extends ErasureSubject {
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly mail: MailOutbox;
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const PENDING = { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } } as const;
const CAROL = 'acct_carol' as AccountId;
const OWNER: Actor = { kind: 'owner', id: 'person_carol', origin: clientAt('203.0.113.9') };
const OPERATOR: Actor = { kind: 'operator', id: 'person_olga', origin: clientAt('198.51.100.4') };
const ALL: AuditQuery = { ...NO_AUDIT_FILTERS, limit: 100, cursor: null };
const PASSWORD_HASH = 'a hash';

function personOf(account: Account, differences: Partial<Person> = {}): Person {
  return {
    id: 'person_carol' as PersonId, accountId: null, email: account.email, emailVerified: true, name: 'Carol', role: 'owner', factors: [], language: null,
    createdAt: STORE_NOON, ...differences,
  };
}

export function ownerErasureContract(name: string, make: () => OwnerSubject | Promise<OwnerSubject>): void {
  describe(`AccountErasure contract, of the owner: ${name}`, () => {
    const account = anAccount({ id: CAROL, email: 'carol@example.test', name: 'Carol Sample', createdAt: STORE_NOON });
    const person = personOf(account);
    const hash = (character: string): TokenHash => character.repeat(64) as TokenHash;
    let store: OwnerSubject;

    beforeEach(async () => {
      store = await make();
      await store.people.register({ person, passwordHash: PASSWORD_HASH, account }, { actor: OWNER, at: STORE_NOON });
    });

    afterEach(async () => {
      const { fault } = await store.auditTrail.verifyAuditTrail();
      await store.close?.();
      expect(fault).toBeNull();
    });

    async function remove(): Promise<string> {
      await changeStanding(store.accounts, CAROL, PENDING, { actor: OPERATOR, at: STORE_NOON });
      return (await store.erasure.deleteAccount(CAROL, { ...account, ...PENDING }, BY)).outcome;
    }

    it('removes person, sessions, tokens and mail, and frees the address', async () => {
      const session = {
        id: 'ses_1' as SessionId, personId: person.id, signedInBy: 'password', assurance: 'one-factor', createdAt: STORE_NOON, lastUsedAt: STORE_NOON, provenAt: STORE_NOON, machineId: null,
        address: '203.0.113.9', userAgent: null,
      } as const;
      await store.sessions.begin({ session, tokenHash: hash('5'), provenBy: { kind: 'password', hash: PASSWORD_HASH, browser: 'unknown' }, replaces: [], forgets: null });
      await store.people.putToken(
        { hash: hash('6'), personId: person.id, purpose: 'change-email', newEmail: 'caroline@example.test', expiresAt: later(STORE_NOON, 1000), machineId: null }, STORE_NOON,
      );
      for (const [number, to] of ['carol@example.test', 'bob@example.test', 'caroline@example.test'].entries()) {
        await store.mail.store(aStoredMail(number, { to }));
      }
      await store.mail.store(aStoredMail(3, { to: 'caroline@example.test', reference: `${newAddressReference(person.id)}mail_3` }));
      // A message that was delivered to a former address of the person.
      await store.mail.store(aStoredMail(4, { to: 'carol@former.test', accountId: CAROL }));
      for (const { id, attempt } of await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1000), most: 9, ranks: MAIL_RANKS })) await store.mail.finish({ id, attempt }, { state: 'delivered' }, STORE_NOON);
      expect(await remove()).toBe('deleted');
      expect([await store.people.find(person.id), await store.people.findByEmail(person.email), await store.sessions.find(hash('5'))]).toEqual([null, null, null]);
      expect(await store.people.findToken(hash('6'), 'change-email', STORE_NOON)).toBeNull();
      // The message to caroline@example.test that is not about this person stays, because another person may use that address by now.
      expect(new Set((await store.mail.list({ limit: 10, after: null })).map(({ to }) => to))).toEqual(new Set(['bob@example.test', 'caroline@example.test']));
      expect(await store.people.register({ person: personOf(account, { id: 'person_new' as PersonId }), passwordHash: null, account: { ...account, id: 'acct_new' as AccountId } }, BY))
        .toEqual({ outcome: 'created', id: 'person_new' });
    });

    it('erases the personal texts of the account and its owner from the audit log, and keeps all entries and the chain intact', async () => {
      const key = anApiKey({ accountId: CAROL, name: 'Carols Laptop', createdAt: STORE_NOON });
      await store.keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: OWNER });
      await store.accounts.change(CAROL, { name: 'Caroline' }, { actor: OPERATOR, at: STORE_NOON });
      const before = JSON.stringify(await store.auditTrail.list(ALL));
      for (const text of ['Carols Laptop', 'Caroline', '203.0.113.9', '198.51.100.4']) expect(before).toContain(text);
      await remove();
      const after = JSON.stringify(await store.auditTrail.list(ALL));
      for (const text of ['Laptop', 'Caroline', '203.0.113.9']) expect(after).not.toContain(text);
      expect(after).toContain('198.51.100.4');
      expect((await store.auditTrail.list({ ...ALL, accountId: CAROL }))?.records.map(({ action }) => action))
        .toEqual(['account.deleted', 'person.erased', 'key.revoked', 'account.changed', 'account.changed', 'key.created', 'person.registered', 'account.created']);
    });

    it('removes consents, while the audit log keeps which versions the person agreed to', async () => {
      const by = (at: number) => ({ actor: OWNER, at: later(STORE_NOON, at) });
      const both = [{ document: 'terms', version: '1' }, { document: 'privacy', version: '2026-11 é' }] as const;
      for (const at of [1, 2]) await store.people.agree(person.id, both, by(at));
      await store.people.agree(person.id, [{ document: 'terms', version: '2' }, both[1]], by(3));
      await store.people.agree('person_nobody' as PersonId, both, by(4));
      expect(await store.people.consents(person.id)).toEqual([
        { document: 'privacy', version: '2026-11 é', at: later(STORE_NOON, 1) }, { document: 'terms', version: '1', at: later(STORE_NOON, 1) }, { document: 'terms', version: '2', at: later(STORE_NOON, 3) },
      ]);
      await remove();
      expect(await store.people.consents(person.id)).toEqual([]);
      const agreed = (await store.auditTrail.list({ ...ALL, accountId: CAROL }))?.records.filter(({ action }) => action === 'person.agreed');
      expect(agreed?.map(({ details }) => details)).toEqual([{ terms: '2' }, { privacy: '2026-11 é', terms: '1' }]);
    });

    it('is refused for the last operator, whose data does not change', async () => {
      await store.people.setRole(person.id, 'operator', BY);
      expect(await store.erasure.ownerIsLastOperator(CAROL)).toBe(true);
      expect(await remove()).toBe('last-operator');
      expect(await store.accounts.findById(CAROL)).toMatchObject({ status: 'pending-deletion', email: account.email });
      expect(await store.people.find(person.id)).not.toBeNull();
      const other = anAccount({ id: 'acct_olga' as AccountId, email: 'olga@example.test' });
      const olga = personOf(other, { id: 'person_olga' as PersonId });
      await store.people.register({ person: olga, passwordHash: null, account: other }, BY);
      await store.people.setRole(olga.id, 'operator', BY);
      expect(await store.erasure.ownerIsLastOperator(CAROL)).toBe(false);
      expect((await store.erasure.deleteAccount(CAROL, { ...account, ...PENDING }, BY)).outcome).toBe('deleted');
      expect(await store.erasure.ownerIsLastOperator(other.id)).toBe(true);
    });

    it('deletes one of the two remaining operators, not both, when both deletions run concurrently', async () => {
      const other = anAccount({ id: 'acct_olga' as AccountId, email: 'olga@example.test' });
      const olga = personOf(other, { id: 'person_olga' as PersonId });
      await store.people.register({ person: olga, passwordHash: null, account: other }, BY);
      for (const { id } of [person, olga]) await store.people.setRole(id, 'operator', BY);
      for (const { id } of [account, other]) await changeStanding(store.accounts, id, PENDING, BY);
      const outcomes = await Promise.all([account, other].map((one) => store.erasure.deleteAccount(one.id, { ...one, ...PENDING }, BY)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['deleted', 'last-operator']);
    });
  });
}
