import {
  FactorNotices, type Instant, type JsonObject, type NewPasskey, Passkeys, type Person, type RegisterPasskeyOutcome, SECURE_COOKIE,
  type SecondFactorPolicy, type SessionId, SessionStart, sessionTokenIn, type SignedIn,
  type SignInOutcome,
} from '@tollgate/core';
import { type AuthenticatorDifferences, SoftwareAuthenticator } from '../../authenticators.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, cookieOf, PeopleDriver, type PeopleSubject, RELYING_PARTY } from './people-subject.js';

interface Registering {
  readonly name?: string;
  readonly differences?: AuthenticatorDifferences;
  readonly answer?: JsonObject;
  readonly at?: Instant;
}

function cookiePair(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf(';'));
}

/** Does with passkeys what routes and browsers do, at noon unless said otherwise. */
export class PasskeyDriver {
  readonly authenticator = new SoftwareAuthenticator(RELYING_PARTY);
  readonly passkeys: Passkeys;
  readonly people: PeopleDriver;
  readonly notices: FactorNotices;
  readonly #cookies = new Map<SessionId, string>();

  constructor(readonly subject: PeopleSubject, secondFactor: SecondFactorPolicy = 'none', readonly store = subject.store) {
    const { tokens, ids, ceremonies, challenges } = subject;
    this.notices = new FactorNotices({ ids, baseUrl: () => RELYING_PARTY.origin, onStored: () => undefined });
    this.people = new PeopleDriver(subject, { secondFactor }, store);
    const start = new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor, cookie: SECURE_COOKIE });
    this.passkeys = new Passkeys({ people: store.people, records: store.passkeys, ceremonies, challenges, tokens, ids, start, notices: this.notices, cookie: SECURE_COOKIE });
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
    const cookie = cookieOf(await this.people.signIn(undefined, { email, at }));
    const signedIn = await this.people.sessions.current(aBrowser(cookie), at);
    if (signedIn === null) throw new Error('the session does not hold');
    this.#cookies.set(signedIn.session.id, cookie);
    return signedIn;
  }

  /** What a store is told of a session beside the passkey that it adds. */
  raising(signedIn: SignedIn): Pick<NewPasskey, 'sessionId' | 'tokenHash' | 'nextTokenHash' | 'notice'> {
    const { session, person } = signedIn;
    const { tokens } = this.subject;
    const tokenHash = tokens.hash(sessionTokenIn(this.cookieOf(signedIn), SECURE_COOKIE) ?? '');
    return { sessionId: session.id, tokenHash, nextTokenHash: tokens.issue().hash, notice: this.notices.of(person, 'passkey-added', STORE_NOON) };
  }

  /** What the browser of a session sends now. */
  cookieOf({ session }: SignedIn): string {
    return this.#cookies.get(session.id) ?? '';
  }

  /** What registering came to, with an answer to fresh options unless another is given. */
  async register(signedIn: SignedIn, { name = 'Laptop', differences = {}, answer, at = STORE_NOON }: Registering = {}): Promise<RegisterPasskeyOutcome> {
    const given = answer ?? this.authenticator.create(await this.options(signedIn), differences);
    const cookie = this.#cookies.get(signedIn.session.id) ?? null;
    const outcome = await this.passkeys.register({ request: aBrowser(cookie), signedIn, at }, { name, answer: given });
    if (outcome.outcome === 'added') this.#cookies.set(signedIn.session.id, cookiePair(outcome.setCookie));
    return outcome;
  }

  async options(signedIn: SignedIn): Promise<JsonObject> {
    const options = await this.passkeys.registrationOptions(signedIn, STORE_NOON);
    if (options === null) throw new Error('the session has yet to prove a factor');
    return options;
  }

  /** A signature for fresh options. */
  async assertion(differences: AuthenticatorDifferences = {}, authenticator = this.authenticator): Promise<JsonObject> {
    return authenticator.get(await this.passkeys.signInOptions(STORE_NOON), differences);
  }

  signIn(answer: unknown, at: Instant = STORE_NOON): Promise<SignInOutcome> {
    return this.passkeys.signIn(aBrowser(), answer, at);
  }
}
