import {
  type BrowserRequest, IssuerAdmissions, type IssuerIdentity, type IssuerSignInOutcome, later, PAY_AS_YOU_GO, PersonDrafts, SECURE_COOKIE, SessionStart,
} from '@tollgate/core';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, ALICE_EMAIL, type PeopleDifferences, PeopleDriver, type PeopleSubject } from './people-subject.js';

const MINUTE = 60_000;
let challenges = 0;

/** Someone of whom the issuer has verified Alice's address. */
export function anIdentity(differences: Partial<IssuerIdentity> = {}): IssuerIdentity {
  return { issuer: 'https://issuer.test', subject: 'subject-1', email: ALICE_EMAIL, emailVerified: true, name: 'Alice of the Issuer', ...differences };
}

/** Signs in by an issuer that has identified the person, at noon. */
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

  /** The same people under other policies. */
  under(differences: PeopleDifferences): IssuerDriver {
    return new IssuerDriver(this.subject, differences, this.store);
  }

  /** The same people's other gateway. */
  other(): IssuerDriver {
    return new IssuerDriver(this.subject, {}, this.subject.other);
  }

  /** Answers a challenge of its own unless one is named. */
  admit(identity: Partial<IssuerIdentity> = {}, { challenge = `challenge ${(challenges += 1)}`, browser = aBrowser() } = {}): Promise<IssuerSignInOutcome> {
    return this.from(browser, anIdentity(identity), challenge);
  }

  private from(browser: BrowserRequest, identity: IssuerIdentity, challenge: string): Promise<IssuerSignInOutcome> {
    const answered = { hash: this.subject.tokens.hash(challenge), expiresAt: later(STORE_NOON, MINUTE) };
    return this.admissions.admit(browser, identity, { challenge: answered, at: STORE_NOON });
  }
}
