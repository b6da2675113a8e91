import {
  type Instant, type JsonObject, Passkeys, type Person, type RegisterPasskeyOutcome, SECURE_COOKIE, type SecondFactorPolicy, SessionStart, type SignedIn, type SignInOutcome,
} from '@tollgate/core';
import { type AuthenticatorDifferences, SoftwareAuthenticator } from '../../passkeys/software-authenticator.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, cookieOf, PeopleDriver, type PeopleSubject, RELYING_PARTY } from './people-subject.js';

interface Registering {
  readonly name?: string;
  readonly differences?: AuthenticatorDifferences;
  readonly answer?: JsonObject;
  readonly at?: Instant;
}

/** Does with passkeys what routes and browsers do, at noon unless said otherwise. */
export class PasskeyDriver {
  readonly authenticator = new SoftwareAuthenticator(RELYING_PARTY);
  readonly passkeys: Passkeys;
  readonly people: PeopleDriver;

  constructor(readonly subject: PeopleSubject, secondFactor: SecondFactorPolicy = 'none', readonly store = subject.store) {
    const { tokens, ids, ceremonies, challenges } = subject;
    this.people = new PeopleDriver(subject, { secondFactor }, store);
    const start = new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor, cookie: SECURE_COOKIE });
    this.passkeys = new Passkeys({ people: store.people, records: store.passkeys, ceremonies, challenges, tokens, ids, start });
  }

  /** The same people's other gateway. */
  other(): PasskeyDriver {
    return new PasskeyDriver(this.subject, 'none', this.subject.other);
  }

  /** A verified person who is signed in by password. */
  async start(email?: string): Promise<SignedIn> {
    const person = await this.people.start(email);
    return this.signedIn(person);
  }

  async signedIn({ email }: Pick<Person, 'email'>, at: Instant = STORE_NOON): Promise<SignedIn> {
    const signedIn = await this.people.sessions.current(aBrowser(cookieOf(await this.people.signIn(undefined, { email, at }))), at);
    if (signedIn === null) throw new Error('the session does not hold');
    return signedIn;
  }

  /** What registering came to, with an answer to fresh options unless another is given. */
  async register(signedIn: SignedIn, { name = 'Laptop', differences = {}, answer, at = STORE_NOON }: Registering = {}): Promise<RegisterPasskeyOutcome> {
    const given = answer ?? this.authenticator.create(await this.passkeys.registrationOptions(signedIn, STORE_NOON), differences);
    return this.passkeys.register(signedIn, { name, answer: given }, at);
  }

  /** A signature for fresh options. */
  async assertion(differences: AuthenticatorDifferences = {}, authenticator = this.authenticator): Promise<JsonObject> {
    return authenticator.get(await this.passkeys.signInOptions(STORE_NOON), differences);
  }

  signIn(answer: unknown, at: Instant = STORE_NOON): Promise<SignInOutcome> {
    return this.passkeys.signIn(aBrowser(), answer, at);
  }
}
