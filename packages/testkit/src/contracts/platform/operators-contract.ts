import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditedBy, later, OPERATOR_LINK_MILLISECONDS, Operators, PAY_AS_YOU_GO, type Person, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount } from '../../builders.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, cookieOf, type MakePeople, PeopleDriver, theOnly } from '../people/people-subject.js';
import { STORE_NOON } from '../store-subject.js';

const BY: AuditedBy = { actor: { kind: 'operator', id: 'olga', origin: { place: 'command-line', user: 'olga', address: null } }, at: STORE_NOON };

function operatorsOf({ subject: { tokens, ids }, store }: PeopleDriver): Operators {
  return new Operators({ records: store.people, tokens, ids });
}

/** What appointing operators guarantees, whatever keeps their records. */
export function operatorsContract(name: string, make: MakePeople): void {
  describe(`Operators contract: ${name}`, () => {
    let driver: PeopleDriver;
    let operators: Operators;
    beforeEach(async () => {
      driver = new PeopleDriver(await make(), { signUp: 'closed' });
      operators = operatorsOf(driver);
    });
    afterEach(() => driver.subject.close?.());

    const appoint = (email = ALICE_EMAIL): Promise<Person> => operators.appoint({ email, name: 'Alice', planId: PAY_AS_YOU_GO, by: BY });
    const signInBy = async (token: string | null, at = STORE_NOON) => driver.sessions.signIn(aBrowser(), { kind: 'link', token: token ?? '' }, at);

    it('makes a verified person with an account, whatever the policy on sign-ups, and once', async () => {
      const person = await appoint('Alice@Example.test');
      expect(person).toMatchObject({ email: ALICE_EMAIL, emailVerified: true, role: 'operator' });
      expect(await driver.store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ id: person.accountId, emailVerified: true });
      expect(await appoint()).toEqual(person);
      expect(await operators.list()).toEqual([person]);
      expect(await driver.store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
    });

    it('gives the person the account that operators made with the address', async () => {
      const account = anAccount({ email: ALICE_EMAIL });
      await driver.store.accounts.create(account, SYSTEM_ACTOR);
      expect((await appoint()).accountId).toBe(account.id);
    });

    it('drops password and name of a stranger who signed up with the address, and keeps that of a person who verified it', async () => {
      const open = new PeopleDriver(driver.subject);
      const id = await open.signUp();
      await operators.appoint({ email: ALICE_EMAIL, name: 'Alice Liddell', planId: PAY_AS_YOU_GO, by: BY });
      expect((await open.signIn()).outcome).toBe('refused');
      expect([(await open.directory.find(id))?.name, (await driver.store.accounts.findByEmail(ALICE_EMAIL))?.name]).toEqual(['Alice Liddell', 'Alice Liddell']);
      expect((await operators.list()).map((person) => person.id)).toEqual([id]);
      const bob = await open.start('bob@example.test');
      await appoint('bob@example.test');
      expect(await open.signIn(ALICE_PASSWORD, { email: 'bob@example.test' })).toMatchObject({ outcome: 'signed-in', signedIn: { person: { id: bob.id, role: 'operator' } } });
    });

    it('signs the operator in once by a link, for 15 minutes, and the newest link alone', async () => {
      const { id } = await appoint();
      const first = await operators.issueLink(id, BY);
      const second = await operators.issueLink(id, BY);
      expect((await signInBy(first)).outcome).toBe('refused');
      const outcomes = await Promise.all([signInBy(second), new PeopleDriver(driver.subject, {}, driver.subject.other).sessions.signIn(aBrowser(), { kind: 'link', token: second ?? '' }, STORE_NOON)]);
      const signedIn = theOnly(outcomes.map((outcome) => (outcome.outcome === 'signed-in' ? outcome : null)));
      expect(signedIn).toHaveLength(1);
      expect(await driver.who(cookieOf(signedIn[0] ?? { outcome: 'refused' }))).toBe(ALICE_EMAIL);
      const late = await operators.issueLink(id, BY);
      expect((await signInBy(late, later(STORE_NOON, OPERATOR_LINK_MILLISECONDS))).outcome).toBe('refused');
    });

    it('takes the role away, but not from the last one', async () => {
      const alice = await appoint();
      expect(await operators.dismiss(alice.id, BY)).toBe('last-operator');
      await appoint('bob@example.test');
      const outcomes = await Promise.all((await operators.list()).map(({ id }) => operators.dismiss(id, BY)));
      expect(outcomes.toSorted()).toEqual(['changed', 'last-operator']);
    });
  });
}
