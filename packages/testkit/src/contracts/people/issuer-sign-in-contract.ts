import { type AccountId, later, PAY_AS_YOU_GO, type PersonId, SYSTEM_ACTOR } from '@tollgate/core';
import {
  type BrowserRequest, IssuerAdmissions, type IssuerIdentity, type IssuerSignInOutcome, PersonDrafts, SECURE_COOKIE, SessionStart,
} from '@tollgate/identity';
import { afterEach, describe, expect, it } from '../test-runner.js';
import { STORE_NOON } from '../store-subject.js';
import {
  aBrowser, ALICE_EMAIL, ALICE_PASSWORD, aPassword, cookieOf, type MakePeople, NEXT_PASSWORD, type PeopleDifferences, PeopleDriver,
  type PeopleSubject,
} from './people-subject.js';
import { anAccount } from '../../builders/builders.js';

const MINUTE = 60_000;
let challenges = 0;

/** An identity with Alice's address, which the issuer has verified. */
function anIdentity(differences: Partial<IssuerIdentity> = {}): IssuerIdentity {
  return { issuer: 'https://issuer.test', subject: 'subject-1', email: ALICE_EMAIL, emailVerified: true, emailVerifiedClaim: 'true', name: 'Alice of the Issuer', ...differences };
}

/** Signs people in through an issuer, at noon. */
export class IssuerDriver {
  readonly admissions: IssuerAdmissions;
  readonly people: PeopleDriver;

  constructor(readonly subject: PeopleSubject, differences: PeopleDifferences = {}, readonly store = subject.store) {
    const { tokens, ids } = subject;
    const { signUp = 'open', secondFactor = 'none', signupCredits = null } = differences;
    this.people = new PeopleDriver(subject, differences, store);
    const start = new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor, cookie: SECURE_COOKIE });
    this.admissions = new IssuerAdmissions({ records: store.issuers, people: store.people, drafts: new PersonDrafts(ids, PAY_AS_YOU_GO, signupCredits), start, signUp });
  }

  /** A driver for the same store with other policies. */
  under(differences: PeopleDifferences): IssuerDriver {
    return new IssuerDriver(this.subject, differences, this.store);
  }

  /** A driver for another gateway on the same store. */
  other(): IssuerDriver {
    return new IssuerDriver(this.subject, {}, this.subject.other);
  }

  /** Signs in with a new challenge unless one is given. */
  admit(identity: Partial<IssuerIdentity> = {}, { challenge = `challenge ${(challenges += 1)}`, browser = aBrowser() } = {}): Promise<IssuerSignInOutcome> {
    return this.from(browser, anIdentity(identity), challenge);
  }

  private from(browser: BrowserRequest, identity: IssuerIdentity, challenge: string): Promise<IssuerSignInOutcome> {
    const answered = { hash: this.subject.tokens.hash(challenge), expiresAt: later(STORE_NOON, MINUTE) };
    return this.admissions.admit(browser, identity, { challenge: answered, at: STORE_NOON });
  }
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };

export function issuerSignInContract(name: string, make: MakePeople): void {
  describe(`Issuer sign-in contract: ${name}`, () => {
    let driver: IssuerDriver;
    const start = async (differences: PeopleDifferences = {}): Promise<IssuerDriver> => {
      driver = new IssuerDriver(await make(), differences);
      return driver;
    };
    const idOf = async (email = ALICE_EMAIL): Promise<PersonId | undefined> => (await driver.people.directory.findByEmail(email))?.id;
    afterEach(() => driver.subject.close?.());

    it('refuses an empty subject', async () => {
      await start();
      expect([await driver.admit({ subject: '' }), await idOf()]).toEqual([{ outcome: 'refused' }, undefined]);
    });

    it('starts a one-factor session for a new person, who has a verified address and an account', async () => {
      await start({ secondFactor: 'everybody' });
      const outcome = await driver.admit();
      expect(outcome).toMatchObject({
        outcome: 'signed-in', signedIn: { reach: 'enrol-factor', session: { signedInBy: 'issuer', assurance: 'one-factor' }, person: { email: ALICE_EMAIL, emailVerified: true, name: 'Alice of the Issuer' } },
      });
      expect(await driver.other().people.who('setCookie' in outcome ? cookieOf(outcome) : '')).toBe(ALICE_EMAIL);
      expect(await driver.store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ emailVerified: true, status: 'active' });
      expect(await driver.store.auditTrail.verifyAuditTrail()).toMatchObject({ fault: null });
    });

    it('recognises the person by the subject afterwards, whatever address the issuer states', async () => {
      await start();
      await driver.admit();
      const id = await idOf();
      const changed: Partial<IssuerIdentity> = { email: 'other@example.test', emailVerified: false };
      expect(await driver.other().admit(changed)).toMatchObject({ signedIn: { person: { id, email: ALICE_EMAIL } } });
      expect(await driver.admit({ email: null })).toMatchObject({ signedIn: { person: { id } } });
      expect(await idOf('other@example.test')).toBeUndefined();
    });

    it('links the subject to a person who has verified the address, and keeps password and name', async () => {
      await start({ signUp: 'open' });
      const { id } = await driver.people.start();
      expect(await driver.under({ signUp: 'closed' }).admit({ email: ALICE_EMAIL.toUpperCase() })).toMatchObject({ signedIn: { person: { id, name: 'Alice' } } });
      expect(await driver.people.signIn()).toMatchObject({ outcome: 'signed-in' });
    });

    it('takes over a stranger’s sign-up with the address, and keeps no data of the stranger', async () => {
      const { people } = await start();
      const id = await people.signUp();
      const [verify, reset] = [await people.token(id, 'verify-email'), await people.token(id, 'reset-password')];
      expect(await driver.admit()).toMatchObject({ signedIn: { person: { id, emailVerified: true, name: 'Alice of the Issuer', factors: [] } } });
      expect(await driver.store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ name: 'Alice of the Issuer', emailVerified: true });
      expect(await people.signIn()).toEqual({ outcome: 'refused' });
      const { directory } = people;
      expect(await directory.redeem({ purpose: 'verify-email', token: verify, password: ALICE_PASSWORD }, STORE_NOON)).toBeNull();
      expect(await directory.redeem({ purpose: 'reset-password', token: reset, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)).toBeNull();
    });

    it('assigns a person the account that operators created, even if a stranger signed up with its address', async () => {
      await start();
      const made = [['acct_made', ALICE_EMAIL, 'subject-1'], ['acct_free', 'bob@example.test', 'subject-bob']] as const;
      for (const [id, email] of made) await driver.store.accounts.create(anAccount({ id: id as AccountId, email, emailVerified: false }), SYSTEM_ACTOR);
      await driver.people.signUp();
      for (const [accountId, email, subject] of made) expect(await driver.admit({ email, subject })).toMatchObject({ signedIn: { person: { accountId } } });
      expect(await driver.store.accounts.findByEmail(ALICE_EMAIL)).toMatchObject({ id: 'acct_made', emailVerified: true });
    });

    it('creates neither session nor person for an unverified address, or for a new person if sign-up is closed', async () => {
      await start();
      const unusable = [{ emailVerified: false }, { email: null }, { email: 'nobody' }, { email: 'al\u0131ce@example.test' }];
      for (const identity of unusable) expect(await driver.admit(identity)).toEqual({ outcome: 'email-not-verified' });
      expect(await driver.under({ signUp: 'invitation' }).admit()).toEqual({ outcome: 'closed' });
      expect([await idOf(), await driver.store.accounts.findByEmail(ALICE_EMAIL)]).toEqual([undefined, null]);
      await driver.people.start();
      expect(await driver.admit({ emailVerified: false })).toEqual({ outcome: 'email-not-verified' });
    });

    it('refuses the owner of a blocked account, whether linked before or not', async () => {
      await start();
      await driver.people.start();
      await driver.admit({ email: 'bob@example.test', subject: 'subject-bob' });
      for (const email of [ALICE_EMAIL, 'bob@example.test']) {
        const account = await driver.store.accounts.findByEmail(email);
        if (account !== null) await driver.store.accounts.moveStanding(account.id, { from: account, to: { ...account, blocked: true }, action: 'account.blocked' }, BY);
      }
      expect([await driver.admit(), await driver.admit({ subject: 'subject-bob' })]).toEqual([{ outcome: 'refused' }, { outcome: 'refused' }]);
    });

    it('gives no access to another person’s account when the issuer gives that person’s address to a new subject', async () => {
      await start();
      await driver.admit();
      expect(await driver.admit({ subject: 'subject-2' })).toEqual({ outcome: 'account-not-linked' });
      expect(await driver.admit({ subject: 'subject-1', issuer: 'https://other.test', email: 'other@example.test' })).toMatchObject({ signedIn: { person: { email: 'other@example.test' } } });
    });

    it('accepts each challenge once, even concurrently on several gateways', async () => {
      await start();
      const other = driver.other();
      const outcomes = await Promise.all([driver, other, driver, other].map((each) => each.admit({}, { challenge: 'the same' })));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'refused', 'refused', 'signed-in']);
    });

    it('creates one person for concurrent first sign-ins of a subject on several gateways', async () => {
      await start();
      const other = driver.other();
      const outcomes = await Promise.all([driver, other, driver, other].map((each) => each.admit()));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['signed-in', 'signed-in', 'signed-in', 'signed-in']);
      expect(new Set(outcomes.map((outcome) => ('signedIn' in outcome ? outcome.signedIn.person.id : null))).size).toBe(1);
    });

    it('unlinks a person when the password is reset by mail, and when the person is erased', async () => {
      const { people } = await start();
      await driver.admit();
      const id = (await people.directory.findByEmail(ALICE_EMAIL))?.id ?? '' as PersonId;
      await people.directory.redeem({ purpose: 'reset-password', token: await people.token(id, 'reset-password'), password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
      expect(await driver.admit({ emailVerified: false })).toEqual({ outcome: 'email-not-verified' });
      await driver.admit();
      await people.deleteAccountOf(id);
      expect(await driver.under({ signUp: 'closed' }).admit()).toEqual({ outcome: 'closed' });
    });
  });
}
